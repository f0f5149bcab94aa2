package evolve

import (
	"cmp"
	"slices"
)

// Change is one verdict of the traverser that the accepted edits change, at one step
// of a judging run.
type Change struct {
	Run    string `json:"run"` // digest of the episode
	Family string `json:"family"`
	Step   int    `json:"step"`  // of the run's macros, from 1
	After  string `json:"after"` // action of the macro before it
	Took   string `json:"took"`  // what the run did there, and succeeded with
	Was    Answer `json:"was"`
	Is     Answer `json:"is"`
	Judged string `json:"judged"` // how its run was judged: Live or OnRecord
	Better bool   `json:"better"`
	Worse  bool   `json:"worse"`
}

// Answer is what a policy made of a step.
type Answer struct {
	Offered bool   `json:"offered"` // the run's macro is among what it offers
	Chose   string `json:"chose"`   // by what the agent proposed; "" for nothing
	Verdict string `json:"verdict"`
}

func (s *step) answer() Answer {
	return Answer{Offered: s.offered, Chose: s.said, Verdict: s.verdict.String()}
}

// worth orders answers: naming what the run did is best, naming something else while
// it is not offered is worst.
func (s *step) worth() int {
	n := 0
	tally1(&n, s.offered)
	tally1(&n, s.right())
	tally1(&n, s.right())
	return n
}

// Count counts the changes for the better and for the worse; some are neither.
func Count(list []Change) (better, worse int) {
	for i := range list {
		tally1(&better, list[i].Better)
		tally1(&worse, list[i].Worse)
	}
	return better, worse
}

// changes lists the verdicts that differ between two replays of the court's runs.
func (c *court) changes(after []*replayed) []Change {
	var out []Change
	for i, f := range c.runs {
		for k := range c.before[i].steps {
			was := &c.before[i].steps[k]
			if after[i] == nil || k >= len(after[i].steps) {
				break
			}
			is := &after[i].steps[k]
			if was.answer() == is.answer() {
				continue
			}
			out = append(out, Change{
				Run: idOf(f.Trace), Family: c.b.view.Families[c.family[i]].Name, Step: k + 1, After: was.before, Took: was.took,
				Was: was.answer(), Is: is.answer(), Better: is.worth() > was.worth(), Worse: is.worth() < was.worth(),
			})
		}
	}
	return out
}

func sortChanges(list []Change) {
	slices.SortFunc(list, func(a, b Change) int { return cmp.Or(cmp.Compare(a.Run, b.Run), cmp.Compare(a.Step, b.Step)) })
}
