package traverse

import (
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/tree"
)

// dump writes where other tasks may and this project's later steps may not.
var dump = shell("python a.py > /workspace/secret/out")

// below is a world of two families. What is written below the making of an output must not be
// in the secret directory. One family never makes any.
func below() world {
	return world{
		families: map[string][]string{"fix": {"view edit test", "view make run test", "make edit"}, "count": {"search run", "search proc run"}},
		tasks:    map[string]string{"fix": fixTask, "count": "count the lines of all reports"},
		below:    map[string]string{"make": `ctx.effects.all(e, e.type != "write" || !e.resource.under("/workspace/secret"))`},
	}
}

// TestSubtreeGates holds that a gate of a subtree is asked at the node where it
// comes in and at all below, and that no way leads around it: not by a place that
// the tree does not have, and not by a family without such a node (T5, S4).
func TestSubtreeGates(t *testing.T) {
	for _, profile := range []string{tree.DefaultProfile, tree.ReferenceProfile} {
		w := below()
		w.edit = func(p *artifacts.Policy) { p.Params.Profile = profile }
		t.Run(profile, func(t *testing.T) { subtreeGates(t, w.open(t)) })
	}
}

func subtreeGates(t *testing.T, p *Policy) {
	for _, tt := range []struct {
		name, task string
		at         []string
		want       bool
	}{
		{"before it", fixTask, []string{"view"}, true},
		{"in another branch", fixTask, []string{"view", "edit"}, true},
		{"at the node", fixTask, []string{"view", "make"}, false},
		{"below", fixTask, []string{"view", "make", "run"}, false},
		{"below, where the tree has no node", fixTask, []string{"view", "make", "proc", "search"}, false},
		{"below a lazily made node", fixTask, []string{"view", "edit", "make", "edit"}, false},
		{"another family", "count the lines of all reports", []string{"search", "run"}, true},
		{"below, in a family that has no such node", "count the lines of all reports", []string{"search", "make", "run"}, false},
		{"below, where the family goes on", "count the lines of all reports", []string{"make", "search"}, false},
	} {
		s := p.Start(Task{Text: tt.task}, env)
		for _, k := range tt.at {
			do(t, s, k)
		}
		a := s.Check(dump)
		if stopped := len(a.Gates) > 0; stopped == tt.want {
			t.Errorf("%s: %s %v", tt.name, a.Disposition, a.Gates)
		}
	}
}

// TestSubtreeNowhere holds that a walk which is nowhere asks the gates of all
// subtrees.
func TestSubtreeNowhere(t *testing.T) {
	p := below().open(t)
	s := p.Start(Task{Text: fixTask}, env)
	s.guard = walk{pos: tree.Pos{Family: -1, Node: -1}}
	a := s.Check(dump)
	if len(a.Gates) != 1 {
		t.Errorf("%s %v", a.Disposition, a.Gates)
	}
	if d := p.Checker().Check(&a.Context, nil); len(d.Gates) != 1 {
		t.Errorf("outside of any session: %s %v", d.Disposition, d.Gates)
	}
}

// TestSubtreeStays takes a session away and back, and on to another family: what
// was entered stays entered.
func TestSubtreeStays(t *testing.T) {
	p := below().open(t)
	s := p.Start(Task{Text: "count the lines of all reports"}, env)
	do(t, s, "search")
	do(t, s, "make")
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	s, err = p.Resume(data)
	if err != nil {
		t.Fatal(err)
	}
	s.guard.startAt(p, 0)
	if a := s.Check(dump); len(a.Gates) != 1 {
		t.Errorf("after a resume and in another family: %s %v", a.Disposition, a.Gates)
	}
}

// TestSubtreeStaysInTheReferenceProfile: neither a way back up nor another policy
// without the family lets go of what was entered.
func TestSubtreeStaysInTheReferenceProfile(t *testing.T) {
	w := below()
	w.edit = func(p *artifacts.Policy) { p.Params.Profile = tree.ReferenceProfile }
	p := w.open(t)
	s := p.Start(Task{Text: fixTask}, env)
	do(t, s, "view")
	do(t, s, "make")
	s.adopt(&route{up: 1, from: s.steer.nodes[1]}, "no-delta")
	if a := s.Check(dump); len(a.Gates) != 1 {
		t.Errorf("after a way back up: %s %v", a.Disposition, a.Gates)
	}
	s = p.Start(Task{Text: "count the lines of all reports"}, env)
	do(t, s, "search")
	do(t, s, "make")
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	delete(w.families, "count")
	now, err := New(w.policy(t), Options{Digest: "another"})
	if err != nil {
		t.Fatal(err)
	}
	if s, err = now.Resume(data); err != nil {
		t.Fatal(err)
	}
	if m := do(t, s, "view"); m.Macro == nil {
		t.Fatalf("view is not offered: %+v", m.Step)
	}
	if a := s.Check(dump); len(a.Gates) != 1 {
		t.Errorf("under another policy: %s %v", a.Disposition, a.Gates)
	}
}
