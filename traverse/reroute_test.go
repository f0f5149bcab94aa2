package traverse

import (
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/tree"
)

// drifting is a world in which a run of fix comes to look like fetch, with a
// gate at fix's edits.
func drifting(edit func(p *tree.Params)) world {
	w := gated()
	w.edit = func(p *artifacts.Policy) {
		drift(p)
		p.Params.RouteTemperature, p.Params.RouteAbstain = 20, 550
		if edit != nil {
			edit(&p.Params)
		}
	}
	return w
}

// after runs macros, and says after how many proposals the run was re-rooted, 0
// for never.
func after(t *testing.T, w world, keys ...string) (int, *Session) {
	t.Helper()
	s := w.open(t).Start(Task{Text: fixTask}, env)
	if st := s.Status(); st.Family != "fix" {
		t.Fatalf("routed to %q, open %q", st.Family, st.Open)
	}
	for i, k := range keys {
		if m := do(t, s, k); m.Step.Rerooted != "" {
			return i + 1, s
		}
	}
	return 0, s
}

// TestRerootEvery holds m: the router is asked after every m macros (R2).
func TestRerootEvery(t *testing.T) {
	for _, m := range []int32{1, 2, 3, 5} {
		at, s := after(t, drifting(func(p *tree.Params) { p.RouteEvery = m }), "view", "edit", "test", "view", "edit", "run", "test")
		if at != int(m)+1 {
			t.Fatalf("every %d: re-rooted at proposal %d", m, at)
		}
		st := s.Status()
		if st.Family != "fetch" || st.Covered || m < 5 && st.Lost != "re-rooted" || st.Stats.Reroots != 1 {
			t.Errorf("every %d: %+v", m, st)
		}
	}
}

// TestRerootAtItsBounds sets the lead and the share that a new family needs to
// exactly what it has, and one thousandth above (R2).
func TestRerootAtItsBounds(t *testing.T) {
	keys := []string{"view", "edit", "test"}
	_, probe := after(t, drifting(func(p *tree.Params) { p.RouteEvery = 50 }), keys...)
	shares := probe.shares(probe.visits)
	lead, share := shares[0]-shares[1], shares[0]
	if lead < 1 || share < 500 || share > 999 {
		t.Fatalf("shares %v: nothing to set a bound to", shares)
	}
	tests := []struct {
		name  string
		edit  func(p *tree.Params)
		moves bool
	}{
		{"a lead at the bound", func(p *tree.Params) { p.RouteSwitch = lead }, true},
		{"a lead below it", func(p *tree.Params) { p.RouteSwitch = lead + 1 }, false},
		{"a share at the bound", func(p *tree.Params) { p.RouteAbstain = share }, true},
		{"a share below it", func(p *tree.Params) { p.RouteAbstain = share + 1 }, false},
	}
	for _, tt := range tests {
		s := drifting(tt.edit).open(t).Start(Task{Text: fixTask}, env)
		s.steer.startAt(s.p, 1) // whatever the router says at first
		s.guard.startAt(s.p, 1)
		for _, k := range keys {
			do(t, s, k)
		}
		if m := s.Propose(Proposal{Text: "go on"}); (m.Step.Rerooted != "") != tt.moves {
			t.Errorf("%s: re-rooted %q", tt.name, m.Step.Rerooted)
		}
	}
}

// TestRerootKeepsGates moves the anchor and nothing else, and never back.
func TestRerootKeepsGates(t *testing.T) {
	at, s := after(t, drifting(nil), "view", "edit", "test", "view")
	if at != 4 {
		t.Fatalf("re-rooted at %d", at)
	}
	run := Call{Tool: "bash", Args: []byte(`{"command":"python a.py > /workspace/secret/out"}`)}
	if a := s.Check(run); a.Disposition != gates.Rejected {
		t.Errorf("the gate of the family that was left: %s", a.Disposition)
	}
	for _, k := range []string{"net", "make", "net", "make", "net"} {
		if m := do(t, s, k); m.Step.Rerooted != "" {
			t.Errorf("re-rooted again, to %s", m.Step.Rerooted)
		}
	}
}

// TestTheFirstCallSettlesTheFamily chooses the likeliest of the families that
// begin with the call, wherever it stands among them.
func TestTheFirstCallSettlesTheFamily(t *testing.T) {
	w := repair()
	w.families = map[string][]string{"fetch": {"view net", "make net", "proc make"}, "fix": {"view edit", "view test", "view run"}}
	w.edit = func(p *artifacts.Policy) {
		p.Params.RouteAbstain, p.Params.RouteKeep, p.Params.RouteTemperature = 1000, 1, 500
	}
	s := w.open(t).Start(Task{Text: fixTask}, env)
	if st := s.Status(); len(st.Open) != 2 {
		t.Fatalf("open: %q", st.Open)
	}
	do(t, s, "view")
	if st := s.Status(); st.Family != "fix" || !st.Covered {
		t.Errorf("settled in %q", st.Family)
	}
	s = w.open(t).Start(Task{Text: fixTask}, env)
	do(t, s, "proc") // only the other family begins so
	if st := s.Status(); st.Family != "fetch" || !st.Covered {
		t.Errorf("settled in %q", st.Family)
	}
}
