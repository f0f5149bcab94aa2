package bench

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/gates"
)

// stopped keeps the compiler from dropping what a benchmark computes.
var stopped int

// spread times one operation on each item in turn and reports, beside the mean,
// the median and the 99th percentile for one of them.
func spread(b *testing.B, n int, f func(i int)) {
	took := make([]time.Duration, 0, 1<<20)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		f(i % n)
		if d := time.Since(start); len(took) < cap(took) {
			took = append(took, d)
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds()), "p50-ns/op")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "p99-ns/op")
}

// BenchmarkCommands decides on command lines: gbt's analysis, guardrail and gates
// together, and a deny-list of patterns over the same lines. The first run tells
// whether the commands are the real ones.
func BenchmarkCommands(b *testing.B) {
	list, real := commands(b)
	b.Logf("%d commands, real: %v", len(list), real)
	res := patterns()
	b.Run(fmt.Sprintf("how=patterns-%d", len(res)), func(b *testing.B) {
		spread(b, len(list), func(i int) {
			for _, re := range res { // all of them: a deny-list names every reason
				if re.MatchString(list[i]) {
					stopped++
				}
			}
		})
	})
	for _, n := range []int{0, 10, 100, 1000} {
		b.Run(fmt.Sprintf("how=gbt-%d-gates", n), func(b *testing.B) {
			k := gates.Checker{Library: library(b, n)}
			s := state()
			spread(b, len(list), func(i int) {
				c := gates.ShellContext(list[i], s)
				if d := k.Check(&c, nil); d.Disposition != gates.Approved {
					stopped++
				}
			})
		})
	}
}

// BenchmarkGates evaluates gates on contexts that are there already.
func BenchmarkGates(b *testing.B) {
	cs := contexts(b, 500)
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("engine=gbt/gates=%d", n), func(b *testing.B) {
			l := library(b, n)
			dst := make([]int, 0, n)
			spread(b, len(cs), func(i int) { stopped += len(l.Eval(&cs[i], nil, dst)) })
		})
		b.Run(fmt.Sprintf("engine=cel-go/gates=%d", n), func(b *testing.B) {
			progs, inputs := celPrograms(b, n), celInputs(cs)
			spread(b, len(cs), func(i int) { stopped += celStops(b, progs, inputs[i]) })
		})
		b.Run(fmt.Sprintf("engine=opa/gates=%d", n), func(b *testing.B) {
			query, inputs := regoQuery(b, n), regoInputs(b, cs)
			spread(b, len(cs), func(i int) { stopped += regoStops(b, query, inputs[i]) })
		})
	}
}

// TestSameStops holds the other engines to what gbt's gates stop: a benchmark of
// rules that say something else would mean nothing.
func TestSameStops(t *testing.T) {
	const n = 60
	cs := contexts(t, 300)
	l, progs, query := library(t, n), celPrograms(t, n), regoQuery(t, n)
	celIn, regoIn := celInputs(cs), regoInputs(t, cs)
	total := 0
	for i := range cs {
		want := len(l.Eval(&cs[i], nil, nil))
		total += want
		if c, r := celStops(t, progs, celIn[i]), regoStops(t, query, regoIn[i]); c != want || r != want {
			t.Errorf("%s: gbt stops it %d times, cel-go %d, OPA %d", cs[i].Command, want, c, r)
		}
	}
	if total == 0 {
		t.Error("no gate stopped anything")
	}
	if len(patterns()) != 100 {
		t.Errorf("%d patterns, want a hundred", len(patterns()))
	}
}

// TestFlat holds what the library promises: no allocation, and under a thousand
// gates not much more time than under ten. The bound is loose, because tests run
// on busy machines; README.md has what was measured.
func TestFlat(t *testing.T) {
	cs := contexts(t, 200)
	cost := func(n int) time.Duration {
		l, dst := library(t, n), make([]int, 0, n)
		if a := testing.AllocsPerRun(20, func() {
			for i := range cs {
				l.Eval(&cs[i], nil, dst)
			}
		}); a != 0 {
			t.Errorf("%d gates: %v allocations", n, a)
		}
		best := time.Hour
		for range 20 {
			start := time.Now()
			for i := range cs {
				l.Eval(&cs[i], nil, dst)
			}
			best = min(best, time.Since(start))
		}
		return best
	}
	ten, thousand := cost(10), cost(1000)
	t.Logf("%v per context under 10 gates, %v under 1,000", ten/time.Duration(len(cs)), thousand/time.Duration(len(cs)))
	if thousand > 4*ten {
		t.Errorf("%v under 1,000 gates, %v under 10", thousand, ten)
	}
}
