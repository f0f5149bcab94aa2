package traverse

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
)

// conditioned is the repair world in which successful runs read a file before they edited it,
// and tested after that.
func conditioned(change func(list []gates.Condition)) world {
	w := repair()
	list := []gates.Condition{
		{Act: "edit", Arg: gates.FileArg, Needs: []gates.Need{{How: gates.HowSame, Act: "view", Arg: gates.FileArg}}, Tasks: 40, Held: 40},
		{End: true, Act: "edit", Needs: []gates.Need{{How: gates.HowDid, Act: "test"}}, Tasks: 40, Held: 40},
	}
	if change != nil {
		change(list)
	}
	w.edit = func(p *artifacts.Policy) { p.Guardrail.Conditions = list }
	return w
}

// TestConditionNeedsAnObservedResult: an approval, a failure and a blocked call establish
// nothing (V1); what is missing is named, with the macro that establishes it (V2).
func TestConditionNeedsAnObservedResult(t *testing.T) {
	edit, view := calls["edit"], calls["view"]
	for _, c := range []struct {
		name   string
		before func(s *Session)
		passes bool
	}{
		{"nothing", func(*Session) {}, false},
		{"approved", func(s *Session) { s.Check(view) }, false},
		{"blocked", func(s *Session) { s.Check(view); s.Observe(view, Result{Blocked: true}) }, false},
		{"failed", func(s *Session) { s.Check(view); s.Observe(view, Result{Error: "no such file"}) }, false},
		{"another file", func(s *Session) { s.Check(shell("cat b.py")); s.Observe(shell("cat b.py"), Result{}) }, false},
		{"observed", func(s *Session) { s.Check(view); s.Observe(view, Result{}) }, true},
	} {
		s := conditioned(nil).open(t).Start(Task{Text: fixTask}, env)
		c.before(s)
		a := s.Check(edit)
		if a.Allowed() != c.passes {
			t.Errorf("%s: %s %v", c.name, a.Disposition, a.Reasons)
		}
		if !c.passes && (a.Disposition != gates.RevisionRequired || len(a.Missing) != 1 || a.Reasons[0].Rule != "condition/missing" || !strings.Contains(a.Retry.Feedback, "read a file")) {
			t.Errorf("%s: %s %+v %+v", c.name, a.Disposition, a.Reasons, a.Retry)
		}
	}
}

// TestConditionRetries: feedback becomes more directive, names the macro of the tree, and
// when the retries have run out the call does not proceed (V6).
func TestConditionRetries(t *testing.T) {
	s := conditioned(nil).open(t).Start(Task{Text: fixTask}, env)
	s.Propose(Proposal{Text: "fix it"})
	var said []string
	for left := maxRetries; left >= 0; left-- {
		said = append(said, try(t, s, calls["edit"], left).Retry.Feedback)
	}
	if strings.Contains(said[0], words["view"]) || !strings.Contains(said[1], words["view"]) || !strings.Contains(said[2], "Do exactly this now, and nothing else: "+words["view"]) || !strings.Contains(said[3], "No retry is left") {
		t.Errorf("feedback: %q", said)
	}
	if a := s.Check(calls["view"]); !a.Allowed() {
		t.Errorf("what establishes the fact was stopped: %v", a.Reasons)
	}
	s.Observe(calls["view"], Result{})
	if a := s.Check(calls["edit"]); a.Allowed() {
		t.Error("no retry was left in this step")
	}
	s.Propose(Proposal{Text: "edit the function"})
	if a := s.Check(calls["edit"]); !a.Allowed() {
		t.Errorf("in the next step: %s %v", a.Disposition, a.Reasons)
	}
}

// TestConditionAdvice: advice is in the brief of its macro until it holds, and stops nothing.
func TestConditionAdvice(t *testing.T) {
	w := conditioned(func(list []gates.Condition) {
		list[0] = gates.Condition{Act: "edit", Needs: []gates.Need{{How: gates.HowDid, Act: "search"}}, Advice: true, Tasks: 9, Held: 9}
	})
	p := w.open(t)
	s := p.Start(Task{Text: fixTask}, env)
	do(t, s, "view")
	m := s.Propose(Proposal{Tool: calls["edit"].Tool, Args: calls["edit"].Args})
	if len(m.Brief.Advice) != 1 || !strings.Contains(m.Brief.String(), "successful runs always had:\n- a call to search files") {
		t.Fatalf("%+v\n%s", m, m.Brief.String())
	}
	if a := s.Check(calls["edit"]); !a.Allowed() || len(a.Missing) > 0 {
		t.Errorf("advice stopped a call: %s %v", a.Disposition, a.Reasons)
	}
	s = p.Start(Task{Text: fixTask}, env)
	do(t, s, "search")
	do(t, s, "view")
	if m := s.Propose(Proposal{Tool: calls["edit"].Tool, Args: calls["edit"].Args}); len(m.Brief.Advice) > 0 {
		t.Errorf("it holds already: %v", m.Brief.Advice)
	}
}

// TestEndNeedsItsFacts: an end without what successful runs had after their last edit is
// refused three times, each time more directively, and then is a stall (V5, V6).
func TestEndNeedsItsFacts(t *testing.T) {
	p := conditioned(nil).open(t)
	start := func(keys ...string) *Session {
		s := p.Start(Task{Text: fixTask, Checks: []Check{{ID: "c", Text: "pytest"}}, Shadow: false}, env)
		s.uncovered, s.stopped = nil, "" // the audit of the plan is not what is tested
		for _, k := range keys {
			do(t, s, k)
		}
		s.Report("c", true, nil)
		return s
	}
	if out := start("view", "edit", "test").Finish(); !out.Done() || out.Feedback != "" {
		t.Errorf("tested: %v %+v", out.End(), out)
	}
	if out := start("view").Finish(); !out.Done() {
		t.Errorf("nothing was edited: %v %+v", out.End(), out)
	}
	s := start("view", "test", "edit")
	var said []string
	for i := range maxRefusals {
		out := s.Finish()
		if out.Done() || out.End() != Stalled || out.Reason != "postcondition-missing:edit" || out.Again != (i < maxRefusals-1) {
			t.Fatalf("claim %d: %v %+v", i, out.End(), out)
		}
		said = append(said, out.Feedback)
	}
	if !strings.Contains(said[0], "a call to run the tests") || !strings.Contains(said[1], "nothing else: "+words["test"]) || !strings.Contains(said[2], "No retry is left") {
		t.Errorf("feedback: %q", said)
	}
	s = start("view", "edit")
	s.Finish()
	do(t, s, "test")
	s.Report("c", true, nil)
	if out := s.Finish(); !out.Done() {
		t.Errorf("tested after a refusal: %v %+v", out.End(), out)
	}
}

// TestFactsSurviveResume, and a shadow session and an arm without gates stop nothing.
func TestFactsSurviveResume(t *testing.T) {
	p := conditioned(nil).open(t)
	s := p.Start(Task{Text: fixTask}, env)
	do(t, s, "view")
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	back, err := p.Resume(data)
	if err != nil {
		t.Fatal(err)
	}
	if a := back.Check(calls["edit"]); !a.Allowed() {
		t.Errorf("%s %v", a.Disposition, a.Reasons)
	}
	s = p.Start(Task{Text: fixTask, Shadow: true}, env)
	if a := s.Check(calls["edit"]); !a.Allowed() || a.Would != gates.RevisionRequired {
		t.Errorf("in a shadow: %s, would %s", a.Disposition, a.Would)
	}
	s.Observe(calls["edit"], Result{})
	if len(s.owed()) > 0 {
		t.Error("a shadow owes")
	}
}
