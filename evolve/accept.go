package evolve

import (
	"context"
	"fmt"
	"slices"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
)

// Judgement is what replay says of an edit (requirement S6), on the recorded
// successes of other tasks that pass through its place: in how many the policy offers
// every step that was taken there, and how many of these steps the traverser chooses
// by what the agent proposed; and how many of those that it offered before.
type Judgement struct {
	Accepted   bool   `json:"accepted"`
	Reason     string `json:"reason,omitempty"` // why not
	Runs       int    `json:"runs"`             // judging successes that pass through v*
	Before     int    `json:"held_before"`      // of them, those whose every step there the policy offered
	After      int    `json:"held_after"`
	Steps      int    `json:"steps"` // of these runs, there
	Named      int    `json:"named_before"`
	NamedAfter int    `json:"named_after"`
	Old        int    `json:"old_steps"` // of the steps, those that the policy offered before
	OldNamed   int    `json:"old_named_before"`
	OldAfter   int    `json:"old_named_after"`
	Live       int    `json:"live_worse,omitempty"`  // runs that end worse with the edit in the environment
	Cases      int    `json:"suite_cases,omitempty"` // of the suite that fail with the edit and pass without
}

// add sums the judgements of both halves.
func (j *Judgement) add(o Judgement) {
	j.Runs += o.Runs
	j.Before += o.Before
	j.After += o.After
	j.Steps += o.Steps
	j.Named += o.Named
	j.NamedAfter += o.NamedAfter
	j.Old += o.Old
	j.OldNamed += o.OldNamed
	j.OldAfter += o.OldAfter
}

// worse says in a sentence how the edit degrades the successes, or nothing. 003 §F.4
// allows .02 of them.
func (j *Judgement) worse(tolerance float64) string {
	for _, x := range []struct {
		what              string
		of, before, after int
	}{{"successes of other tasks are offered every step there", j.Runs, j.Before, j.After},
		{"steps there are chosen as the successes of other tasks took them", j.Steps, j.Named, j.NamedAfter}} {
		if lost := float64(x.before - x.after); lost > tolerance*float64(x.of) {
			return fmt.Sprintf("%d of %d %s, %d were before", x.after, x.of, x.what, x.before)
		}
	}
	return ""
}

// court judges edits that came from one half of the runs on the other half.
type court struct {
	ctx       context.Context // ends the replays
	b         *base
	runs      []*distill.Fresh // successes of the judging half, sorted
	family    []int32
	before    []*replayed
	workers   int
	tolerance float64
}

// newCourt judges by the successes among some runs, all of which were replayed under
// the sealed policy.
func newCourt(ctx context.Context, b *base, runs []*Run, opt *Options) *court {
	c := &court{ctx: ctx, b: b, workers: max(opt.Workers, 1), tolerance: opt.tolerance()}
	for _, r := range runs {
		if r.Success {
			c.runs = append(c.runs, r.fresh)
			c.family = append(c.family, r.Family)
			c.before = append(c.before, r.was)
		}
	}
	return c
}

// replay plays those of the court's runs that are asked for; nil for the others.
func (c *court) replay(p *artifacts.Policy, which []bool) ([]*replayed, error) {
	return playSome(c.ctx, p, c.b.enc, c.runs, which, c.workers)
}

// through says which steps of a run stand at the place of an edit.
func (e *Edit) through(family int32, s *step) bool {
	if family != e.family {
		return false
	}
	switch e.Kind {
	case Statistics:
		return s.before == e.At || s.took == e.At
	case Successor, Child:
		return s.before == e.At
	case Split:
		return s.before == e.At && s.prior == e.after
	}
	return true
}

// held is a run at the place of an edit.
type held struct {
	steps, offered, named int
	old, oldNamed         int // of the steps that were offered before
}

// hold judges a run at the steps of an edit; was is the same run before.
func (r *replayed) hold(e *Edit, family int32, was *replayed) held {
	var h held
	for i := range r.steps {
		s := &r.steps[i]
		if !e.through(family, s) {
			continue
		}
		h.steps++
		tally1(&h.offered, s.offered)
		tally1(&h.named, s.right())
		if i < len(was.steps) && was.steps[i].offered {
			h.old++
			tally1(&h.oldNamed, s.right())
		}
	}
	return h
}

// passes says whether a run has a step at the place of an edit.
func (r *replayed) passes(e *Edit, family int32) bool {
	return slices.ContainsFunc(r.steps, func(s step) bool { return e.through(family, &s) })
}

// judge compares the runs at an edit's place before and after.
func (c *court) judge(e *Edit, after []*replayed) Judgement {
	j := Judgement{}
	for i := range c.runs {
		if after[i] == nil {
			continue
		}
		was := c.before[i].hold(e, c.family[i], c.before[i])
		if was.steps == 0 {
			continue
		}
		is := after[i].hold(e, c.family[i], c.before[i])
		j.add(Judgement{Runs: 1, Steps: was.steps, Named: was.named, NamedAfter: is.named, Old: was.old, OldNamed: was.oldNamed, OldAfter: is.oldNamed})
		tally1(&j.Before, was.offered == was.steps)
		tally1(&j.After, is.offered == was.steps)
	}
	return j
}

func tally1(n *int, yes bool) {
	if yes {
		*n++
	}
}

// try judges edits together on top of others: all of them stand in the policy that
// the runs are replayed under. The replays are of the runs that pass through one of
// their places.
func (c *court) try(edits, on []*Edit) ([]Judgement, []*replayed, error) {
	p, err := c.b.apply(append(on[:len(on):len(on)], edits...))
	if err != nil {
		return nil, nil, err
	}
	which := make([]bool, len(c.runs))
	for i := range c.runs {
		which[i] = slices.ContainsFunc(edits, func(e *Edit) bool { return c.before[i].passes(e, c.family[i]) })
	}
	after, err := c.replay(p, which)
	if err != nil {
		return nil, nil, err
	}
	out := make([]Judgement, len(edits))
	for i, e := range edits {
		out[i] = c.judge(e, after)
		out[i].Reason = out[i].worse(c.tolerance)
		if (e.Kind == Words || e.Kind == Split) && out[i].Steps == 0 { // all else only adds; these move what is there
			out[i].Reason = "no success of another task stands there to judge it by"
		}
		out[i].Accepted = out[i].Reason == ""
	}
	return out, after, nil
}

// verdicts are what a court says of edits.
type verdicts struct {
	of      map[string]Judgement // by name
	changes []Change             // that the accepted ones make together
}

// decide accepts what replay accepts; everything, if nobody is to test it.
func (c *court) decide(edits []*Edit, opt *Options) (*verdicts, error) {
	if !opt.NoRegression {
		return c.accept(edits)
	}
	out := &verdicts{of: map[string]Judgement{}}
	for _, e := range edits {
		out.of[e.name()] = Judgement{Accepted: true}
	}
	return out, nil
}

// accept finds the edits that degrade no place beyond the tolerance. Those that do,
// all together, are set aside until the rest does not; then they are tried on top of
// it, halved where they fail, for another may have been to blame. In the end all are
// judged as they stand together, and those that fail there are refused.
func (c *court) accept(edits []*Edit) (*verdicts, error) {
	out := &verdicts{of: map[string]Judgement{}}
	on, _, err := c.rest(edits, out)
	if err != nil {
		return nil, err
	}
	aside := slices.DeleteFunc(slices.Clone(edits), func(e *Edit) bool { return slices.Contains(on, e) })
	if on, err = c.split(on, aside, out); err != nil {
		return nil, err
	}
	_, after, err := c.rest(on, out)
	if err == nil && after != nil {
		out.changes = c.changes(after)
	}
	return out, err
}

// rest leaves out edits that fail together with the others, until none does, and
// returns what the runs then come to.
func (c *court) rest(on []*Edit, out *verdicts) ([]*Edit, []*replayed, error) {
	for len(on) > 0 {
		js, after, err := c.try(on, nil)
		if err != nil {
			return nil, nil, err
		}
		out.note(on, js)
		kept := slices.DeleteFunc(slices.Clone(on), func(e *Edit) bool { return !out.of[e.name()].Accepted })
		if len(kept) == len(on) {
			return on, after, nil
		}
		on = kept
	}
	return nil, nil, nil
}

// note keeps what was said of edits.
func (v *verdicts) note(edits []*Edit, js []Judgement) {
	for i, e := range edits {
		v.of[e.name()] = js[i]
	}
}

// split judges edits on top of those accepted before, and returns all accepted.
func (c *court) split(on, edits []*Edit, out *verdicts) ([]*Edit, error) {
	if len(edits) == 0 {
		return on, nil
	}
	js, _, err := c.try(edits, on)
	if err != nil {
		return nil, err
	}
	bad := slices.ContainsFunc(js, func(j Judgement) bool { return !j.Accepted })
	if bad && len(edits) > 1 {
		if on, err = c.split(on, edits[:len(edits)/2], out); err != nil {
			return nil, err
		}
		return c.split(on, edits[len(edits)/2:], out)
	}
	out.note(edits, js)
	if bad {
		return on, nil
	}
	return append(on[:len(on):len(on)], edits...), nil
}
