package learn

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/segment"
)

func found(e *corpora.Episode, vs ...Violation) *Case {
	path := segment.Segment(e, segment.Default)
	return Extract(e, &path, e.ID, TaskDigest(e), &gates.Checker{}, vs...)
}

// twoSends is an attacked run that also does what its task asked for.
func twoSends(i int) *corpora.Episode {
	e := mailEpisode(i, true)
	honest := e.Steps[1]
	honest.Args = fmt.Sprintf(`{"recipients":["friend%d@home.example"],"body":"words of run %d"}`, i, i)
	e.Steps = []corpora.Step{e.Steps[0], honest, e.Steps[1]}
	return e
}

// TestWindowsAndContrast holds who is believed: a verdict on the call itself
// always, a call that a monitor found only as far as contrast agrees or has
// nothing to say.
func TestWindowsAndContrast(t *testing.T) {
	located := func(step int) Violation {
		return Violation{Step: step, From: 0, Macros: []string{"a", "b"}, Rule: "destination", Basis: "located", Arg: "recipients.0"}
	}
	sure := located(1)
	sure.Sure, sure.Basis = true, "specified"
	for _, tt := range []struct {
		name   string
		unsafe int // attacked runs; with one alone contrast blames nothing
		vs     []Violation
		want   []string // step and basis of the first attacked run's positives
	}{
		{"contrast alone", 6, nil, []string{"2 contrast"}},
		{"a window that contrast confirms", 6, []Violation{located(2)}, []string{"2 located"}},
		{"a window of an honest call", 6, []Violation{located(1)}, []string{"2 contrast"}},
		{"both", 6, []Violation{located(1), located(2)}, []string{"2 located"}},
		{"nothing to contrast with: the first", 1, []Violation{located(1), located(2)}, []string{"1 located"}},
		{"the user's own monitors", 6, []Violation{sure, located(2)}, []string{"1 specified", "2 located"}},
		{"neither", 1, nil, nil},
	} {
		cases := mailCases(20, 0)
		for i := range tt.unsafe {
			cases = append(cases, found(twoSends(i), tt.vs...))
		}
		ps, lost := Blame(cases)
		var got []string
		for _, p := range ps {
			if p.Case != 20 {
				continue
			}
			got = append(got, fmt.Sprint(p.Step, " ", p.Basis))
			row := cases[p.Case].UnsafeRow(&p)
			want := contexts.Evidence{Episode: cases[20].Episode, Task: cases[20].Task, Group: "mail", From: p.From, To: p.Step, Rule: p.Rule, Detail: p.Detail, Basis: p.Basis}
			if row.Label != contexts.Unsafe || row.Evidence[0] != want {
				t.Errorf("%s: evidence %+v, want %+v", tt.name, row.Evidence[0], want)
			}
			if p.Basis != "contrast" && (p.From != 0 || p.Rule != "destination" || !slices.Equal(p.Macros, []string{"a", "b"}) || !slices.Equal(p.Traits, []string{"recipients"})) {
				t.Errorf("%s: positive %+v", tt.name, p)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, tt.want) || (lost > 0) != (len(tt.want) == 0) {
			t.Errorf("%s: positives %v, %d lost, want %v", tt.name, got, lost, tt.want)
		}
	}
}

// TestSpecifiedIsUnsafe: with a verdict of the user's monitors a run that nobody
// judged, or that succeeded, is unsafe, also for a call that is not high-risk.
func TestSpecifiedIsUnsafe(t *testing.T) {
	e := mailEpisode(1, false)
	c := found(e, Violation{Step: 0, Rule: "no-reading", Basis: "specified", Sure: true})
	ps, _ := Blame([]*Case{c})
	if c.Standing != StandingUnsafe || c.Rule != "no-reading" || len(ps) != 1 || c.Samples[ps[0].Sample].Context.ToolName() != "read_inbox" {
		t.Errorf("standing %v, rule %q, positives %+v", c.Standing, c.Rule, ps)
	}
	if c := found(e, Violation{Step: 1, Rule: "r", Basis: "located"}); c.Standing != StandingBenign {
		t.Error("a monitor that nobody chose makes a good run unsafe")
	}
}

// TestSpread holds requirement W2: a node gate is asked at every macro of the
// windows it comes from, but not where benign runs make such calls.
func TestSpread(t *testing.T) {
	at := func(args, macro string, i int) Example {
		c := gates.NewContext(gates.Request{Tool: "drop_table", Args: []byte(args)}, gates.State{UID: -1, GID: -1})
		return Example{Context: &c, ID: fmt.Sprint(macro, i), Macro: macro, Tasks: []string{fmt.Sprint("task", i)}, Runs: 1}
	}
	ex := &Examples{}
	for i := range 8 {
		e := at(`{"where":"x"}`, "m", i)
		e.Window = []string{"busy", "before", "m"}
		ex.Unsafe = append(ex.Unsafe, e)
	}
	for i := range 200 {
		ex.Benign = append(ex.Benign, at(`{"name":"y"}`, "m", i), at(`{"where":"x"}`, "busy", i), at(`{"name":"y"}`, "before", i))
	}
	r := Learn(ex, Options{EpsNode: 0.05, Extra: []Proposal{{Scope: ScopeNode, Macro: "m", Expr: `!ctx.args.exists(a, a.path == "where")`}}})
	if len(r.Gates) != 1 {
		t.Fatalf("%d gates, want one: %+v", len(r.Gates), r.Review)
	}
	g := &r.Gates[0]
	if !slices.Equal(g.Macros, []string{"before", "m"}) || g.Benign != 200 || g.Rejected != 0 || len(g.Stops) != 8 || g.Disposition != Reject {
		t.Errorf("asked at %v; %d of %d benign, stops %d, %s", g.Macros, g.Rejected, g.Benign, len(g.Stops), g.Disposition)
	}
}

// TestJoined: a gate that was learned at two macros is one gate at both.
func TestJoined(t *testing.T) {
	text, _, err := lang.Compile(`ctx.tool != "x"`)
	if err != nil {
		t.Fatal(err)
	}
	gate := func(macro string, stops ...string) Gate {
		past := map[string]bool{"t": true, "of " + macro: true}
		return Gate{Proposal: Proposal{Scope: ScopeNode, Macro: macro, Expr: text}, ID: "1", Macros: []string{macro}, Stops: stops, Unsafe: len(stops), past: past, hit: map[string]bool{"t": true}}
	}
	got := joined([]Gate{gate("a", "p"), gate("b", "q", "r"), {ID: "2"}})
	if len(got) != 2 || !slices.Equal(got[0].Macros, []string{"a", "b"}) || got[0].Unsafe != 3 || got[0].Benign != 3 || got[0].Rejected != 1 {
		t.Errorf("%+v", got)
	}
}
