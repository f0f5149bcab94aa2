package evolve

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/traverse"
)

// Fragile is a step that the old policy answers with doubt, which queues it for
// inspection (requirement P1: matched below the upper threshold, or by a generic
// child alone). New runs that took it shed light on it; this is what came of that.
type Fragile struct {
	Family string   `json:"family"`
	After  string   `json:"after"`         // action before it
	Took   string   `json:"took"`          // action that the runs took
	Cause  string   `json:"cause"`         // of the doubt, in the traverser's words
	Steps  int      `json:"steps"`         // of new runs, answered so
	Good   int      `json:"succeeded"`     // of them, those of successes
	Sure   int      `json:"sure"`          // of them all, those that the successor answers with what was taken, and no doubt
	Edits  []string `json:"edits"`         // applied to the step
	Why    string   `json:"why,omitempty"` // there is none
}

// queue is the fragile steps of some runs, by their causes and places.
type queue map[[4]string]*Fragile

// workOff goes through the fragile steps of the new runs: each gets the edits that
// were applied to it, or the reason why there is none. Most frequent steps come first.
func (out *Result) workOff(ctx context.Context, b *base, runs []*Run, opt *Options) ([]Fragile, error) {
	var doubtful []*Run
	for _, r := range runs {
		if slices.ContainsFunc(r.was.steps, func(s step) bool { return s.doubted() }) {
			doubtful = append(doubtful, r)
		}
	}
	after, err := replayAll(ctx, out.Policy, b.enc, doubtful, opt.Workers)
	if err != nil {
		return nil, err
	}
	q := queue{}
	for i, r := range doubtful {
		for k := range r.was.steps {
			if s := &r.was.steps[k]; s.doubted() {
				f := q.at(b.view.Families[r.Family].Name, s)
				f.Steps++
				tally1(&f.Good, r.Success)
				tally1(&f.Sure, k < len(after[i].steps) && after[i].steps[k].sure())
			}
		}
	}
	list := make([]Fragile, 0, len(q))
	for _, f := range slices.SortedFunc(maps.Values(q), func(a, b *Fragile) int {
		return cmp.Or(cmp.Compare(b.Steps, a.Steps), compare(a.Family, b.Family, a.After, b.After, a.Took, b.Took, a.Cause, b.Cause))
	}) {
		f.resolve(out.Edits)
		list = append(list, *f)
	}
	return list, nil
}

// doubted says that the traverser answered with a fragile advance.
func (s *step) doubted() bool { return s.heard && s.verdict == traverse.Fragile }

// sure says that it answered without doubt, and with what was taken.
func (s *step) sure() bool { return s.heard && s.verdict == traverse.Advance && s.right() }

// at is the entry of a step.
func (q queue) at(family string, s *step) *Fragile {
	key := [4]string{family, s.before, s.took, s.reason}
	if q[key] == nil {
		q[key] = &Fragile{Family: family, After: s.before, Took: s.took, Cause: s.reason, Edits: []string{}}
	}
	return q[key]
}

// resolve finds what was done about a step.
func (f *Fragile) resolve(edits []Judged) {
	for i := range edits {
		e := &edits[i]
		switch {
		case !f.concerns(&e.Edit):
		case e.Applied:
			f.Edits = append(f.Edits, e.ID)
		default:
			f.Why = cmp.Or(f.Why, string(e.Kind)+" "+e.ID+": "+e.Judgement.Reason)
		}
	}
	switch {
	case len(f.Edits) > 0:
		f.Why = ""
	case f.Why != "":
	case f.Good == 0:
		f.Why = "only runs that failed took it: nothing shows that it is right there"
	default:
		f.Why = "the runs that took it speak for no edit"
	}
}

// concerns says whether an edit changes how a step is matched: its counts, its being
// there, what its state hears, or a state of its own for what came before.
func (f *Fragile) concerns(e *Edit) bool {
	if e.Family != f.Family {
		return false
	}
	switch c := e.change.(type) {
	case *counts:
		for from, next := range c.Steps {
			for to := range next {
				if actionOf(from) == f.After && actionOf(to) == f.Took {
					return true
				}
			}
		}
	case *child:
		return c.State.Key == f.Took
	case *words:
		_, ok := c.States[f.Took]
		return ok
	case *split:
		return c.Action == f.After || c.Action == f.Took && c.Before == f.After
	}
	return false
}

// actionOf is the action of a state's key (tree.SplitKey).
func actionOf(key string) string {
	action, _, _ := strings.Cut(key, "|")
	return action
}
