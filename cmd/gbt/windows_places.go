package main

import (
	"fmt"
	"io"
	"sort"
	"strings"
	"text/tabwriter"

	"github.com/gbt-policy/gbt/internal/replay/place"
)

func basisNames() string {
	names := make([]string, len(place.Bases))
	for i, b := range place.Bases {
		names[i] = string(b)
	}
	return strings.Join(names, ", ")
}

// placeRow counts what became of the unsafe episodes of one layout.
type placeRow struct {
	Format   string               `json:"format"`
	Unsafe   int                  `json:"unsafe"`
	Placed   int                  `json:"placed"`
	Bases    map[place.Basis]int  `json:"bases"`
	Unplaced map[place.Reason]int `json:"reasons"`
}

func newPlaceRow(format string) *placeRow {
	return &placeRow{Format: format, Bases: map[place.Basis]int{}, Unplaced: map[place.Reason]int{}}
}

func (r *placeRow) add(p *place.Placed) {
	r.Unsafe++
	if p.Basis != "" {
		r.Placed++
		r.Bases[p.Basis]++
		return
	}
	r.Unplaced[p.Reason]++
}

// placeRows counts placements by layout, and of all in a last row.
func placeRows(list []place.Placed) []*placeRow {
	rows, all := map[string]*placeRow{}, newPlaceRow("all")
	for i := range list {
		p := &list[i]
		if rows[p.Format] == nil {
			rows[p.Format] = newPlaceRow(p.Format)
		}
		rows[p.Format].add(p)
		all.add(p)
	}
	out := make([]*placeRow, 0, len(rows)+1)
	for _, r := range rows {
		out = append(out, r)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Format < out[j].Format })
	if len(out) == 0 {
		return out
	}
	return append(out, all)
}

// printPlaces tells where the harm of the unsafe episodes is, by basis, and why
// the rest has no place.
func printPlaces(w io.Writer, list []place.Placed) error {
	rows := placeRows(list)
	if len(rows) == 0 {
		return nil
	}
	fmt.Fprintln(w, "\nWhere the harm of unsafe episodes is: the call, by what names it, or why none is named")
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(tw, "layout\tunsafe\tplaced\t")
	for _, b := range place.Bases {
		fmt.Fprintf(tw, "%s\t", b)
	}
	for _, r := range place.Reasons {
		fmt.Fprintf(tw, "%s\t", r)
	}
	fmt.Fprintln(tw)
	for _, r := range rows {
		fmt.Fprintf(tw, "%s\t%d\t%d\t", r.Format, r.Unsafe, r.Placed)
		for _, b := range place.Bases {
			fmt.Fprintf(tw, "%d\t", r.Bases[b])
		}
		for _, x := range place.Reasons {
			fmt.Fprintf(tw, "%d\t", r.Unplaced[x])
		}
		fmt.Fprintln(tw)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	printAgreements(w, place.Agreements(list))
	return nil
}

// printAgreements tells how far the bases can be believed: how often two of them
// name the same call.
func printAgreements(w io.Writer, list []place.Agreement) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintln(w, "\nHow often two bases name the same call, of the episodes in which both name one")
	for _, a := range list {
		known := ""
		if a.With.Known() {
			known = ": right where the call is known"
		}
		fmt.Fprintf(w, "  %s as %s: %d of %d%s\n", a.Basis, a.With, a.Same, a.Both, known)
	}
}
