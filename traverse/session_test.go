package traverse

import (
	"strings"
	"sync"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

var env = Env{Cwd: "/workspace", Roots: []string{"/workspace"}, UID: -1, GID: -1}

// TestSession walks a whole task: routes, proposes, checks, observes, finishes.
func TestSession(t *testing.T) {
	p := repair().open(t)
	s := p.Start(Task{ID: "1", Text: fixTask}, env)
	if st := s.Status(); !st.Routed || st.Family != "fix" || !st.Covered {
		t.Fatalf("not routed to fix: %+v", st)
	}
	for _, key := range []string{"view", "edit", "test"} {
		m := do(t, s, key)
		if m.Verdict != Advance || m.Macro == nil || m.Macro.Key != key || m.Reason != "" {
			t.Fatalf("%s: %+v", key, m.Step)
		}
		if !strings.Contains(m.Brief.Next, words[key][:10]) {
			t.Errorf("%s: the executor is told %q", key, m.Brief.Next)
		}
	}
	st := s.Status()
	if strings.Join(st.Spine, " ") != "view edit test" || !st.Covered || !st.AtLeaf || st.Stats.Unapproved != 0 {
		t.Errorf("status %+v", st)
	}
	if out := s.Finish(); out.Done() || out.End() != Ended || out.Basis != BasisLeaf || !out.Covered {
		t.Errorf("outcome %+v", out)
	}
	if a := s.Check(calls["view"]); a.Disposition != gates.Rejected {
		t.Errorf("a call after the end: %s", a.Disposition)
	}
}

// TestFinishNeedsChecks holds that DONE needs every check executed and passed
// after the last change (H1).
func TestFinishNeedsChecks(t *testing.T) {
	start := func() *Session {
		s := repair().open(t).Start(Task{ID: "1", Text: fixTask, Checks: []Check{{ID: "tests", Text: "pytest -q"}, {ID: "lint", Text: "ruff check ."}}}, env)
		do(t, s, "view")
		do(t, s, "edit")
		return s
	}
	tests := []struct {
		name   string
		do     func(s *Session)
		done   bool
		reason string
	}{
		{"none executed", func(*Session) {}, false, "check-not-executed:tests"},
		{"one executed", func(s *Session) { s.Report("tests", true, nil) }, false, "check-not-executed:lint"},
		{"one failed", func(s *Session) { s.Report("tests", false, nil); s.Report("lint", true, nil) }, false, "check-failed:tests"},
		{"all passed", func(s *Session) { s.Report("tests", true, nil); s.Report("lint", true, nil) }, true, ""},
		{"passed before a change", func(s *Session) { s.Report("tests", true, nil); s.Report("lint", true, nil); do(t, s, "edit") }, false, "check-stale:tests"},
		{"passed before a look", func(s *Session) { s.Report("tests", true, nil); s.Report("lint", true, nil); do(t, s, "view") }, true, ""},
		{"failed after it passed", func(s *Session) {
			s.Report("tests", true, nil)
			s.Report("lint", true, nil)
			s.Report("lint", false, nil)
		}, false, "check-failed:lint"},
	}
	for _, tt := range tests {
		s := start()
		tt.do(s)
		if out := s.Finish(); out.Done() != tt.done || out.Reason != tt.reason || out.Basis != BasisChecks || out.Again == tt.done {
			t.Errorf("%s: %+v", tt.name, out)
		}
	}
	s := start()
	for i, again := range []bool{true, true, false} {
		if out := s.Finish(); out.Done() || out.Again != again {
			t.Errorf("refusal %d: %+v", i+1, out)
		}
	}
	s.Report("tests", true, nil)
	s.Report("lint", true, nil)
	if out := s.Finish(); out.Done() {
		t.Error("done after the run ended as a stall")
	}
}

// TestWhatMakesChecksStale holds what counts as a change after a completion check
// (invariant 4): whatever may have written, seen or not.
func TestWhatMakesChecksStale(t *testing.T) {
	p := repair().open(t)
	ran := func(c Call, r Result) func(s *Session) {
		return func(s *Session) { s.Check(c); s.Observe(c, r) }
	}
	failed := Result{Error: "exit status 1"}
	tests := []struct {
		name string
		do   func(s *Session)
		done bool
	}{
		{"a failed write", ran(shell("echo hi > src/a.py; exit 1"), failed), false},
		{"a failed program", ran(calls["run"], failed), false},
		{"a failed write, and the host saw no change", ran(shell("echo hi > src/a.py; exit 1"), Result{Error: "exit status 1", Deltas: []Delta{}}), false},
		{"a failed read", ran(calls["view"], failed), true},
		{"a failed write that nobody approved", func(s *Session) { s.Observe(shell("echo hi > a.py; exit 1"), failed) }, false},
		{"a write that was approved and never told of", func(s *Session) { s.Check(calls["edit"]) }, false},
		{"a write that was stopped", func(s *Session) { s.Check(shell("rm -rf /etc")) }, true},
		{"a read that was approved and never told of", func(s *Session) { s.Check(calls["view"]) }, true},
		{"a change that no call made", func(s *Session) { s.Changed() }, false},
		{"a read that writes its result to a file", ran(shell("sort -o b.txt a.txt"), Result{}), false},
	}
	for _, tt := range tests {
		for _, killed := range []bool{false, true} {
			s := p.Start(Task{ID: "c", Text: fixTask, Checks: []Check{{ID: "tests", Text: "pytest -q"}}}, env)
			s.Report("tests", true, nil)
			tt.do(s)
			if killed {
				data, err := s.MarshalBinary()
				if err != nil {
					t.Fatal(err)
				}
				if s, err = p.Resume(data); err != nil {
					t.Fatal(err)
				}
			}
			out := s.Finish()
			if out.Done() != tt.done {
				t.Errorf("%s (resumed %v): %+v", tt.name, killed, out)
			}
			if s.Report("tests", true, nil); !tt.done && !func() bool { o := s.Finish(); return o.Done() }() && s.stats.Unapproved == 0 {
				t.Errorf("%s: not done after the check ran again", tt.name)
			}
		}
	}
}

// TestAnApprovalIsForOneRun holds that a call which was asked for twice may still
// run once, and that what ran besides is told.
func TestAnApprovalIsForOneRun(t *testing.T) {
	for checks := range 4 {
		for runs := range 4 {
			s := repair().open(t).Start(Task{Text: fixTask}, env)
			for range checks {
				s.Check(calls["view"])
			}
			for range runs {
				s.Observe(calls["view"], Result{})
			}
			if got, want := s.Status().Stats.Unapproved, int64(max(0, runs-min(1, checks))); got != want {
				t.Errorf("checked %d times, ran %d times: %d unapproved, want %d", checks, runs, got, want)
			}
		}
	}
	s := repair().open(t).Start(Task{Text: fixTask}, env)
	for range 2 {
		s.Check(calls["view"])
		s.Observe(calls["view"], Result{})
	}
	if n := s.Status().Stats.Unapproved; n != 0 {
		t.Errorf("checked before each run: %d unapproved", n)
	}
}

// TestUnrouted abstains, and still guards.
func TestUnrouted(t *testing.T) {
	w := repair()
	e := env
	e.Tools = []string{"a_tool_of_no_family"}
	s := w.open(t).Start(Task{Text: fixTask}, e)
	m := s.Propose(Proposal{Text: "edit the file"})
	if st := s.Status(); st.Routed || st.Covered || st.Lost != "not-routed" || m.Verdict != Explore || m.Reason != "not-routed" {
		t.Errorf("%+v %+v", st, m.Step)
	}
	if a := s.Check(shell("rm -rf /etc")); a.Disposition != gates.Rejected {
		t.Errorf("rm -rf /etc: %s", a.Disposition)
	}
	if out := s.Finish(); out.Done() {
		t.Error("done without a place in the tree")
	}
}

// TestObserveMovesTheEnvironment takes the environment told with Observe for
// what holds after the call: it is the same call that was approved.
func TestObserveMovesTheEnvironment(t *testing.T) {
	s := repair().open(t).Start(Task{Text: fixTask}, env)
	c := shell("cd src")
	if a := s.Check(c); !a.Allowed() {
		t.Fatal(a.Disposition)
	}
	after := env
	after.Cwd = "/workspace/src"
	c.Env = &after
	s.Observe(c, Result{})
	if a := s.Check(shell("touch x")); a.Context.Cwd != "/workspace/src" || s.Status().Stats.Unapproved != 0 {
		t.Errorf("in %s, %d unapproved", a.Context.Cwd, s.Status().Stats.Unapproved)
	}
}

// TestSharedPolicy runs many sessions at once on one policy, each as it would
// run alone.
func TestSharedPolicy(t *testing.T) {
	p := gated().open(t)
	alone := func() string {
		s := p.Start(Task{ID: "x", Text: fixTask}, env)
		for _, k := range []string{"view", "edit", "test", "proc", "net"} {
			do(t, s, k)
		}
		s.Propose(Proposal{Text: "read the source file"})
		data, err := s.MarshalBinary()
		if err != nil {
			return err.Error()
		}
		return string(data)
	}
	want := alone()
	var wg sync.WaitGroup
	got := make([]string, 32)
	for i := range got {
		wg.Go(func() { got[i] = alone() })
	}
	wg.Wait()
	for i, g := range got {
		if g != want {
			t.Fatalf("session %d differs:\n%s\n%s", i, g, want)
		}
	}
}
