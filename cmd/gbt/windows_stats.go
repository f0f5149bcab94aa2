package main

import (
	"fmt"
	"io"
	"sort"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/replay/place"
	"github.com/gbt-policy/gbt/replay"
)

func runWindowsStats(e *env, c *cli.Context) error {
	if c.NArg() == 0 {
		return fail(exitUsage, "windows stats needs logs: gbt windows stats LOGS...")
	}
	spec, err := readSpec(e, c)
	if err != nil {
		return err
	}
	s := windowStats{rows: map[string]*statsRow{}}
	problems := newImportSummary()
	// Running again what the log calls safe would tell nothing new, and take long.
	judged := !liveGiven(c)
	err = findWindows(e, c, replay.Options{Spec: spec, Judged: judged, Loose: c.Bool("loose"), Cold: c.Bool("cold")}, func(f *found) error {
		if p := f.record.Problem; p != nil {
			problems.problem(p)
		}
		if f.finding != nil {
			s.add(f.finding)
		}
		s.places.Add(f.run)
		return nil
	})
	if err != nil {
		return err
	}
	problems.printProblems(e.stderr)
	if len(s.rows) == 0 {
		return fail(exitInput, "no episode was found; see gbt import --help for the layouts it knows")
	}
	placed := s.places.Places()
	if c.Bool("json") {
		return printJSON(e, map[string]any{"rows": s.sorted(), "places": placeRows(placed), "agreement": place.Agreements(placed)})
	}
	if err := s.print(e.stdout); err != nil {
		return err
	}
	return printPlaces(e.stdout, placed)
}

// statsRow counts the episodes of one layout and label.
type statsRow struct {
	Format   string         `json:"format"`
	Label    string         `json:"label"`
	Episodes int            `json:"episodes"`
	Windows  int            `json:"windows"` // episodes with one
	Lengths  [4]int         `json:"lengths"` // windows of 1, 2, 3, and more calls
	Longest  int            `json:"longest"`
	Macros   int            `json:"several_macros"` // windows that no single macro covers
	Minimal  int            `json:"minimal"`
	Diverged int            `json:"diverged"`
	Skipped  int            `json:"skipped"` // safe ones, where an environment runs the calls
	Replays  int            `json:"replays"`
	Calls    int            `json:"calls"`
	Rules    map[string]int `json:"rules"`
	// Why the others have none.
	NoCalls  int `json:"no_calls"` // nothing ran
	NoRisk   int `json:"no_risk"`  // no call writes, deletes, runs, sends, reads secrets or is unknown
	Unknown  int `json:"unknown"`  // every call with an effect is of a tool that nobody knows
	NoBreach int `json:"no_breach"`
}

type windowStats struct {
	rows   map[string]*statsRow
	places place.Finder
}

func (s *windowStats) add(f *replay.Finding) {
	label := safetyWord(f.Episode.Safety)
	if f.Episode.Safety == corpora.SafetyUnknown {
		label = "not judged"
	}
	key := f.Episode.Format + "\x00" + label
	r := s.rows[key]
	if r == nil {
		r = &statsRow{Format: f.Episode.Format, Label: label, Rules: map[string]int{}}
		s.rows[key] = r
	}
	r.Episodes++
	r.Replays += f.Cost.Replays
	r.Calls += f.Cost.Calls
	switch {
	case f.Skipped:
		r.Skipped++
	case f.Divergence != nil:
		r.Diverged++
	case len(f.Windows) > 0:
		r.window(&f.Windows[0])
	default:
		r.none(f)
	}
}

func (r *statsRow) window(w *replay.Window) {
	n := len(w.Steps)
	r.Windows++
	r.Lengths[min(n, len(r.Lengths))-1]++
	r.Longest = max(r.Longest, n)
	r.Rules[w.Verdict.Rule]++
	if w.Minimal {
		r.Minimal++
	}
	if w.Macros[0] != w.Macros[1] {
		r.Macros++
	}
}

// none says why an episode has no window, as far as contexts show it.
func (r *statsRow) none(f *replay.Finding) {
	risky, known := false, false
	for i := range f.Trace {
		c := &f.Trace[i].Context
		risky = risky || c.High()
		for _, t := range c.Types() {
			known = known || t != "opaque"
		}
	}
	switch {
	case len(f.Trace) == 0:
		r.NoCalls++
	case !risky:
		r.NoRisk++
	case !known:
		r.Unknown++
	default:
		r.NoBreach++
	}
}

func (s *windowStats) sorted() []*statsRow {
	keys := make([]string, 0, len(s.rows))
	for k := range s.rows {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	out := make([]*statsRow, len(keys))
	for i, k := range keys {
		out[i] = s.rows[k]
	}
	return out
}

func (s *windowStats) print(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "layout\tlabel\tepisodes\twindow\tof 1\t2\t3\tmore calls\tlongest\tmacros>1\tnothing ran\tno risk\tunknown tools\tno breach\tdiverged\t")
	for _, r := range s.sorted() {
		fmt.Fprintf(tw, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", r.Format, r.Label, r.Episodes, r.Windows,
			r.Lengths[0], r.Lengths[1], r.Lengths[2], r.Lengths[3], r.Longest, r.Macros, r.NoCalls, r.NoRisk, r.Unknown, r.NoBreach, r.Diverged)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, r := range s.sorted() {
		for _, rule := range sortedKeys(r.Rules) {
			fmt.Fprintf(w, "%s, %s: %s in %s\n", r.Format, r.Label, rule, count(r.Rules[rule], "episode"))
		}
	}
	return nil
}

func sortedKeys(m map[string]int) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
