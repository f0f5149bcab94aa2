package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/class"
	"github.com/gbt-policy/gbt/internal/gates/learn"
)

// contentTable counts the classes of what calls write, run or send, by the format
// of the log and by what its episodes are evidence of.
type contentTable struct {
	rows map[contentKey]*contentRow
}

type contentKey struct {
	format   string
	standing learn.Standing
}

// contentRow counts calls; carrying ones write, run code or send.
type contentRow struct {
	episodes, calls, carrying int
	classes                   map[string]int
}

func (t *contentTable) add(ep *corpora.Episode) {
	if t.rows == nil {
		t.rows = map[contentKey]*contentRow{}
	}
	key := contentKey{ep.Format, learn.StandingOf(ep)}
	r := t.rows[key]
	if r == nil {
		r = &contentRow{classes: map[string]int{}}
		t.rows[key] = r
	}
	r.episodes++
	state := gates.State{UID: -1, GID: -1}
	for i := range ep.Steps {
		s := &ep.Steps[i]
		if s.Cwd != "" {
			state.Cwd = s.Cwd
		}
		if s.Status == corpora.StatusBlocked {
			continue
		}
		c := gates.NewContext(gates.Request{Tool: s.Tool, Args: []byte(s.Args)}, state)
		r.calls++
		if !carries(&c) && len(c.Content) == 0 {
			continue
		}
		r.carrying++
		for _, name := range c.Content {
			r.classes[name]++
		}
	}
}

// carries says whether a call writes, runs code or sends.
func carries(c *gates.Context) bool {
	return slices.ContainsFunc(c.Effects, func(e gates.Effect) bool {
		return e.Kind == effect.Write || e.Kind == effect.Network || e.Kind == effect.Spawn && e.Op == effect.OpRunCode
	})
}

// contentCounts is a row as JSON has it. A label is an episode's, so a call of an
// unsafe one need not be the one that did harm.
type contentCounts struct {
	Format   string         `json:"format"`
	Label    string         `json:"label"` // unjudged, benign or unsafe
	Episodes int            `json:"episodes"`
	Calls    int            `json:"calls"`
	Carrying int            `json:"carry_content"` // calls that write, run code or send
	Classes  map[string]int `json:"classes"`       // calls, by class; every class is there
}

// sorted are the rows by format, and by label in the order of learn.Standing.
func (t *contentTable) sorted() []contentCounts {
	keys := slices.SortedFunc(maps.Keys(t.rows), func(a, b contentKey) int {
		return cmp.Or(strings.Compare(a.format, b.format), cmp.Compare(a.standing, b.standing))
	})
	out := []contentCounts{}
	for _, k := range keys {
		r := t.rows[k]
		row := contentCounts{k.format, [...]string{"unjudged", "benign", "unsafe"}[k.standing], r.episodes, r.calls, r.carrying, map[string]int{}}
		for _, name := range class.All.Names() {
			row.Classes[name] = r.classes[name]
		}
		out = append(out, row)
	}
	return out
}

func (t *contentTable) print(out io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(out).Encode(map[string][]contentCounts{"rows": t.sorted()})
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	names := class.All.Names()
	fmt.Fprintf(w, "format\tepisodes are\tepisodes\tcalls\tcarry content\t%s\t\n", strings.Join(names, "\t"))
	for _, r := range t.sorted() {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t", r.Format, r.Label, r.Episodes, r.Calls, r.Carrying)
		for _, n := range names {
			fmt.Fprintf(w, "%d (%.2f%%)\t", r.Classes[n], 100*float64(r.Classes[n])/float64(max(r.Carrying, 1)))
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}
