package evolve

import (
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/tree"
)

// TestFragileStepsAreWorkedOff: every step that the old policy answers with doubt has
// an edit that was applied, or a reason.
func TestFragileStepsAreWorkedOff(t *testing.T) {
	res := evolve(t, freshRuns(t), Options{Workers: 2})
	steps, sure := 0, 0
	for _, f := range res.Fragile {
		steps, sure = steps+f.Steps, sure+f.Sure
		if (len(f.Edits) == 0) == (f.Why == "") || f.Cause == "" || f.Steps == 0 || f.Good > f.Steps || f.Sure > f.Steps {
			t.Errorf("%+v", f)
		}
		for _, id := range f.Edits {
			if !slices.ContainsFunc(res.Edits, func(e Judged) bool { return e.ID == id && e.Applied }) {
				t.Errorf("edit %s was not applied", id)
			}
		}
	}
	if steps == 0 || sure == 0 {
		t.Errorf("%d fragile steps, %d sure now: the test shows nothing", steps, sure)
	}
	none := evolve(t, freshRuns(t), Options{Only: []string{}})
	for _, f := range none.Fragile {
		if len(f.Edits) > 0 || f.Sure > 0 || f.Why == "" {
			t.Errorf("no edit was asked for: %+v", f)
		}
	}
}

func TestFragileReasons(t *testing.T) {
	step := func(from, to string) change {
		return &counts{Steps: map[string]map[string]tree.Count{from: {to: {}}}}
	}
	judged := func(id string, applied bool, reason string, c change) Judged {
		return Judged{Edit: Edit{ID: id, Kind: Successor, Family: "f", change: c}, Applied: applied, Judgement: Judgement{Reason: reason}}
	}
	for _, c := range []struct {
		name  string
		f     Fragile
		edits []Judged
		ids   []string
		why   string
	}{
		{"an edit of its step", Fragile{Good: 1}, []Judged{judged("1", true, "", step("a", "b"))}, []string{"1"}, ""},
		{"of the parts of its states", Fragile{Good: 1}, []Judged{judged("1", true, "", step("a|x", "b|a"))}, []string{"1"}, ""},
		{"of other steps", Fragile{Good: 1}, []Judged{judged("1", true, "", step("b", "a"))}, nil, "the runs that took it speak for no edit"},
		{"refused", Fragile{Good: 1}, []Judged{judged("1", false, "worse", step("a", "b"))}, nil, "successor 1: worse"},
		{"one refused, one applied", Fragile{Good: 1}, []Judged{judged("1", false, "worse", step("a", "b")), judged("2", true, "", &child{State: tree.State{Key: "b"}})}, []string{"2"}, ""},
		{"its words", Fragile{Good: 1}, []Judged{judged("1", true, "", &words{States: map[string]spoken{"b": {}}})}, []string{"1"}, ""},
		{"a split where it begins", Fragile{Good: 1}, []Judged{judged("1", true, "", &split{Action: "a", Before: "x"})}, []string{"1"}, ""},
		{"only failures", Fragile{}, nil, nil, "only runs that failed took it: nothing shows that it is right there"},
	} {
		c.f.Family, c.f.After, c.f.Took = "f", "a", "b"
		c.f.resolve(c.edits)
		if !slices.Equal(c.f.Edits, c.ids) || c.f.Why != c.why {
			t.Errorf("%s: %q, %q", c.name, c.f.Edits, c.f.Why)
		}
	}
}

// TestOnlyHomelessGates: where all that was accepted are gates that no node can have,
// the policy stays the old one, and so do its contexts.
func TestOnlyHomelessGates(t *testing.T) {
	p := gated(t, "edit")
	out := &Result{Policy: p.Policy, Contexts: p.Contexts, Edits: []Judged{
		{Edit: Edit{ID: "1", Kind: Gate, To: "nowhere", change: gate{"nowhere"}}, Applied: true, Judgement: Judgement{Accepted: true}}}}
	g := &distill.Gates{Contexts: &contexts.Corpus{}}
	if err := out.seal(t.Context(), newBase(p.Policy), p, &distill.FreshLogs{}, g, &Options{}); err != nil {
		t.Fatal(err)
	}
	if out.Changed || out.Policy != p.Policy || out.Contexts != p.Contexts || out.Edits[0].Applied || out.Edits[0].Judgement.Reason == "" {
		t.Errorf("changed %v, %+v", out.Changed, out.Edits[0])
	}
}
