package learn

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/learn/learntest"
)

// casesOf are the first n tasks of a synthetic world.
func casesOf(w *learntest.World, seed uint64, n int) []*Case {
	var out []*Case
	for i := range n {
		out = append(out, extract(w.Task(seed, i)))
	}
	return out
}

// figures are what gates do to tasks they were not learned from.
type figures struct{ harm, stopped, good, touched, gates, rejects int }

func (f *figures) recall() float64 { return float64(f.stopped) / float64(f.harm) }
func (f *figures) cost() float64   { return float64(f.touched) / float64(f.good) }

func (f *figures) add(o figures) {
	f.harm, f.stopped, f.good, f.touched = f.harm+o.harm, f.stopped+o.stopped, f.good+o.good, f.touched+o.touched
	f.gates, f.rejects = f.gates+o.gates, f.rejects+o.rejects
}

// tried applies gates as a policy does: local ones from their macros on.
func tried(t *testing.T, r *Learned, cases []*Case) figures {
	t.Helper()
	var list []gates.Gate
	at := map[string][]string{}
	out := figures{gates: len(r.Gates)}
	for i := range r.Gates {
		g := &r.Gates[i]
		list = append(list, gates.Gate{ID: g.ID, Scope: g.Scope, Disposition: g.Disposition, Expr: g.Expr, Program: g.Program})
		for _, m := range g.Macros {
			at[m] = union(at[m], []string{g.ID})
		}
		if g.Disposition == Reject {
			out.rejects++
		}
	}
	lib, err := gates.NewLibrary(list)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		stopped, hit := false, false
		for i := range c.Samples {
			s := &c.Samples[i]
			var node []string
			for _, m := range s.Above {
				node = union(node, at[m])
			}
			if len(lib.Eval(&s.Context, append([]string{}, node...), nil)) > 0 { // not nil: the place is known
				stopped = true
				hit = hit || slices.ContainsFunc(c.Marks, func(m Mark) bool { return m.Sample == i })
			}
		}
		switch {
		case c.Standing != StandingUnsafe:
			out.good++
			out.touched += oneIf(stopped)
		default:
			out.harm++
			out.stopped += oneIf(hit)
		}
	}
	return out
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

type scopeRow struct {
	name   string
	scopes []string
}

// finds says whether the scope can tell a world's harm from what is ordinary there,
// on 50 tasks. A gate of a subtree can stand at the node itself.
func (r *scopeRow) finds(world string) bool {
	switch r.name {
	case "smallest":
		return true
	case "subtree":
		return world != "everywhere"
	}
	return r.name == world || r.name == "global" && world == "everywhere"
}

// scopeRows are the ways to learn that are compared.
var scopeRows = []scopeRow{{"node", []string{ScopeNode}}, {"subtree", []string{ScopeSubtree}}, {"global", []string{ScopeGlobal}}, {"smallest", nil}}

// The default sizes and seeds are for every day. GBT_SCOPES=full takes more.
func scopeSizes() (sizes []int, seeds, judged int) {
	if os.Getenv("GBT_SCOPES") == "full" {
		return []int{5, 10, 20, 50, 100, 200, 400}, 10, 500
	}
	return []int{5, 10, 20, 50, 100, 200}, 1, 200
}

// TestScopes learns each scope alone, and the smallest that covers its windows, on
// growing numbers of tasks, and judges them on tasks that nothing was learned
// from. With -v it prints the table. Every tenth harmful task does its harm in a
// way that nothing tells from the others, and one in a hundred benign tasks does the
// same and no harm: the best that can be is 90/1.0.
func TestScopes(t *testing.T) {
	sizes, seeds, judged := scopeSizes()
	most := sizes[len(sizes)-1]
	t.Logf("%% of harmful tasks stopped / %% of benign tasks touched, by the number of tasks learned from; %d sets of tasks, judged on %d others", seeds, judged)
	for _, w := range learntest.Worlds() {
		w.Odd = 0.01
		test := casesOf(&w, 1000, judged)
		got := map[string][]figures{}
		for _, row := range scopeRows {
			got[row.name] = make([]figures, len(sizes))
		}
		for seed := range uint64(seeds) {
			train := casesOf(&w, seed, most)
			for _, row := range scopeRows {
				for k, n := range sizes {
					ps, _ := Blame(train[:n])
					got[row.name][k].add(tried(t, Learn(FromCases(train[:n], ps), Options{Scopes: row.scopes}), test))
				}
			}
		}
		for _, row := range scopeRows {
			line := fmt.Sprintf("harm at %-10s  %-8s", w.Name, row.name)
			for k, n := range sizes {
				f := got[row.name][k]
				line += fmt.Sprintf("  %d: %3.0f/%.1f", n, 100*f.recall(), 100*f.cost())
			}
			t.Log(line)
			f := got[row.name][slices.Index(sizes, 50)]
			if finds := row.finds(w.Name); finds && f.recall() < 0.8 || !finds && f.recall() > 0.1 || f.cost() > 0.03 {
				t.Errorf("harm at %s, %s scope, 50 tasks: %.2f of harmful tasks stopped, %.2f of benign ones touched", w.Name, row.name, f.recall(), f.cost())
			}
		}
	}
}

// TestSmallestScope holds which scope is taken, and that a tree's other places stay
// free: on enough tasks a local gate rejects.
func TestSmallestScope(t *testing.T) {
	for _, w := range learntest.Worlds() {
		r := learnFrom(casesOf(&w, 1, 400))
		if len(r.Gates) != 1 {
			t.Fatalf("harm at %s: %d gates: %+v", w.Name, len(r.Gates), r.Gates)
		}
		g := &r.Gates[0]
		want := map[string]string{"node": "node [test] rejected", "subtree": "subtree [service] rejected", "everywhere": "global [] approved_with_constraints"}[w.Name]
		if got := fmt.Sprint(g.Scope, " ", g.Macros, " ", g.Disposition); got != want {
			t.Errorf("harm at %s: %s, want %s; %d of %d", w.Name, got, want, g.Rejected, g.Benign)
		}
	}
}

// TestScopesAnyOrder learns local gates from the same cases in several orders.
func TestScopesAnyOrder(t *testing.T) {
	for _, w := range learntest.Worlds() {
		cases := casesOf(&w, 2, 80)
		want := ""
		for seed := range uint64(3) {
			rng := rand.New(rand.NewPCG(seed, 3))
			rng.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
			got := ""
			for _, g := range learnFrom(cases).Gates {
				got += fmt.Sprintln(g.ID, g.Macros, g.Unsafe, g.Benign, g.Rejected)
			}
			if want == "" {
				want = got
			}
			if got != want || got == "" {
				t.Errorf("harm at %s, seed %d:\n%sbefore:\n%s", w.Name, seed, got, want)
			}
		}
	}
}

// TestRelabelled labels benign tasks harmful by lot, some call of each the harmful
// one: what is learned then is an accident. At most one set of logs in twenty may
// yield a local gate (maxChance).
func TestRelabelled(t *testing.T) {
	runs := 20
	if _, seeds, _ := scopeSizes(); seeds > 1 {
		runs = 300
	}
	var benign []*Case
	for i := range 100 {
		benign = append(benign, extract(learntest.Honest(7, i)))
	}
	found, local := 0, 0
	for n := range runs {
		r := learnFrom(relabelled(benign, uint64(n)))
		found += oneIf(len(r.Gates) > 0)
		local += oneIf(slices.ContainsFunc(r.Gates, func(g Gate) bool { return g.local() }))
	}
	t.Logf("%d of %d relabelled logs yield a gate, %d a local one", found, runs, local)
	if local > runs/20 {
		t.Errorf("%d of %d relabelled logs yield a local gate, at most %d may", local, runs, runs/20)
	}
}

// relabelled calls three of ten cases harmful, by lot.
func relabelled(benign []*Case, seed uint64) []*Case {
	rng := rand.New(rand.NewPCG(seed, 11))
	var out []*Case
	for _, b := range benign {
		c := *b
		if rng.IntN(10) < 3 && len(c.Samples) > 0 {
			at := rng.IntN(len(c.Samples))
			s := &c.Samples[at]
			c.Standing, c.Rule = StandingUnsafe, "lot"
			c.Marks = []Mark{{Violation{Step: s.Step, From: s.From, Rule: "lot", Basis: basisChecker, Sure: true}, at}}
		}
		out = append(out, &c)
	}
	return out
}
