package distill

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// writeLoose writes n successful runs that are long and share little, as chat
// messages, one run a line: random walks of some 38 calls over a vocabulary of
// 40 tools, in which every tool has four successors, each half as likely as
// the one before.
func writeLoose(w io.Writer, n int, seed uint64) error {
	const tools, next, steps = 40, 4, 38
	out := bufio.NewWriter(w)
	for run := range n {
		rnd := rand.New(rand.NewPCG(seed, uint64(run)))
		fmt.Fprintf(out, `{"id":"r%d","task_id":"task-%d","success":true,"messages":[{"role":"user","content":"Do job %d."}`, run, run-run%3, run%997)
		at := 0
		for i := range steps/2 + rnd.IntN(steps) {
			fmt.Fprintf(out, `,{"role":"assistant","content":"Next I use tool %[1]d.","tool_calls":[{"id":"c%[2]d","type":"function","function":{"name":"get_item%[1]d","arguments":{"n":%[3]d}}}]},`+
				`{"role":"tool","tool_call_id":"c%[2]d","content":"ok"}`, at, i, rnd.IntN(9))
			way := 0
			for way < next-1 && rnd.IntN(2) == 1 {
				way++
			}
			at = (at*7 + 1 + way*11) % tools
		}
		fmt.Fprintln(out, `,{"role":"assistant","content":"Done."}]}`)
	}
	return out.Flush()
}

// BenchmarkLooseLogs distils 1,000 and 10,000 such runs, or as many as GBT_LOOSE
// says, each in a process of its own.
func BenchmarkLooseLogs(b *testing.B) {
	sizes := []int{1000, 10_000}
	if s := os.Getenv("GBT_LOOSE"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			b.Fatal(err)
		}
		sizes = []int{n}
	}
	for _, n := range sizes {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			name := filepath.Join(b.TempDir(), "loose.jsonl")
			f, err := os.Create(name)
			if err != nil {
				b.Fatal(err)
			}
			if err := writeLoose(f, n, 1); err != nil {
				b.Fatal(err)
			}
			if err := f.Close(); err != nil {
				b.Fatal(err)
			}
			var u usage
			for b.Loop() {
				u = distilApart(b, name, 2)
			}
			b.ReportMetric(u.peak, "peak-MB")
			b.ReportMetric(u.cpu, "cpu-s")
			b.ReportMetric(u.wall, "wall-s")
		})
	}
}
