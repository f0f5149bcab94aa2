package traverse

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/tree"
)

// planned returns the keys of the way out from where the calls of keys lead.
func planned(t *testing.T, w world, e Env, keys ...string) (way string, up int, cost int64) {
	t.Helper()
	s := w.open(t).Start(Task{Text: fixTask}, e)
	for _, k := range keys {
		do(t, s, k)
	}
	r := s.plan()
	if r == nil {
		return "none", 0, 0
	}
	return strings.Join(r.step(s.p).Macros, " "), r.up, r.cost
}

// TestPlan finds ways out of stalls: risk, depth, feasibility, widening (K2-K4).
func TestPlan(t *testing.T) {
	fix := func(paths ...string) world {
		w := repair()
		w.families["fix"] = paths
		return w
	}
	edit := func(w world, f func(p *artifacts.Policy)) world { w.edit = f; return w }
	params := func(w world, f func(p *tree.Params)) world {
		return edit(w, func(p *artifacts.Policy) { f(&p.Params) })
	}
	long := "view edit view edit view edit view test" // 8 macros
	pre := func(w world, key, after string) world { w.pre = map[string]string{key: after}; return w }
	env2 := func(tools ...string) Env { e := env; e.Tools = tools; return e }
	tests := []struct {
		name string
		w    world
		env  Env
		at   []string
		want string
		up   int
		cost int64
	}{
		{"the only way", fix("view edit test"), env, []string{"view"}, "edit test", 0, 1500 + 2000},
		{"risk below the bound: the short way", params(fix("view run", "view search proc"), func(p *tree.Params) { p.Lambda = 499 }), env, []string{"view"}, "run", 0, 1998},
		{"risk above the bound: the safe way", params(fix("view run", "view search proc"), func(p *tree.Params) { p.Lambda = 501 }), env, []string{"view"}, "search proc", 0, 2000},
		{"no risk weight: the shortest", params(fix("view remote", "view search proc"), func(p *tree.Params) { p.Lambda = 0 }), env, []string{"view"}, "remote", 0, 1000},
		{"a leaf at the depth limit", params(fix(long), func(p *tree.Params) { p.MaxRecovery = 8 }), env, nil, long, 0, 3*1500 + 4*1000 + 2000},
		{"a leaf one below the limit", params(fix(long), func(p *tree.Params) { p.MaxRecovery = 7 }), env, nil, "none", 0, 0},
		{"nothing below: from the parent", fix("view edit", "view search!"), env, []string{"view", "search"}, "edit", 1, 2500},
		{"nothing below: from the grandparent", fix("view edit", "search proc review!"), env, []string{"search", "proc"}, "view edit", 2, 2000 + 2500},
		{"only failures", fix("view edit!"), env, []string{"view"}, "none", 0, 0},
		{"what came before every success is missing", pre(fix("view edit test", "search view edit proc"), "edit", "search"), env, []string{"view"}, "search view edit proc", 1, 1000 + 1000 + 1000 + 1500 + 1000},
		{"what came before is on the way", pre(fix("view search edit"), "edit", "search"), env, []string{"view"}, "search edit", 0, 2500},
		{"what came before was realised", pre(fix("search view edit"), "edit", "search"), env, []string{"search", "view"}, "edit", 0, 1500},
		{"no tool offered for it", edit(fix("view edit test", "view search"), func(p *artifacts.Policy) {
			for i := range p.Tree.States {
				if p.Tree.States[i].Key == "search" {
					p.Tree.States[i].Pre.Tools = []string{"grep_tool"}
				}
			}
		}), env2("bash"), []string{"view"}, "edit test", 0, 3500},
		{"a lazily made place: the nodes of its state", fix("view edit test", "search edit proc"), env, []string{"search", "view", "edit"}, "proc", 0, 1000},
	}
	for _, tt := range tests {
		way, up, cost := planned(t, tt.w, tt.env, tt.at...)
		if way != tt.want || up != tt.up || cost != tt.cost {
			t.Errorf("%s: %q up %d cost %d, want %q up %d cost %d", tt.name, way, up, cost, tt.want, tt.up, tt.cost)
		}
	}
}

// TestEnvAtItsBound matches leaves by the environment's cosine (K2).
func TestEnvAtItsBound(t *testing.T) {
	probe := repair().open(t).Start(Task{Text: fixTask}, env)
	do(t, probe, "view")
	x := milli(tree.Cos(probe.signature(), leafEnv("")))
	if x < 100 || x > 998 {
		t.Fatalf("the cosine is %d: nothing to set a bound to", x)
	}
	for limit, want := range map[tree.Milli]bool{x: true, x + 1: false} {
		way, _, _ := planned(t, with(func(p *tree.Params) { p.EnvCos = limit }), env, "view")
		if (way != "none") != want {
			t.Errorf("cosine %d under a limit of %d: %q", x, limit, way)
		}
	}
}

// TestLeavesWithoutEnvironment: a policy without signatures filters by none.
func TestLeavesWithoutEnvironment(t *testing.T) {
	for _, signed := range []bool{true, false} {
		w := repair()
		w.edit = func(p *artifacts.Policy) {
			p.Params.EnvCos = 1000
			for i := range p.Tree.Leaves {
				if !signed {
					p.Tree.Leaves[i].Env = nil
				}
			}
		}
		if way, _, _ := planned(t, w, env, "view"); (way == "none") != signed {
			t.Errorf("with signatures %v: the way is %q", signed, way)
		}
	}
}

// TestPlanAgainstGonum compares the costs of random families with the shortest
// paths of another library over the feasible nodes.
func TestPlanAgainstGonum(t *testing.T) {
	keys := []string{"view", "search", "edit", "run", "test", "proc", "delete", "net", "remote", "review", "make", "build"}
	found := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := repair()
		var paths []string
		for range 3 + r.IntN(20) {
			var p []string
			for range 1 + r.IntN(11) {
				if k := keys[r.IntN(len(keys))]; len(p) == 0 || p[len(p)-1] != k {
					p = append(p, k)
				}
			}
			end := ""
			if r.IntN(3) == 0 {
				end = "!"
			}
			paths = append(paths, strings.Join(p, " ")+end)
		}
		w.families["fix"] = paths
		known := strings.Fields(strings.ReplaceAll(strings.Join(paths, " "), "!", ""))
		w.pre = map[string]string{known[r.IntN(len(known))]: known[r.IntN(len(known))]}
		lambda, depth := tree.Milli(r.IntN(1500)), int32(1+r.IntN(9))
		w.edit = func(p *artifacts.Policy) { p.Params.Lambda, p.Params.MaxRecovery = lambda, depth }
		s := w.open(t).Start(Task{Text: fixTask}, env)
		for _, k := range strings.Fields(strings.TrimSuffix(paths[0], "!"))[:1] {
			do(t, s, k)
		}
		got := s.plan()
		cost, ok := oracle(s)
		if (got != nil) != ok || ok && got.cost != cost {
			t.Fatalf("seed %d: %+v, gonum %d %v", seed, got, cost, ok)
		}
		if ok {
			found++
			if len(got.nodes) > int(depth) || s.p.leaves[got.nodes[len(got.nodes)-1]] < 0 {
				t.Fatalf("seed %d: %v is too long or ends at no leaf", seed, got.nodes)
			}
		}
	}
	if found < 20 || found == 60 {
		t.Errorf("%d of 60 random families have a way: the comparison says little", found)
	}
}

// oracle is gonum's answer: from each level of the spine, the least cost over
// the leaves of the graph of feasible nodes. The depth limit unrolls the graph:
// a node of it is a tree node at a depth.
func oracle(s *Session) (int64, bool) {
	v := s.p.view
	children := map[int32][]int32{}
	for i := 1; i < len(v.Nodes); i++ {
		children[v.Nodes[i].Parent] = append(children[v.Nodes[i].Parent], int32(i))
	}
	been := map[int32]bool{}
	for _, x := range append(slices.Clone(s.visits), s.steer.pos.Spine...) {
		been[x] = true
	}
	for up := 0; up < len(s.steer.nodes); up++ {
		at := len(s.steer.nodes) - 1 - up
		sources := []int32{s.steer.nodes[at]}
		if sources[0] < 0 {
			sources = s.p.twins[s.steer.pos.Spine[at]]
		}
		best, ok := int64(0), false
		for _, from := range sources {
			g := simple.NewWeightedDirectedGraph(0, 1e18)
			g.AddNode(simple.Node(from))
			var grow func(n int32, depth int32, way map[int32]bool)
			grow = func(n int32, depth int32, way map[int32]bool) {
				for _, c := range children[n] {
					st := &v.States[v.Nodes[c].State]
					feasible := depth < s.params().MaxRecovery
					for _, a := range st.Pre.After {
						feasible = feasible && (been[a] || way[a])
					}
					if !feasible {
						continue
					}
					g.SetWeightedEdge(g.NewWeightedEdge(simple.Node(n), simple.Node(c), float64(1000+int64(s.params().Lambda)*int64(st.Risk))))
					next := map[int32]bool{v.Nodes[c].State: true}
					for k := range way {
						next[k] = true
					}
					grow(c, depth+1, next)
				}
			}
			grow(from, 0, map[int32]bool{v.Nodes[from].State: true})
			all := path.DijkstraFrom(simple.Node(from), g)
			for _, l := range v.Leaves {
				if w := all.WeightTo(int64(l.Node)); l.Node != from && g.Node(int64(l.Node)) != nil && (!ok || int64(w) < best) {
					best, ok = int64(w), true
				}
			}
		}
		if ok {
			return best + int64(up)*upCost, true
		}
	}
	return 0, false
}

// TestRecovery follows a way to its end, with detours, and gives up on an
// executor that does not follow.
func TestRecovery(t *testing.T) {
	w := repair()
	w.families["fix"] = []string{"view edit test", "view search!"}
	stuck := func() *Session {
		s := w.open(t).Start(Task{Text: fixTask}, env)
		do(t, s, "view")
		do(t, s, "search")
		s.stall.idle = idleSteps
		s.macro.calls = 0 // what it read is no news
		return s
	}
	s := stuck()
	m := do(t, s, "edit")
	if m.Verdict != Recover || m.Reason != "no-delta" || m.Macro.Key != "edit" || m.Step.Recovery == nil || m.Step.Recovery.Up != 1 {
		t.Fatalf("%+v", m.Step)
	}
	if out := s.Finish(); out.Done() || out.Reason != "recovery-under-way" {
		t.Errorf("finish during recovery: %+v", out)
	}
	if m = s.Propose(Proposal{Text: "let me look at the commit history instead"}); m.Verdict != Recover || m.Macro.Key != "test" {
		t.Errorf("the second macro of the way: %+v", m.Step)
	}
	c := calls["review"]
	s.Check(c)
	s.Observe(c, Result{})
	if m = s.Propose(Proposal{Text: "what now"}); m.Macro == nil || m.Macro.Key != "test" {
		t.Errorf("after a detour: %+v", m.Step)
	}
	c = calls["test"]
	s.Check(c)
	s.Observe(c, Result{})
	if m = s.Propose(Proposal{Tool: "bash", Args: calls["review"].Args}); m.Verdict == Recover {
		t.Errorf("after the way's end: %+v", m.Step)
	}
	if st := s.Status(); st.Covered || st.Lost != "recovery" {
		t.Errorf("covered after a recovery: %+v", st)
	}
	s = stuck()
	for i := range maxTries + 1 {
		m = s.Propose(Proposal{Text: fmt.Sprintf("no, I do something else, number %d", i)})
		s.Check(calls["view"])
	}
	if m.Verdict != Stall || m.Reason != "recovery-not-followed" {
		t.Errorf("an executor that does not follow: %+v", m.Step)
	}
}
