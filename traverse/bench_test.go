package traverse

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/tree"
	"github.com/gbt-policy/gbt/tree/text"
)

// wide is the repair world with a family whose root has n children of distinct
// descriptions.
func wide(t testing.TB, n int) *Policy {
	t.Helper()
	w := repair()
	w.edit = func(p *artifacts.Policy) { widen(p, n) }
	return w.open(t)
}

// widen gives the root of the last family n children, each a state of its own.
func widen(p *artifacts.Policy, n int) {
	t, table := &p.Tree, text.Default()
	f := &t.Families[len(t.Families)-1]
	family := int32(len(t.Families) - 1)
	start := &t.States[f.Start]
	p.Params.MaxChildren = int32(n)
	start.Next = nil
	f.Vocabulary = int32(n)
	for i := range n {
		s := tree.State{Family: family, Key: fmt.Sprintf("~call:tool_%04d", i), Delta: effect.DeltaNone, Desc: fmt.Sprintf("call tool number %d of the %s service", i, strings.Repeat("very ", i%5)),
			Tools: []tree.Use{{Name: fmt.Sprintf("tool_%04d", i), Calls: 2}}, Count: tree.Count{Tasks: 3, Success: 3}}
		s.Vecs = []tree.Vec{table.Vec(nil, nil, s.Desc)}
		s.Fit = tree.Fit{Vec: s.Vecs[0], Gain: 9000}
		start.Next = append(start.Next, tree.Edge{To: int32(len(t.States)), Count: tree.Count{Tasks: 2, Success: 2}})
		t.States = append(t.States, s)
		start = &t.States[f.Start]
	}
}

// deep replaces the family fix by one of n nodes: paths of 12 macros, and a
// leaf at the end of each.
func deep(t testing.TB, n int) *Policy {
	t.Helper()
	w := repair()
	w.edit = func(p *artifacts.Policy) { grow(p, n) }
	return w.open(t)
}

// grow adds nodes below the family fix until the tree has n.
func grow(p *artifacts.Policy, n int) {
	t := &p.Tree
	f := &t.Families[len(t.Families)-1]
	var keys []int32
	for i := f.First; int(i) < len(t.States); i++ {
		if s := &t.States[i]; !s.Generic && i != f.Start {
			keys = append(keys, i)
		}
	}
	task := t.Families[len(t.Families)-1].Prototypes[0]
	for at := 0; len(t.Nodes) < n; at++ {
		parent := f.Node
		for d := range 7 {
			t.Nodes = append(t.Nodes, tree.Node{Parent: parent, State: keys[(at*7+d*d)%len(keys)], Count: tree.Count{Tasks: 1, Success: 1}})
			parent = int32(len(t.Nodes) - 1)
		}
		t.Leaves = append(t.Leaves, tree.Leaf{Node: parent, Tasks: []tree.Text{task}, Env: leafEnv(""), Count: 1})
	}
}

// report adds the median and the 99th percentile of processor time to a
// benchmark.
func report(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	if len(took) > 0 {
		b.ReportMetric(float64(took[len(took)/2].Nanoseconds()), "cpu-median-ns")
		b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "cpu-p99-ns")
	}
}

const thought = "The test still fails with the same message, so let me call tool number 17 of the service and look at what the parser returns for an empty line"

// BenchmarkStep is one step at a place of 50 children: embed the proposal,
// match, decide, update and brief the executor. Goal: median 100 us, p99 500 us.
func BenchmarkStep(b *testing.B) {
	p := wide(b, 50)
	s := p.Start(Task{Text: fixTask}, env)
	if n := len(s.steer.offers(p)); n < 50 {
		b.Fatalf("%d children", n)
	}
	took := make([]time.Duration, 0, 1<<20)
	b.ReportAllocs()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for b.Loop() {
		s.stall, s.plateau, s.steps, s.stopped, s.explored = stallState{}, 0, 0, "", 0
		s.steer.children = nil // as after a move
		start := cpuTime()
		s.Propose(Proposal{Text: thought})
		if len(took) < cap(took) {
			took = append(took, cpuTime()-start)
		}
	}
	report(b, took)
}

// BenchmarkStepFloor is the floor of a step: the embedding and 50 dot products
// alone, for the states' descriptions and for their directions.
func BenchmarkStepFloor(b *testing.B) {
	p := wide(b, 50)
	children := p.Start(Task{Text: fixTask}, env).steer.offers(p)
	table := text.Default()
	b.Run("embed", func(b *testing.B) {
		var s text.Scratch
		var v tree.Vec
		for b.Loop() {
			v = table.Vec(&s, v, thought)
		}
	})
	b.Run("dots", func(b *testing.B) {
		v := table.Vec(nil, nil, thought)
		sum, took := int64(0), make([]time.Duration, 0, 1<<20)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for b.Loop() {
			start := cpuTime()
			for _, c := range children {
				s := &p.view.States[c.State]
				for _, x := range s.Vecs {
					sum += text.Dot(v, x)
				}
				if len(s.Fit.Vec) == len(v) {
					sum += text.Dot(v, s.Fit.Vec)
				}
			}
			if len(took) < cap(took) {
				took = append(took, cpuTime()-start)
			}
		}
		report(b, took)
		_ = sum
	})
}

// thousand is the repair world with n global gates.
func thousand(t testing.TB, n int) *Policy {
	w := repair()
	w.edit = func(p *artifacts.Policy) {
		b := worldBuilder{w: &w, p: p}
		for i := range n {
			b.gate(artifacts.ScopeGlobal, fmt.Sprintf(`ctx.effects.all(e, e.type != "write" || !e.resource.under("/srv/area_%d"))`, i))
		}
		slices.SortFunc(p.Gates, func(a, b artifacts.Gate) int { return strings.Compare(a.ID, b.ID) })
	}
	return w.open(t)
}

// BenchmarkCheck is one check under 1,000 gates. Goal: 5 us where the context
// is built; building it, and the whole session method, stand beside it.
func BenchmarkCheck(b *testing.B) {
	p := thousand(b, 1000)
	c := Call{Tool: "write_file", Args: []byte(`{"path":"src/a.py","content":"x = 1"}`)}
	s := p.Start(Task{Text: fixTask}, env)
	ctx := s.context(s.read(&c))
	b.Run("decide", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if d := p.checker.Check(&ctx, nil); d.Disposition != gates.Approved {
				b.Fatal(d)
			}
		}
	})
	b.Run("context+decide", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			x := s.context(s.read(&c))
			p.checker.Check(&x, nil)
		}
	})
	b.Run("session", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.Check(c)
		}
	})
	b.Run("session-shell", func(b *testing.B) {
		for b.Loop() {
			s.Check(calls["test"])
		}
	})
	b.Run("floor-guardrail", func(b *testing.B) { // the same without any gate
		for b.Loop() {
			p.checker.Guardrail.Decide(&ctx)
		}
	})
}

// BenchmarkRecovery plans a way in a family of 10,000 nodes, from its root.
// Goal: 5 ms. The floor is gonum's Dijkstra over the same nodes, graph at hand.
func BenchmarkRecovery(b *testing.B) {
	p := deep(b, 10_000)
	s := p.Start(Task{Text: fixTask}, env)
	s.anchor()
	b.Run("plan", func(b *testing.B) {
		b.ReportAllocs()
		took := make([]time.Duration, 0, 1<<16)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for b.Loop() {
			start := cpuTime()
			if s.plan() == nil {
				b.Fatal("no way")
			}
			if len(took) < cap(took) {
				took = append(took, cpuTime()-start)
			}
		}
		report(b, took)
	})
	g := simple.NewWeightedDirectedGraph(0, 1e18)
	for i := 1; i < len(p.view.Nodes); i++ {
		n := &p.view.Nodes[i]
		g.SetWeightedEdge(g.NewWeightedEdge(simple.Node(n.Parent), simple.Node(i), float64(1000+500*int64(p.view.States[n.State].Risk))))
	}
	b.Run("floor-gonum", func(b *testing.B) {
		for b.Loop() {
			path.DijkstraFrom(simple.Node(s.steer.pos.Node), g)
		}
	})
}
