package traverse

import (
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/tree"
)

// knowing is the usual world with fixes and bounds for tests that fail.
func knowing(most uint32, advice bool) world {
	w := repair()
	w.edit = func(p *artifacts.Policy) {
		f := &p.Tree.Families[1]
		f.Fixes = []tree.Fix{
			{Action: "test", Class: "", Does: "view", Worked: 5, Failed: 2}, {Action: "test", Class: "assertion", Does: "edit", Worked: 9, Failed: 1},
			{Action: "test", Class: "assertion", Does: "test", Worked: 5, Failed: 4},
		}
		f.Retries = []tree.Retry{{Action: "test", Most: most, Tasks: 40, Advice: advice}}
	}
	return w
}

// failing proposes, checks and observes a call that fails.
func failing(t *testing.T, s *Session, key, fault, output string) (Move, Answer) {
	t.Helper()
	c := calls[key]
	m := s.Propose(Proposal{Tool: c.Tool, Args: c.Args})
	a := s.Check(c)
	s.Observe(c, Result{Blocked: !a.Allowed(), Error: fault, Output: []byte(output)})
	return m, a
}

func does(s *Session) (out []string) {
	for _, k := range s.KnownFixes() {
		out = append(out, k.Does)
	}
	return out
}

// TestKnownFixes: a call that failed is answered with what successful runs did then, by how it
// failed, until it ends well.
func TestKnownFixes(t *testing.T) {
	s := knowing(9, false).open(t).Start(Task{Text: fixTask}, env)
	do(t, s, "view")
	if got := does(s); got != nil {
		t.Errorf("nothing failed: %v", got)
	}
	failing(t, s, "test", "exit status 1", "1 failed")
	if got := does(s); !slices.Equal(got, []string{"edit", "test"}) {
		t.Errorf("tests failed: %v", got)
	}
	s = again(t, s)
	m := do(t, s, "edit")
	if text := m.Brief.String(); !strings.Contains(text, "helped in 9 of 10 tasks") || strings.Index(text, "9 of 10") > strings.Index(text, "5 of 9") {
		t.Errorf("the brief says\n%s", text)
	}
	failing(t, s, "test", "exit status 7", "")
	if got := does(s); !slices.Equal(got, []string{"view"}) {
		t.Errorf("tests failed in a way that no fix is known for: %v", got)
	}
	do(t, s, "test")
	if got := does(s); got != nil {
		t.Errorf("tests passed: %v", got)
	}
	if m := do(t, s, "view"); strings.Contains(m.Brief.String(), "helped") {
		t.Errorf("the brief still says\n%s", m.Brief.String())
	}
}

// TestKnownFixRefuted: a fix that later runs speak against is named no more.
func TestKnownFixRefuted(t *testing.T) {
	for failed, want := range map[uint32]int{8: 1, 9: 0} {
		w := knowing(9, false)
		before := w.edit
		w.edit = func(p *artifacts.Policy) {
			before(p)
			p.Tree.Families[1].Fixes = []tree.Fix{{Action: "test", Does: "edit", Worked: 9, Failed: failed}}
		}
		s := w.open(t).Start(Task{Text: fixTask}, env)
		do(t, s, "view")
		failing(t, s, "test", "exit status 1", "1 failed")
		if got := does(s); len(got) != want {
			t.Errorf("worked in 9 tasks, failed in %d: %v", failed, got)
		}
	}
}

// TestKnownFixesNowhere: a policy that does not claim a task has nothing to say of it.
func TestKnownFixesNowhere(t *testing.T) {
	s := knowing(1, false).open(t).Start(Task{Text: fetchTask}, env)
	do(t, s, "net")
	failing(t, s, "test", "exit status 1", "1 failed")
	if got := does(s); got != nil || s.SpentOn() != "" {
		t.Errorf("another family: %v, spent %q", got, s.SpentOn())
	}
	s = knowing(1, false).open(t).Start(Task{Text: fixTask}, env)
	do(t, s, "view")
	s.falls = []fall{{Action: "test", Class: "assertion", Row: 2}}
	if does(s) == nil || s.SpentOn() == "" {
		t.Fatal("it has nothing to say of its own family")
	}
	if s.routed = false; does(s) != nil || s.SpentOn() != "" {
		t.Error("a run that is not claimed")
	}
}

// TestRetryUnproposed: where nobody proposes, nobody would be told of another way, and no call
// is stopped.
func TestRetryUnproposed(t *testing.T) {
	s := knowing(1, false).open(t).Start(Task{Text: fixTask}, env)
	for range 5 {
		if a := s.Check(calls["test"]); !a.Allowed() {
			t.Fatalf("%v", a.Reasons)
		}
		s.Observe(calls["test"], Result{Error: "exit status 1"})
	}
}

// TestCheckNamesFix: a completion check that failed names what is known, and counts as no try.
func TestCheckNamesFix(t *testing.T) {
	exit := 1
	s := knowing(1, false).open(t).Start(Task{Text: fixTask, Checks: []Check{{ID: "c", Text: "pytest -q"}}}, env)
	s.uncovered, s.stopped = nil, "" // the audit of the plan is not what is tried here
	do(t, s, "view")
	do(t, s, "edit")
	for range 2 {
		s.Report("c", false, &Evidence{Exit: &exit, Head: "1 failed"})
		if out := s.Finish(); !out.Again || !strings.Contains(out.Feedback, "helped in 9 of 10") {
			t.Fatalf("%+v", out)
		}
	}
	if s.SpentOn() != "" {
		t.Error("claims count as tries")
	}
	s.Report("c", false, &Evidence{Exit: &exit})
	if out := s.Finish(); out.Again || out.Feedback != "" || !strings.HasPrefix(s.Status().Stopped, "stall:check-failed:c") {
		t.Errorf("the last claim: %+v %s", out, s.Status().Stopped)
	}
}

// TestRetryBound: with one failure more than any successful run had, the run takes a way of
// recovery, and the second time it ends; one below the bound it goes on.
func TestRetryBound(t *testing.T) {
	s := knowing(2, false).open(t).Start(Task{Text: fixTask}, env)
	do(t, s, "view")
	round := func(key string) Move {
		m, _ := failing(t, s, key, "exit status 1", "1 failed")
		do(t, s, "edit")
		return m
	}
	round("test")
	round("test")
	if s.SpentOn() != "" {
		t.Fatal("spent at the bound")
	}
	failing(t, s, "test", "exit status 1", "1 failed")
	if s.SpentOn() != "test" {
		t.Fatal("not spent one beyond the bound")
	}
	s = again(t, s)
	if a := s.Check(calls["test"]); a.Disposition != gates.Rejected || a.Retry == nil || !strings.Contains(a.Retry.Feedback, "3 times in a row") {
		t.Errorf("the call goes round again: %v", a.Disposition)
	}
	if a := s.Check(calls["view"]); !a.Allowed() {
		t.Errorf("another call: %v %v", a.Disposition, a.Reasons)
	}
	m := s.Propose(Proposal{Tool: "bash", Args: calls["test"].Args})
	if m.Verdict != Recover || m.Reason != "retries-exhausted:test" {
		t.Fatalf("%v %s", m.Verdict, m.Reason)
	}
	s = again(t, s)
	for range 20 {
		if m = s.Propose(Proposal{Tool: "bash", Args: calls["test"].Args}); m.Verdict == Stall {
			break
		}
		if a := s.Check(calls["test"]); a.Allowed() {
			s.Observe(calls["test"], Result{Error: "exit status 1"})
		}
		s.Check(calls["edit"])
		s.Observe(calls["edit"], Result{})
	}
	if !strings.HasPrefix(s.Status().Stopped, "stall:") {
		t.Errorf("the run goes on: %s", s.Status().Stopped)
	}
}

// TestRetryBoundEnds: where a way of recovery was taken before, or the arm has none, the run is
// a stall with the reason.
func TestRetryBoundEnds(t *testing.T) {
	s := knowing(1, false).open(t).Start(Task{Text: fixTask}, env)
	do(t, s, "view")
	s.falls = []fall{{Action: "test", Class: "exit 1", Row: 2, Over: true}}
	stalls(t, s)
	p, err := New(knowing(1, false).policy(t), Options{Arm: GatingOnly})
	if err != nil {
		t.Fatal(err)
	}
	s = p.Start(Task{Text: fixTask}, env)
	do(t, s, "view")
	s.falls = []fall{{Action: "test", Class: "exit 1", Row: 2}}
	stalls(t, s)
}

func stalls(t *testing.T, s *Session) {
	t.Helper()
	if m := s.Propose(Proposal{Tool: "bash", Args: calls["edit"].Args}); m.Verdict != Stall || m.Reason != "retries-exhausted:test" || s.Status().Stopped != "stall:retries-exhausted:test" {
		t.Errorf("%v %s %s", m.Verdict, m.Reason, s.Status().Stopped)
	}
}

// TestRetryAdvice: a bound that was seen in too few tasks is said, and ends nothing.
func TestRetryAdvice(t *testing.T) {
	s := knowing(1, true).open(t).Start(Task{Text: fixTask}, env)
	do(t, s, "view")
	for range 4 {
		if _, a := failing(t, s, "test", "exit status 1", "1 failed"); !a.Allowed() {
			t.Fatalf("%v", a.Reasons)
		}
		if m := do(t, s, "edit"); m.Verdict == Stall || strings.HasPrefix(m.Reason, reasonSpent) {
			t.Fatalf("%v %s", m.Verdict, m.Reason)
		} else if len(m.Brief.Fixes) == 0 || !strings.Contains(m.Brief.Fixes[len(m.Brief.Fixes)-1], "no successful run tried more than 1 times") {
			t.Errorf("the brief has %q", m.Brief.Fixes)
		}
	}
	if s.SpentOn() != "" {
		t.Error("advice ends runs")
	}
}

// TestRetryShadow: a shadow session is told and stops nothing.
func TestRetryShadow(t *testing.T) {
	s := knowing(1, false).open(t).Start(Task{Text: fixTask, Shadow: true}, env)
	do(t, s, "view")
	for range 5 {
		if _, a := failing(t, s, "test", "exit status 1", "1 failed"); !a.Allowed() {
			t.Fatalf("%v", a.Reasons)
		}
	}
	if st := s.Status(); st.Stopped != "" {
		t.Errorf("stopped: %s", st.Stopped)
	}
}
