package evolve

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/corpora/corporatest"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

// looseLogs are made-up runs that share little.
func looseLogs(tb testing.TB, of corporatest.Loose) *logs.Input {
	tb.Helper()
	var text bytes.Buffer
	if err := of.Write(&text); err != nil {
		tb.Fatal(err)
	}
	return logs.Open([]string{"-"}, logs.Options{Stdin: io.NopCloser(&text), Workers: 2})
}

// spent notes how long each stage takes.
type spent struct {
	begun time.Time
	last  string
	of    map[string]time.Duration
}

func newSpent() *spent { return &spent{of: map[string]time.Duration{}} }

// Stage implements distill.Progress.
func (s *spent) Stage(name string) {
	now := time.Now()
	if s.last != "" {
		s.of[s.last] += now.Sub(s.begun)
	}
	s.begun, s.last = now, name
}

// Add implements distill.Progress.
func (s *spent) Add(int) {}

// BenchmarkEvolveLoose evolves policies that 360 and 3,600 made-up runs were
// distilled to, the first of more than 10,000 nodes, by 1,000 others on two workers:
// what a stage costs, and what is kept in memory. Old runs are not read.
func BenchmarkEvolveLoose(b *testing.B) {
	for _, old := range []int{360, 3600} {
		cfg := distill.DefaultConfig()
		opt := distill.Options{Config: cfg, Workers: 2}
		res, err := distill.Run(context.Background(), looseLogs(b, corporatest.Loose{Runs: old, Seed: 1}), opt)
		if err != nil {
			b.Fatal(err)
		}
		parent := &distill.Parent{Policy: res.Policy, Digest: testDigest, Contexts: res.Gates.Contexts}
		b.Run(fmt.Sprint(old), func(b *testing.B) { benchmarkEvolve(b, parent, opt) })
	}
}

func benchmarkEvolve(b *testing.B, parent *distill.Parent, opt distill.Options) {
	b.ReportAllocs()
	times := newSpent()
	opt.Progress = times
	var res *Result
	for b.Loop() {
		f, err := distill.ReadFresh(context.Background(), looseLogs(b, corporatest.Loose{First: 100_000, Runs: 1000, Failing: 5, Seed: 1}), parent.Policy, opt)
		if err != nil {
			b.Fatal(err)
		}
		if res, err = Evolve(context.Background(), parent, f, Options{Config: opt.Config, Workers: opt.Workers, Progress: times}); err != nil {
			b.Fatal(err)
		}
		times.Stage("")
	}
	for name, d := range times.of {
		b.ReportMetric(d.Seconds()/float64(b.N), string(bytes.ReplaceAll([]byte(name), []byte(" "), []byte("-")))+"-s")
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapAlloc)/1e6, "kept-MB")
	b.ReportMetric(float64(len(parent.Policy.Tree.Nodes)), "nodes")
	b.ReportMetric(float64(len(res.Edits)), "edits")
}
