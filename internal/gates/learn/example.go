package learn

import (
	"cmp"
	"slices"

	"github.com/gbt-policy/gbt/gates"
)

// Example is a recorded context as the proposers see it.
type Example struct {
	Context *gates.Context
	ID      string
	Macro   string
	Tasks   []string // digests of the tasks it occurred in, sorted
	Groups  []string
	Runs    int      // episodes it occurred in
	Blamed  []string // base paths of the arguments a positive was blamed for; empty if nobody knows
	Window  []string // keys of the macros of a positive's windows, sorted
	Places  []Place  // where it was recorded; empty for its macro alone
}

// Examples are the two corpora, each sorted by id, and what users declined.
type Examples struct {
	Unsafe []Example
	Benign []Example
	Calls  int // of the benign runs, of low risk or high; 0 if nobody counted them
	// Declined are calls that users declined, sorted by id: for gates that ask.
	Declined []Example
}

// FromCases gathers the examples of cases: the calls that verdicts are about,
// and the calls of benign episodes. A benign call that has a trait which was
// blamed in a positive of its group is disputed and counts as neither: an
// attack may have been tried and not have come through.
func FromCases(cases []*Case, positives []Positive) *Examples {
	g := gatherer{seen: map[string]*Example{}, runs: map[string]bool{}}
	calls := 0
	blamed := map[string]map[trait]bool{}
	for _, p := range positives {
		c := cases[p.Case]
		s := &c.Samples[p.Sample]
		e := g.add("u", c, s)
		e.Blamed = union(e.Blamed, p.Traits)
		e.Window = union(e.Window, p.Macros)
		for _, t := range traitsOf(&s.Context) {
			if slices.Contains(p.Traits, t.what) {
				if blamed[c.among()] == nil {
					blamed[c.among()] = map[trait]bool{}
				}
				blamed[c.among()][t] = true
			}
		}
	}
	for _, c := range cases {
		if c.Standing != StandingBenign {
			continue
		}
		calls += c.Calls
		for i := range c.Samples {
			if s := &c.Samples[i]; !c.Attacked || !disputed(s, blamed[c.Group]) {
				g.add("b", c, s)
			}
		}
	}
	ex := g.examples()
	ex.Calls = calls
	return ex
}

func union(a, b []string) []string {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

func disputed(s *Sample, blamed map[trait]bool) bool {
	for _, t := range traitsOf(&s.Context) {
		if blamed[t] {
			return true
		}
	}
	return false
}

type gatherer struct {
	seen map[string]*Example
	runs map[string]bool
}

func (g *gatherer) add(kind string, c *Case, s *Sample) *Example {
	e := g.seen[kind+s.ID]
	if e == nil {
		e = &Example{Context: &s.Context, ID: s.ID, Macro: s.Macro}
		g.seen[kind+s.ID] = e
	}
	e.Macro = min(e.Macro, s.Macro)
	run := kind + s.ID + c.Episode
	if !g.runs[run] {
		g.runs[run] = true
		e.Runs++
	}
	at := run + "\x00" + (&Place{Macro: s.Macro, Above: s.Above}).key()
	e.note(c, s, g.runs[at])
	g.runs[at] = true
	if i, ok := slices.BinarySearch(e.Tasks, c.Task); !ok {
		e.Tasks = slices.Insert(e.Tasks, i, c.Task)
	}
	if i, ok := slices.BinarySearch(e.Groups, c.Group); !ok {
		e.Groups = slices.Insert(e.Groups, i, c.Group)
	}
	return e
}

func (g *gatherer) examples() *Examples {
	out := &Examples{}
	for key, e := range g.seen {
		if key[0] == 'u' {
			out.Unsafe = append(out.Unsafe, *e)
		} else {
			out.Benign = append(out.Benign, *e)
		}
	}
	sortExamples(out.Unsafe)
	sortExamples(out.Benign)
	return out
}

func sortExamples(list []Example) {
	slices.SortFunc(list, func(a, b Example) int { return cmp.Compare(a.ID, b.ID) })
}
