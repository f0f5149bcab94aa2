package evolve

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/evolve/localise"
	"github.com/gbt-policy/gbt/internal/evolve/retrieve"
	"github.com/gbt-policy/gbt/tree"
)

// Diagnosis says where a failed run that the policy covered went wrong: the place at
// which successes like it chose otherwise, and ended better (requirement S2).
type Diagnosis struct {
	Run     string     `json:"run"` // digest of the episode
	Family  string     `json:"family"`
	Step    int        `json:"step"`            // of its macros, from 1
	After   string     `json:"after"`           // v*: action before it
	Took    string     `json:"took"`            // what it did
	Instead string     `json:"instead"`         // what they did
	Gain    tree.Milli `json:"gain"`            // in thousandths of success
	Paths   int        `json:"paths"`           // successes like it that did otherwise there
	Model   string     `json:"model,omitempty"` // digest of the model that says so; the localiser if empty
	Offered bool       `json:"offered"`         // the policy offers that already: its counts are what is repaired
}

// library is the successes that a failed run is compared with: the leaves of the
// sealed tree, and new runs.
type library struct {
	b     *base
	index *retrieve.Index
	paths [][]int32 // states of the sealed tree; localise.None where it has none
}

// newLibrary makes the successes ready for search: R of 003 §F.2 of them are looked
// at for each failed run.
func newLibrary(b *base, runs []*Run) (*library, error) {
	l := &library{b: b}
	docs := retrieve.Leaves(&b.policy.Tree)
	for i := range b.policy.Tree.Leaves {
		l.paths = append(l.paths, localise.PathTo(&b.policy.Tree, b.policy.Tree.Leaves[i].Node))
	}
	for _, r := range runs {
		if r.Success {
			path := r.states(b)
			l.paths = append(l.paths, path)
			docs = append(docs, retrieve.OfPath(&b.policy.Tree, "run/"+r.id(), known(path), []tree.Vec{r.Vec}))
		}
	}
	var err error
	l.index, err = retrieve.New(docs)
	return l, err
}

// states are the states of a run's macros in the sealed tree.
func (r *Run) states(b *base) []int32 {
	out := make([]int32, len(r.Steps))
	for i := range r.Steps {
		out[i] = b.state(r.Family, r.Key(i))
	}
	return out
}

// state is the state of an action in a family, localise.None if it has none.
func (b *base) state(family int32, action string) int32 {
	if s, ok := b.view.FindState(family, action); ok && !b.view.States[s].Generic {
		return s
	}
	return localise.None
}

func known(path []int32) []int32 {
	return slices.DeleteFunc(slices.Clone(path), func(s int32) bool { return s == localise.None })
}

// near are the paths most like a run, seen from its family: a macro that it has too
// is its own.
func (l *library) near(r *Run) ([][]int32, error) {
	mine := known(r.states(l.b))
	doc := retrieve.OfPath(&l.b.policy.Tree, "", mine, nil)
	hits, err := l.index.Near(retrieve.Query{Text: doc.Text, Names: doc.Names, Vec: r.Vec}, retrieve.Limit)
	if err != nil {
		return nil, err
	}
	out := make([][]int32, 0, len(hits))
	for _, h := range hits {
		path := slices.Clone(l.paths[h.Doc])
		for i, s := range path {
			if s == localise.None {
				continue
			}
			if own := l.b.state(r.Family, l.b.view.States[s].Action()); own != localise.None {
				path[i] = own
			}
		}
		out = append(out, path)
	}
	return out, nil
}

// repairs finds where each failed covered run went wrong, and makes an edit of what
// the successes did instead where the policy does not offer it (S2, S3). have are
// names of edits that there are already.
func repairs(ctx context.Context, b *base, runs []*Run, have map[string]bool, opt *Options) ([]*Edit, []Diagnosis, []Dropped, error) {
	var failed []*Run
	for _, r := range runs {
		if r.Covered && !r.Success {
			failed = append(failed, r)
		}
	}
	if len(failed) == 0 {
		return nil, nil, nil, ctx.Err()
	}
	l, err := newLibrary(b, runs)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("index of successes: %w", err)
	}
	defer l.index.Close() // in memory: nothing is lost
	all := make([]diagnosed, len(failed))
	spread(len(failed), opt.Workers, func(i int) {
		if ctx.Err() == nil {
			all[i] = l.diagnose(failed[i])
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, nil, nil, err
	}
	var edits []*Edit
	var found []Diagnosis
	for i := range all {
		x := &all[i]
		if x.err != nil {
			return nil, nil, nil, x.err
		}
		if !x.ok {
			continue
		}
		found = append(found, x.Diagnosis)
		if e := l.repair(failed[i], &x.Diagnosis, x.to); e != nil && !have[e.name()] {
			have[e.name()] = true
			edits = append(edits, e)
		}
	}
	more, also, dropped, err := l.second(failed, have, opt.consult)
	return append(edits, more...), append(found, also...), dropped, err
}

// diagnosed is the answer about one run.
type diagnosed struct {
	Diagnosis
	to  int32 // state that the successes went to
	ok  bool
	err error
}

// diagnose localises the fault of one run.
func (l *library) diagnose(r *Run) diagnosed {
	paths, err := l.near(r)
	if err != nil {
		return diagnosed{err: err}
	}
	v := l.b.view
	f, ok := localise.Find(localise.Steps(v.Tree, v.Families[r.Family].Start, r.states(l.b)), paths, localise.Options{})
	if !ok {
		return diagnosed{}
	}
	step := &r.Steps[f.At]
	instead := v.States[f.To].Action()
	return diagnosed{to: f.To, ok: true, Diagnosis: Diagnosis{
		Run: r.id(), Family: v.Families[r.Family].Name, Step: f.At + 1, After: v.States[step.From].Action(), Took: r.Key(f.At), Instead: instead,
		Gain: f.Gain, Paths: f.Paths,
		Offered: slices.ContainsFunc(step.Choices, func(s int32) bool { return !v.States[s].Generic && v.States[s].Action() == instead }),
	}}
}

// repair imports what the successes did instead: the family's own macro if it has
// it, else one that mirrors the other family's (requirement S3). It has no evidence
// of its own yet; runs to come will give it some.
func (l *library) repair(r *Run, d *Diagnosis, to int32) *Edit {
	v := l.b.view
	if d.Offered || strings.HasPrefix(d.Instead, "*") {
		return nil
	}
	donor := &v.States[to]
	e := &Edit{
		Family: d.Family, At: d.After, To: d.Instead, family: r.Family, Evidence: Evidence{Count: tree.Count{Failure: 1}, Runs: []string{r.id()}},
		Why: fmt.Sprintf("a covered run failed; at its step %d %d successes like it did this, with a rate better by .%03d", d.Step, d.Paths, d.Gain),
	}
	if donor.Family == r.Family {
		if g := (&gathered{base: l.b, index: r.Family}); g.find(d.After) == nil || g.edge(d.After, d.Instead) {
			return nil
		}
		e.Kind = Successor
		e.change = &counts{Family: r.Family, Steps: map[string]map[string]tree.Count{d.After: {d.Instead: {}}}}
		return e
	}
	e.Kind = Child
	e.change = &child{Family: r.Family, State: mirror(donor, r.Family), In: map[string]tree.Count{d.After: {}}}
	return e
}

// mirror is a state with the description, signature and risk of another family's.
func mirror(donor *tree.State, family int32) tree.State {
	s := *donor
	s.Family, s.Key, s.Next, s.Count = family, donor.Action(), nil, tree.Count{}
	s.Pre.After = nil // states of the other family
	return s
}
