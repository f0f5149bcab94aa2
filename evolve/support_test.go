package evolve

import (
	"context"
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/tree"
)

// supported is a policy of the runs that come again, with a check at every leaf, a fix and a
// bound. It does not know their tasks.
func supported(t *testing.T) (*distill.Parent, *distill.FreshLogs) {
	t.Helper()
	res, err := distill.Run(context.Background(), exampleLogs("mini-swe-agent"), distill.Options{Config: distill.DefaultConfig(), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	p := res.Policy
	p.TaskDigests = nil
	for i := range p.Tree.Families {
		f := &p.Tree.Families[i]
		f.Proofs = []tree.Proof{{Kind: tree.ProofCall, Subject: "*", Passed: 5, Tasks: 5}}
		f.Fixes = []tree.Fix{{Action: "test", Does: "edit", Worked: 5}, {Action: "test", Does: "nothing", Worked: 5}}
		f.Retries = []tree.Retry{{Action: "test", Most: 1, Tasks: 28, Advice: true}}
	}
	for i := range p.Tree.Leaves {
		p.Tree.Leaves[i].Proofs, p.Tree.Leaves[i].Decides = []int32{0}, false
	}
	fresh := *freshRuns(t)
	fresh.Episodes = slices.Clone(fresh.Episodes)
	for i := range fresh.Episodes {
		fresh.Episodes[i].Trace = mending(fresh.Episodes[i].Trace)
	}
	return &distill.Parent{Policy: p, Digest: testDigest, Contexts: res.Gates.Contexts, Mutations: 50}, &fresh
}

// TestSupport: what new runs say of checks, fixes and bounds is counted where these are, and
// nothing else of them changes.
func TestSupport(t *testing.T) {
	parent, fresh := supported(t)
	res, err := Evolve(context.Background(), parent, fresh, Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := applied(t, res, Support)
	i := slices.IndexFunc(res.Policy.Tree.Families, func(f tree.Family) bool { return f.Name == e.Family })
	was, is := &parent.Policy.Tree.Families[i], &res.Policy.Tree.Families[i]
	if is.Proofs[0].Tasks <= was.Proofs[0].Tasks || is.Proofs[0].Passed > is.Proofs[0].Tasks || is.Proofs[0].String() != was.Proofs[0].String() {
		t.Errorf("check: %+v, was %+v", is.Proofs, was.Proofs)
	}
	if is.Fixes[0].Worked <= was.Fixes[0].Worked || is.Fixes[1] != was.Fixes[1] || len(is.Fixes) != 2 {
		t.Errorf("fixes: %+v, were %+v", is.Fixes, was.Fixes)
	}
	if b := is.Retries[0]; b.Most != 3 || b.Tasks <= 28 || b.Advice {
		t.Errorf("bound: %+v", b)
	}
	if none, err := Evolve(context.Background(), parent, fresh, Options{Except: []string{e.ID}}); err != nil || !none.Changed || none.Policy.Tree.Families[i].Proofs[0] != was.Proofs[0] || none.Policy.Tree.Families[i].Retries[0] != was.Retries[0] {
		t.Errorf("the edit was refused, and counts changed: %v", err)
	}
}

// TestSupportOfKnownTasks: runs of tasks that the policy was made from are no new evidence for
// a check or a fix, but a success among them can need more tries.
func TestSupportOfKnownTasks(t *testing.T) {
	parent, fresh := supported(t)
	p := parent.Policy
	for i := range fresh.Episodes {
		p.TaskDigests = append(slices.Clip(p.TaskDigests), fresh.Episodes[i].Tasks...)
	}
	slices.SortFunc(p.TaskDigests, slices.Compare)
	p.TaskDigests = slices.CompactFunc(p.TaskDigests, slices.Equal)
	res, err := Evolve(context.Background(), parent, fresh, Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := applied(t, res, Support)
	i := slices.IndexFunc(res.Policy.Tree.Families, func(f tree.Family) bool { return f.Name == e.Family })
	f := &res.Policy.Tree.Families[i]
	if f.Proofs[0].Tasks != 5 || f.Fixes[0].Worked != 5 || f.Retries[0] != (tree.Retry{Action: "test", Most: 3, Tasks: 28, Advice: true}) {
		t.Errorf("%+v %+v %+v", f.Proofs, f.Fixes, f.Retries)
	}
}

// mending is a trace whose tests failed three times in a row and were mended.
func mending(t *merge.Trace) *merge.Trace {
	out := *t
	out.Falls = []merge.Fall{
		{Action: "test", Class: "assertion", Row: 1}, {Action: "test", Class: "assertion", Row: 2},
		{Action: "test", Class: "assertion", Row: 3, Again: true, Passed: true, With: []string{"edit"}},
	}
	return &out
}
