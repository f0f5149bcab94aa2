package evolve

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
)

// Suite says which cases of a regression suite a policy fails, by their ids, each
// with what came of it in a sentence. only are the cases to run; nil for all.
type Suite func(p *artifacts.Policy, only map[string]bool) (map[string]string, error)

// trial runs a suite on the policy that some edits make.
type trial struct {
	b   *base
	g   *distill.Gates
	run Suite
	was map[string]string // what the parent fails

	what  string  // they have done that are lost, in words
	allow float64 // how many may be
	count func(*Judgement, int)
}

// runSuite refuses edits by the caller's suite.
func (out *Result) runSuite(b *base, g *distill.Gates, opt *Options) error {
	if opt.Suite == nil {
		return nil
	}
	return out.regress(&trial{b: b, g: g, run: opt.Suite, what: "cases of the suite fail with it that pass without",
		count: func(j *Judgement, n int) { j.Cases = n }})
}

// regress refuses the edits under which a case fails that passes under the parent.
func (out *Result) regress(t *trial) error {
	chosen := out.chosen()
	if len(chosen) == 0 {
		return nil
	}
	var err error
	if t.was, err = t.run(t.b.policy, nil); err != nil {
		return err
	}
	for { // what passes with all of them may fail with some, so the rest is run whole again
		lost, err := t.lost(chosen, nil)
		if err != nil || !t.tooMany(lost) {
			return err
		}
		if chosen, err = t.split(nil, chosen, keys(lost)); err != nil {
			return err
		}
	}
}

func (t *trial) tooMany(lost map[string]string) bool { return float64(len(lost)) > t.allow }

// chosen are the edits to be applied.
func (out *Result) chosen() []*Judged {
	var list []*Judged
	for i := range out.Edits {
		if out.Edits[i].Applied {
			list = append(list, &out.Edits[i])
		}
	}
	return list
}

func keys(m map[string]string) map[string]bool {
	out := map[string]bool{}
	for k := range m {
		out[k] = true
	}
	return out
}

// lost are the cases that pass under the parent and fail with some edits.
func (t *trial) lost(edits []*Judged, only map[string]bool) (map[string]string, error) {
	if len(edits) == 0 {
		return nil, nil
	}
	list := make([]*Edit, len(edits))
	for i, e := range edits {
		list[i] = &e.Edit
	}
	p, err := t.b.apply(list)
	if err != nil {
		return nil, err
	}
	if t.g != nil {
		t.g.SealInto(p, wantedGates(list))
	}
	fails, err := t.run(p, only)
	maps.DeleteFunc(fails, func(id, _ string) bool { _, before := t.was[id]; return before })
	return fails, err
}

// split finds the edits to refuse by halving. It returns those that may stay beside
// on, with which no case of only is lost.
func (t *trial) split(on, edits []*Judged, only map[string]bool) ([]*Judged, error) {
	lost, err := t.lost(slices.Concat(on, edits), only)
	if err != nil || !t.tooMany(lost) {
		return slices.Concat(on, edits), err
	}
	if len(edits) == 1 {
		id := slices.Min(slices.Collect(maps.Keys(lost)))
		t.count(&edits[0].Judgement, len(lost))
		edits[0].refuse(fmt.Sprintf("%d %s, of them %s: %s", len(lost), t.what, id, lost[id]))
		return on, nil
	}
	if on, err = t.split(on, edits[:len(edits)/2], only); err != nil {
		return nil, err
	}
	return t.split(on, edits[len(edits)/2:], only)
}

// refuse takes an edit back that was accepted.
func (j *Judged) refuse(why string) {
	j.Applied, j.Judgement.Accepted, j.Judgement.Reason = false, false, why
}

// wantedGates says which gates are among some edits.
func wantedGates(edits []*Edit) func(id string) bool {
	return func(id string) bool {
		return slices.ContainsFunc(edits, func(e *Edit) bool { return e.Kind == Gate && e.To == id })
	}
}
