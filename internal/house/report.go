package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// report is what one measurement found. Lines and counts, unless a field says
// otherwise.
type report struct {
	Lines     int          `json:"lines"`
	Rooms     []tally      `json:"rooms"`    // lines of each
	Concerns  []tally      `json:"concerns"` // lines of each
	Upward    []upward     `json:"upward"`
	Unranked  []string     `json:"unranked"` // rooms that no layer names
	Exported  surfaces     `json:"exported"`
	Types     []namedType  `json:"types"`
	Functions sizes        `json:"functions"`
	Files     sizes        `json:"files"`
	Hosts     arms         `json:"hosts"`
	Trace     *traceReport `json:"trace,omitempty"`
}

func (r *report) json(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// table prints the report for people, one figure a line: what, how many, unit.
func (r *report) table(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	row := func(what string, n int, unit string) { fmt.Fprintf(w, "%s\t%d\t%s\n", what, n, unit) }
	row("product Go", r.Lines, "lines")
	row("rooms", len(r.Rooms), "packages")
	fmt.Fprintln(w, "\nlines by concern")
	for _, c := range r.Concerns {
		row("  "+c.Name, c.Count, "lines")
	}
	fmt.Fprintln(w, "\nlines by room")
	for _, c := range r.Rooms {
		row("  "+c.Name, c.Count, "lines")
	}
	fmt.Fprintln(w)
	row("upward imports", len(r.Upward), "pairs of rooms")
	for _, u := range r.Upward {
		fmt.Fprintln(w, "  "+u.String())
	}
	fmt.Fprintf(w, "  rooms that no layer names: %s\n", orNone(r.Unranked))
	fmt.Fprintln(w)
	r.surfaceRows(row)
	r.typeRows(w)
	row("\nfunctions", r.Functions.Count, "functions")
	r.Functions.rows(w)
	row("files", r.Files.Count, "files")
	r.Files.rows(w)
	row("\nhost names asked for", r.Hosts.Total(), fmt.Sprintf("arms in %d files: %d cases, %d comparisons, %d map keys", len(r.Hosts.Files), r.Hosts.Cases, r.Hosts.Comparisons, r.Hosts.MapKeys))
	for _, f := range r.Hosts.Files {
		row("  "+f.Name, f.Count, "arms")
	}
	if r.Trace != nil {
		r.Trace.rows(w, row)
	}
	return w.Flush()
}

func (r *report) surfaceRows(row func(string, int, string)) {
	for _, half := range []struct {
		name string
		s    surface
	}{{"total", r.Exported.Total}, {"runtime half", r.Exported.Runtime}, {"rest", r.Exported.Rest}} {
		row("exported, "+half.name, half.s.Names, fmt.Sprintf("names in %d packages, %d of them methods, %d documented; %d fields beside", half.s.Packages, half.s.Methods, half.s.Documented, half.s.Fields))
	}
}

func (r *report) typeRows(w io.Writer) {
	for _, name := range crowded {
		var places []string
		aliases := 0
		for _, t := range r.Types {
			if t.Name != name {
				continue
			}
			place := t.Type + " " + t.At
			if t.Alias {
				aliases++
				place += " (alias)"
			}
			places = append(places, place)
		}
		fmt.Fprintf(w, "\ntypes named %s\t%d\ttypes, %d of them aliases\n", name, len(places), aliases)
		for _, p := range places {
			fmt.Fprintln(w, "  "+p)
		}
	}
}

func (s sizes) rows(w io.Writer) {
	fmt.Fprintf(w, "  median\t%d\tlines\n  95th percentile\t%d\tlines\n  longest\t%d\tlines (%s)\n", s.Median, s.P95, s.Longest, s.Which)
}

func (t *traceReport) rows(w io.Writer, row func(string, int, string)) {
	row("\nparses for one decision", t.Parses.Check+t.Parses.Observe, fmt.Sprintf("parses: Check %d, Observe %d (%s); the call was %s", t.Parses.Check, t.Parses.Observe, strings.Join(t.Parses.Rooms, ", "), t.Parses.Disposition))
	row("places that parse a command", t.Parsers, "calls in the source")
	for _, x := range []struct {
		name string
		way  way
	}{{"one call of a log", t.Line}, {"its whole episode", t.Episode}} {
		row("\nway to a decision, "+x.name, len(x.way.Rooms), "rooms entered")
		row("  returns", x.way.Returns(), "visits to a room visited before, each function read once")
		row("  crossings", x.way.Crossings, fmt.Sprintf("calls into another room, %d of them into one entered before", x.way.Back))
		fmt.Fprintf(w, "  rooms: %s\n", strings.Join(x.way.Rooms, ", "))
	}
	fmt.Fprintf(w, "\nwalk of one call: %s\n", strings.Join(t.Line.Walk, " > "))
}

func orNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}
