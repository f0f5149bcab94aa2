package distill

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// writeLoose writes n successful runs that are long and share little, as chat
// messages, one run a line: random walks of some 38 calls over a vocabulary of
// 40 tools, in which every tool has four successors, each half as likely as
// the one before. Every tool has an action of its own: numbered tools of one verb
// would be one macro.
func writeLoose(w io.Writer, n int, seed uint64) error {
	const next, steps = 4, 38
	var tools []string
	for _, verb := range strings.Fields("create update delete send add cancel move share") {
		for _, noun := range strings.Fields("order ticket note event invoice") {
			tools = append(tools, verb+"_"+noun)
		}
	}
	out := bufio.NewWriter(w)
	for run := range n {
		rnd := rand.New(rand.NewPCG(seed, uint64(run)))
		fmt.Fprintf(out, `{"id":"r%d","task_id":"task-%d","success":true,"messages":[{"role":"user","content":"Do job %d."}`, run, run-run%3, run-run%3)
		at := 0
		for i := range steps/2 + rnd.IntN(steps) {
			fmt.Fprintf(out, `,{"role":"assistant","content":"Next I use %[1]s.","tool_calls":[{"id":"c%[2]d","type":"function","function":{"name":"%[1]s","arguments":{"n":%[3]d}}}]},`+
				`{"role":"tool","tool_call_id":"c%[2]d","content":"ok"}`, tools[at], i, rnd.IntN(9))
			way := 0
			for way < next-1 && rnd.IntN(2) == 1 {
				way++
			}
			at = (at*7 + 1 + way*11) % len(tools)
		}
		fmt.Fprintln(out, `,{"role":"assistant","content":"Done."}]}`)
	}
	return out.Flush()
}

// BenchmarkLooseLogs distils 1,000 and 10,000 such runs, or as many as GBT_LOOSE
// says, each in a process of its own that reads them from a pipe: a million are
// 9 GB. The document of package merge has the figures.
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
			var u usage
			for b.Loop() {
				u = distilPiped(b, 2, func(w io.Writer) error { return writeLoose(w, n, 1) })
			}
			b.ReportMetric(u.peak, "peak-MB")
			b.ReportMetric(u.cpu, "cpu-s")
			b.ReportMetric(u.wall, "wall-s")
			for _, name := range []string{"nodes", "support", "covered-steps", "covered-runs"} {
				b.ReportMetric(u.said[name], name)
			}
		})
	}
}
