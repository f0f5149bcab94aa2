package traverse

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gbt-policy/gbt/gates"
)

// TestPrecedence: of what says at one time that a run is over, the user's interrupt
// comes first, then the pack's halt, then the limits of the task; and there is one stop.
func TestPrecedence(t *testing.T) {
	p := repair().open(t)
	for _, tt := range []struct {
		name       string
		interrupt  bool
		steps, max int64
		want       string
	}{
		{"nothing", false, 3, 10, ""},
		{"a limit", false, 3, 3, "max-steps"},
		{"a halt", false, 50, 1e9, "pack:budget-steps"},
		{"a halt and a limit", false, 50, 3, "pack:budget-steps"},
		{"an interrupt, a halt and a limit", true, 50, 3, "interrupted"},
		{"an interrupt", true, 0, 10, "interrupted"},
	} {
		s := p.Start(Task{Text: fixTask, Limits: Limits{Steps: tt.max}}, env)
		s.steps = tt.steps
		if tt.interrupt {
			s.Interrupt()
		}
		m := s.Propose(Proposal{Tool: "bash", Args: calls["view"].Args})
		if got := s.Status().Stopped; got != tt.want || (m.Verdict == Stall) != (tt.want != "") {
			t.Errorf("%s: %q %s, want %q", tt.name, got, m.Verdict, tt.want)
		}
		if a := s.Check(calls["view"]); (a.Disposition == gates.Rejected) != (tt.want != "") {
			t.Errorf("%s: %s", tt.name, a.Disposition)
		}
		s.Interrupt()
		if got := s.Status().Stopped; tt.want != "" && got != tt.want {
			t.Errorf("%s: then %q", tt.name, got)
		}
	}
}

// TestNothingMovesThePack: whatever a host sets and tells, no run gets past the pack's
// bounds, and only the pack gives its reasons.
func TestNothingMovesThePack(t *testing.T) {
	p := repair().open(t)
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.Int64()
		t.Setenv("GBT_PACK_STEPS", rapid.StringMatching(`[0-9]{1,9}`).Draw(r, "environment"))
		limits := Limits{WallSeconds: n.Draw(r, "wall"), Steps: n.Draw(r, "steps"), Plateau: n.Draw(r, "plateau"), Target: n.Draw(r, "target")}
		task := Task{ID: rapid.String().Draw(r, "id"), Text: rapid.SampledFrom([]string{fixTask, fetchTask, "pack: budget-steps 1000000"}).Draw(r, "text"), Limits: limits, Shadow: rapid.Bool().Draw(r, "shadow")}
		s := p.Start(task, env)
		for i := range 60 {
			used := Usage{Seconds: rapid.Int64Range(-5, 40).Draw(r, "s") * int64(i), Tokens: rapid.Int64Range(-5, 50_000).Draw(r, "n") * int64(i)}
			c := calls[rapid.SampledFrom([]string{"view", "edit", "test"}).Draw(r, "call")]
			over := s.steps >= 50 || s.used.Seconds > 1800 || s.used.Tokens > 2_000_000
			was := s.stopped
			if rapid.Bool().Draw(r, "propose") {
				s.Propose(Proposal{Tool: c.Tool, Args: c.Args, Used: used})
			} else {
				c.Used = used
				if a := s.Check(c); a.Allowed() && (s.used.Seconds > 1800 || s.used.Tokens > 2_000_000) {
					r.Fatalf("a call is allowed after %+v", s.used)
				}
				s.Observe(c, Result{})
			}
			if s.steps > 50 {
				r.Fatalf("%d steps", s.steps)
			}
			reached := over || s.used.Seconds > 1800 || s.used.Tokens > 2_000_000
			if strings.HasPrefix(s.stopped, gates.PackPrefix) && was == "" && !reached {
				r.Fatalf("%s at %d steps and %+v", s.stopped, s.steps, s.used)
			}
		}
	})
}

// TestArms: each arm writes what it is made of and nothing else (Z6), and the governance
// pack stops all of them.
func TestArms(t *testing.T) {
	art := repair().policy(t)
	bad := shell("rm -rf /etc")
	for _, tt := range []struct {
		arm              Arm
		blocked, recover bool
	}{{Full, true, true}, {GatingOnly, true, false}, {RecoveryOnly, false, true}, {Raw, false, false}, {Arm(9), true, true}} {
		p, err := New(art, Options{Digest: "world", Arm: tt.arm})
		if err != nil {
			t.Fatal(err)
		}
		s := p.Start(Task{Text: fixTask}, env)
		do(t, s, "view")
		for range 4 { // a gate loop, and a plan loop where no gate is asked
			s.Propose(Proposal{Text: "read the source file"})
			a := s.Check(bad)
			if a.Allowed() == tt.blocked || (len(a.Reasons) > 0) != tt.blocked || (a.ID != "") != tt.blocked || (a.Retry != nil) != tt.blocked {
				t.Errorf("%s: a call is %s, %v", tt.arm, a.Disposition, a.Reasons)
			}
		}
		st := s.Status()
		if (st.Stats.Blocked > 0) != tt.blocked || (st.Stats.Recoveries > 0) != tt.recover || (st.Stats.Recover > 0) != tt.recover || (tt.arm == Raw) != (st.Stats.Stalls == 0) {
			t.Errorf("%s: %+v", tt.arm, st.Stats)
		}
		if tt.arm == Raw && (st.Stats.Advance+st.Stats.Fragile > 0 || st.Covered) {
			t.Errorf("raw was steered: %+v", st)
		}
		if want := tt.arm.String(); tt.arm == Full || tt.arm == 9 {
			if want != "full" {
				t.Errorf("%d is %s", tt.arm, want)
			}
		} else if st.Arm != want {
			t.Errorf("%s: status says %q", tt.arm, st.Arm)
		}
		s.steps, s.stopped = 50, ""
		if m := s.Propose(Proposal{Text: "one more", Used: Usage{}}); m.Reason != "pack:budget-steps" {
			t.Errorf("%s: past the pack: %s %s", tt.arm, m.Verdict, m.Reason)
		}
		if a := s.Check(calls["view"]); a.Allowed() {
			t.Errorf("%s: a call past the pack is allowed", tt.arm)
		}
	}
	if _, err := ParseArm("none"); err == nil {
		t.Error("an arm of no name")
	}
	for _, a := range []Arm{Full, GatingOnly, RecoveryOnly, Raw} {
		if got, err := ParseArm(a.String()); got != a || err != nil {
			t.Errorf("%s: %v %v", a, got, err)
		}
	}
}
