package evolve

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
)

func evolve(t *testing.T, f *distill.FreshLogs, opt Options) *Result {
	t.Helper()
	res, err := Evolve(context.Background(), sealedPolicy(t), f, opt)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func encoded(t *testing.T, p *artifacts.Policy) []byte {
	t.Helper()
	data, err := artifacts.Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// applied is the first edit of a kind that was applied.
func applied(t *testing.T, res *Result, kind Kind) *Judged {
	t.Helper()
	for i := range res.Edits {
		if e := &res.Edits[i]; e.Kind == kind && e.Applied {
			return e
		}
	}
	t.Fatalf("no edit %s among %d was applied", kind, len(res.Edits))
	return nil
}

func TestEvolveExamples(t *testing.T) {
	f := freshRuns(t)
	res := evolve(t, f, Options{Workers: 2})
	old := sealedPolicy(t).Policy
	if !res.Changed || res.Succession.Audit.Readmitted != 0 || res.Succession.Audit.Recorded() == 0 {
		t.Fatalf("changed %v, audit %+v", res.Changed, res.Succession)
	}
	if res.Policy.Sequence != old.Sequence+1 || res.Policy.Parent != testDigest {
		t.Errorf("number %d after %s", res.Policy.Sequence, res.Policy.Parent)
	}
	for _, kind := range []Kind{Statistics, Successor, Child, Words, Paths, Exemplars} {
		if e := applied(t, res, kind); e.Evidence.Success == 0 || e.Judgement.After < e.Judgement.Before {
			t.Errorf("%+v", e)
		}
	}
	if len(res.Changes) == 0 {
		t.Error("no verdict changed")
	}
	if better, worse := Count(res.Changes); better <= worse {
		t.Errorf("%d verdicts better, %d worse", better, worse)
	}
	if len(res.Policy.Tree.Nodes) <= len(old.Tree.Nodes) || len(res.Policy.Tree.Leaves) <= len(old.Tree.Leaves) {
		t.Error("no place was added")
	}
	_ = encoded(t, res.Policy) // which checks it
}

func TestSameBytes(t *testing.T) {
	f := freshRuns(t)
	before := encoded(t, sealedPolicy(t).Policy)
	one := encoded(t, evolve(t, f, Options{Workers: 1}).Policy)
	if two := encoded(t, evolve(t, f, Options{Workers: 3}).Policy); !bytes.Equal(one, two) {
		t.Error("other bytes from the same runs with more workers")
	}
	if !bytes.Equal(before, encoded(t, sealedPolicy(t).Policy)) {
		t.Error("evolving changed the old policy")
	}
}

func TestRefusedEditsLeaveNothing(t *testing.T) {
	f := freshRuns(t)
	all := evolve(t, f, Options{})
	var ids []string
	for i := range all.Edits {
		ids = append(ids, all.Edits[i].ID)
	}
	none := evolve(t, f, Options{Except: ids})
	if none.Changed || !bytes.Equal(encoded(t, none.Policy), encoded(t, sealedPolicy(t).Policy)) {
		t.Error("all edits refused, and other bytes")
	}
	one := applied(t, all, Successor).ID
	only := evolve(t, f, Options{Only: []string{one}})
	rest := evolve(t, f, Options{Except: slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == one })})
	if !only.Changed || !bytes.Equal(encoded(t, only.Policy), encoded(t, rest.Policy)) {
		t.Error("an edit alone is not the same as all others refused")
	}
	var unknown *ErrUnknownEdit
	if _, err := Evolve(context.Background(), sealedPolicy(t), f, Options{Only: []string{"nope"}}); !errors.As(err, &unknown) {
		t.Errorf("an unknown edit: %v", err)
	}
}

// asked counts how often a context is asked whether it ended, and ends it after some.
type asked struct {
	context.Context
	n, last atomic.Int64
}

// Err implements context.Context.
func (a *asked) Err() error {
	if n := a.n.Add(1); a.last.Load() > 0 && n > a.last.Load() {
		return context.Canceled
	}
	return nil
}

// TestInterrupted: whoever interrupts evolving at any stage waits for one replay of
// one run at most, and gets no policy.
func TestInterrupted(t *testing.T) {
	f := &distill.FreshLogs{Episodes: freshRuns(t).Episodes[:12]}
	whole := &asked{Context: context.Background()}
	if _, err := Evolve(whole, sealedPolicy(t), f, Options{}); err != nil {
		t.Fatal(err)
	}
	all := whole.n.Load()
	if all < int64(2*len(f.Episodes)) {
		t.Errorf("asked %d times in %d runs", all, len(f.Episodes))
	}
	for _, last := range []int64{1, all / 2, all - 1} {
		ctx := &asked{Context: context.Background()}
		ctx.last.Store(last)
		if _, err := Evolve(ctx, sealedPolicy(t), f, Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("ended after %d of %d: %v", last, all, err)
		}
	}
}

// TestProposingIsInterrupted: neither the families nor the failed runs are gone
// through to the end.
func TestProposingIsInterrupted(t *testing.T) {
	p := sealedPolicy(t)
	b := newBase(p.Policy)
	var runs []*Run
	for i := range freshRuns(t).Episodes {
		if r := follow(b.view, &p.Policy.Params, b.enc, &freshRuns(t).Episodes[i]); r.placed(b.view) {
			r.Covered, r.Success = true, i%2 == 0 // so that there are some to repair
			runs = append(runs, r)
		}
	}
	ctx := &asked{Context: context.Background()}
	if _, err := propose(ctx, b, runs, &Options{}); err != nil {
		t.Fatal(err)
	}
	all, failed := ctx.n.Load(), int64(len(runs)/2)
	if all < failed {
		t.Errorf("asked %d times in %d failed runs", all, failed)
	}
	for last := range all {
		ctx := &asked{Context: context.Background()}
		ctx.last.Store(max(last, 1))
		if _, err := propose(ctx, b, runs, &Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("ended after %d of %d: %v", last, all, err)
		}
	}
}

func TestReferenceProfileIsRefused(t *testing.T) {
	p := *sealedPolicy(t)
	old := *p.Policy
	old.Params.Profile = "reference"
	p.Policy = &old
	if _, err := Evolve(context.Background(), &p, &distill.FreshLogs{}, Options{}); !errors.Is(err, ErrProfile) {
		t.Errorf("%v", err)
	}
}

func TestWorse(t *testing.T) {
	for _, c := range []struct {
		name string
		j    Judgement
		bad  bool
	}{
		{"nobody passes", Judgement{}, false},
		{"as before", Judgement{Runs: 10, Before: 5, After: 5, Steps: 10, Named: 3, NamedAfter: 3}, false},
		{"one of ten less", Judgement{Runs: 10, Before: 5, After: 4}, true},
		{"one of fifty less", Judgement{Runs: 50, Before: 5, After: 4}, false},
		{"steered worse", Judgement{Runs: 10, Before: 5, After: 6, Steps: 10, Named: 3, NamedAfter: 2}, true},
		{"one step of sixty less", Judgement{Runs: 10, Before: 5, After: 5, Steps: 60, Named: 3, NamedAfter: 2}, false},
		{"better", Judgement{Runs: 10, Before: 5, After: 9, Steps: 10, Named: 3, NamedAfter: 5}, false},
	} {
		if got := c.j.worse(0.02); (got != "") != c.bad {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// TestOldStepsAreToldApart: of the steps at a place, those that were offered before
// are counted on their own.
func TestOldStepsAreToldApart(t *testing.T) {
	at := func(took, said string, offered bool) step {
		return step{before: "a", took: took, said: said, offered: offered}
	}
	was := &replayed{steps: []step{at("x", "x", true), at("y", "", false), at("z", "y", true)}}
	is := &replayed{steps: []step{at("x", "y", true), at("y", "y", true), at("z", "z", true)}}
	e := &Edit{Kind: Child, At: "a"}
	if got, want := is.hold(e, 0, was), (held{steps: 3, offered: 3, named: 2, old: 2, oldNamed: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := was.hold(e, 0, was), (held{steps: 3, offered: 2, named: 1, old: 2, oldNamed: 1}); got != want {
		t.Errorf("before: %+v, want %+v", got, want)
	}
}

func TestGatesOfUnsafeRuns(t *testing.T) {
	// The policy of runs in which nothing went wrong meets some in which it did.
	res, err := distill.Run(context.Background(), exampleLogs("mini-swe-agent"), distill.Options{Config: distill.DefaultConfig(), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	p := &distill.Parent{Policy: res.Policy, Digest: testDigest, Contexts: res.Gates.Contexts, Mutations: 50}
	opt := distill.Options{Config: distill.DefaultConfig(), Workers: 1}
	f, err := distill.ReadFresh(context.Background(), exampleLogs("langgraph"), p.Policy, opt)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Evolve(context.Background(), p, f, Options{Config: opt.Config})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i := range out.Edits {
		if e := &out.Edits[i]; e.Kind == Gate && e.Applied {
			n++
			if !slices.ContainsFunc(out.Policy.Gates, func(g artifacts.Gate) bool { return g.ID == e.To }) {
				t.Errorf("gate %s is not in the policy", e.To)
			}
			if e.Judgement.Runs == 0 || e.Judgement.After < e.Judgement.Before {
				t.Errorf("%+v", e.Judgement)
			}
		}
	}
	if n == 0 || len(out.Policy.Gates) != len(p.Policy.Gates)+n {
		t.Errorf("%d gates added, %d in the policy, %d before", n, len(out.Policy.Gates), len(p.Policy.Gates))
	}
	if !distill.CheckCorpora(out.Policy, out.Contexts) || out.Contexts.Len(contexts.Unsafe) == 0 {
		t.Error("the contexts of the new runs are not on record with the policy")
	}
	_ = encoded(t, out.Policy)
}
