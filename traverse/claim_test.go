package traverse

import (
	"bytes"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/tree"
)

// bound draws a claim boundary around each family's prototypes.
func bound(p *artifacts.Policy, near tree.Milli) {
	p.Params.RouteNear, p.Params.RouteOffered, p.Params.RouteWords = near, near+500, 300
	for i := range p.Tree.Families {
		f := &p.Tree.Families[i]
		f.Exemplars = nil
		for _, x := range f.Prototypes {
			f.Exemplars = append(f.Exemplars, x.Vec)
		}
	}
}

func bounded() world {
	w := repair()
	w.edit = func(p *artifacts.Policy) { bound(p, 400) }
	return w
}

// farTask is far from what bounded knows.
const farTask = "book two seats on the evening train to the mountains"

// lateBounded is bounded, where first macros may claim any far task.
func lateBounded() world {
	w := bounded()
	edit := w.edit
	w.edit = func(p *artifacts.Policy) {
		edit(p)
		p.Params.RouteLate = 1
	}
	return w
}

func TestClaim(t *testing.T) {
	offered := func(tools ...string) Env {
		e := env
		e.Tools = tools
		return e
	}
	for _, tt := range []struct {
		name, task string
		env        Env
		want       string
	}{
		{"a task as seen", fixTask, env, ""},
		{"no text", "", env, tree.AbstainEmpty},
		{"white space", " \n\t", env, tree.AbstainEmpty},
		{"nonsense", "asdf qwer zxcv", env, tree.AbstainWords},
		{"random letters", "xkq jfh wpz vvb", env, tree.AbstainWords},
		{"another task", "book two seats on the evening train to the mountains", env, tree.AbstainFar},
		{"a task as seen, its tool offered", fixTask, offered("bash", "browse"), ""},
		{"another task, our tool among many", "book two seats on the evening train to the mountains", offered("seats", "trains", "pay"), tree.AbstainFar},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := bounded().open(t).Start(Task{ID: "c", Text: tt.task}, tt.env)
			st := s.Status()
			if st.Abstained != tt.want || st.Routed != (tt.want == "") || st.Covered != (tt.want == "") {
				t.Fatalf("%+v, want %q", st, tt.want)
			}
			if m := s.Propose(Proposal{Text: "read the source file"}); (m.Reason == "not-routed") != (tt.want != "") {
				t.Errorf("proposal answered %v %q", m.Verdict, m.Reason)
			}
		})
	}
}

// A leaf says nothing about a task that the policy does not claim, and the gates
// of a place are asked whether it is claimed or not.
func TestAbstainedRun(t *testing.T) {
	w := bounded()
	w.gated = map[string]string{"edit": `ctx.effects.all(e, e.type != "write")`}
	p := w.open(t)
	known, foreign := p.Start(Task{ID: "k", Text: fixTask}, env), p.Start(Task{ID: "f"}, env)
	for _, s := range []*Session{known, foreign} {
		s.Check(calls["view"])
		s.Observe(calls["view"], Result{})
		if a := s.Check(calls["edit"]); a.Allowed() {
			t.Errorf("task %q: the gate of the place is not asked", s.Task().Text)
		}
	}
	for _, key := range []string{"view", "test"} {
		foreign.Check(calls[key])
		foreign.Observe(calls[key], Result{})
	}
	out := foreign.Finish()
	if out.Done() || out.Covered || out.Reason != "not-routed" {
		t.Errorf("an abstained run finished with %+v", out)
	}
}

func TestFirstSteps(t *testing.T) {
	strange := []Call{{Tool: "seats", Args: []byte(`{"train":"7"}`)}, {Tool: "pay", Args: []byte(`{"sum":3}`)}}
	for _, tt := range []struct {
		name  string
		calls []Call
		want  string
	}{
		{"both known", []Call{calls["view"], calls["edit"]}, ""},
		{"one known", []Call{strange[0], calls["view"], strange[1]}, ""},
		{"one macro is not two", []Call{strange[0], strange[0], calls["view"]}, ""},
		{"both unknown", strange, tree.AbstainSteps},
		{"later ones don't count", []Call{calls["view"], calls["edit"], strange[0], strange[1]}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := bounded().open(t)
			s := p.Start(Task{ID: "s", Text: fixTask}, env)
			for _, c := range tt.calls {
				s.Check(c)
				s.Observe(c, Result{})
			}
			st := s.Status()
			if st.Abstained != tt.want || st.Routed != (tt.want == "") {
				t.Fatalf("%+v, want %q", st, tt.want)
			}
			data, err := s.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			again, err := p.Resume(data)
			if err != nil {
				t.Fatal(err)
			}
			if b, _ := again.MarshalBinary(); !bytes.Equal(b, data) || again.Status().Abstained != tt.want {
				t.Errorf("the stored session reads %+v", again.Status())
			}
		})
	}
}

// TestFirstStepsClaim: a task that is far is steered while its first two macros are
// offered where they stand. It counts as covered, and a leaf as success, after both.
func TestFirstStepsClaim(t *testing.T) {
	other := Call{Tool: "seats", Args: []byte(`{"train":"7"}`)}
	for _, tt := range []struct {
		name    string
		late    tree.Milli
		calls   []Call
		want    string
		covered bool
	}{
		{"before the first", 1, nil, tree.AbstainFar, false},
		{"after the first it is steered", 1, []Call{calls["view"]}, "", false},
		{"the first again", 1, []Call{calls["view"], calls["view"]}, "", false},
		{"after the second", 1, []Call{calls["view"], calls["edit"]}, "", true},
		{"another macro is not two", 1, []Call{calls["view"], calls["view"], other}, tree.AbstainFar, false},
		{"the first is not offered", 1, []Call{calls["edit"], calls["view"]}, tree.AbstainFar, false},
		{"a third that is not keeps the claim", 1, []Call{calls["view"], calls["edit"], other}, "", false},
		{"too far", 400, []Call{calls["view"], calls["edit"]}, tree.AbstainFar, false},
		{"none may be claimed", 0, []Call{calls["view"], calls["edit"]}, tree.AbstainFar, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := bounded()
			edit := w.edit
			w.edit = func(p *artifacts.Policy) {
				edit(p)
				p.Params.RouteLate = tt.late
			}
			p := w.open(t)
			s := p.Start(Task{ID: "l", Text: farTask}, env)
			for _, c := range tt.calls {
				s.Check(c)
				s.Observe(c, Result{})
			}
			st := s.Status()
			if st.Abstained != tt.want || st.Routed != (tt.want == "") || st.Covered != tt.covered {
				t.Fatalf("%+v, want %q and covered %v", st, tt.want, tt.covered)
			}
			data, err := s.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			if again, err := p.Resume(data); err != nil || again.Status().Abstained != tt.want {
				t.Errorf("the stored session: %v", err)
			}
		})
	}
}

// TestOneMacroIsNoSuccess: a run of a single macro counts as covered where successful
// runs end after it, and is no success by that; what is lost before the second stays lost.
func TestOneMacroIsNoSuccess(t *testing.T) {
	w := lateBounded()
	w.families["fix"] = append(w.families["fix"], "view")
	p, longer := w.open(t), lateBounded().open(t)
	begin := func(p *Policy, keys ...string) *Session {
		s := p.Start(Task{ID: "l", Text: farTask}, env)
		for _, k := range keys {
			s.Check(calls[k])
			s.Observe(calls[k], Result{})
		}
		return s
	}
	run := func(keys ...string) *Session { return begin(p, keys...) }
	s := run("view")
	if s.Status().Covered {
		t.Error("covered before its end")
	}
	if out := s.Finish(); !s.Status().AtLeaf || out.Done() || !out.Covered || out.Reason != "not-routed" || out.Lost != "" {
		t.Errorf("after one macro: %+v", out)
	}
	if out := begin(longer, "view").Finish(); out.Covered || out.Lost != "not-routed" {
		t.Errorf("where no successful run ends: %+v", out)
	}
	if out := run("view", "edit", "test").Finish(); out.End() != Ended || !out.Covered {
		t.Errorf("after three: %+v", out)
	}
	s = run("view")
	if m := s.Propose(Proposal{Text: "bananas"}); m.Step.Covered || m.Step.Lost == "not-routed" {
		t.Fatalf("%+v", m.Step)
	}
	for _, k := range []string{"edit", "test"} {
		s.Check(calls[k])
		s.Observe(calls[k], Result{})
	}
	if st := s.Status(); !st.Routed || st.Covered {
		t.Errorf("what was lost after the first macro: %+v", st)
	}
}

// TestForeignRunUnderAnotherPolicy: the first macros of a run are those it began
// with, not the first ones under the policy that it goes on under.
func TestForeignRunUnderAnotherPolicy(t *testing.T) {
	old := bounded()
	old.families, old.tasks = map[string][]string{"trip": {"net make"}}, map[string]string{"trip": fetchTask}
	s := old.open(t).Start(Task{ID: "f", Text: farTask}, env)
	for _, k := range []string{"proc", "review", "run"} {
		s.Check(calls[k])
		s.Observe(calls[k], Result{})
	}
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	now, err := New(lateBounded().policy(t), Options{Digest: "another"})
	if err != nil {
		t.Fatal(err)
	}
	if s, err = now.Resume(data); err != nil {
		t.Fatal(err)
	}
	for _, k := range []string{"view", "edit", "test"} {
		s.Check(calls[k])
		s.Observe(calls[k], Result{})
	}
	if out := s.Finish(); out.Done() || out.Covered || out.Reason != "not-routed" || out.Lost != "policy-changed" {
		t.Errorf("%+v", out)
	}
}

// TestResumeKeepsTheClaim: a run goes on as claimed where both first macros claimed
// it; one macro does not, and a run that has not begun may still be claimed. None of
// them is covered.
func TestResumeKeepsTheClaim(t *testing.T) {
	now, err := New(lateBounded().policy(t), Options{Digest: "another"})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name          string
		before, after []string
		want          bool
	}{
		{"both", []string{"view", "edit"}, []string{"test"}, true},
		{"one", []string{"view"}, []string{"edit", "test"}, false},
		{"none", nil, []string{"view", "edit", "test"}, true},
	} {
		s := lateBounded().open(t).Start(Task{ID: "r", Text: farTask}, env)
		for _, k := range tt.before {
			s.Check(calls[k])
			s.Observe(calls[k], Result{})
		}
		data, err := s.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if s, err = now.Resume(data); err != nil {
			t.Fatal(err)
		}
		for _, k := range tt.after {
			s.Check(calls[k])
			s.Observe(calls[k], Result{})
		}
		if out := s.Finish(); (out.End() == Ended) != tt.want || out.Covered {
			t.Errorf("%s: %+v", tt.name, out)
		}
	}
}
