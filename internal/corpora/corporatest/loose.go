package corporatest

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

// Loose are made-up runs that are long and share little: random walks of some 38
// calls over a vocabulary of 40 tools, in which every tool has four successors, each
// half as likely as the one before. Three runs in a row have one task.
type Loose struct {
	First, Runs int    // numbers of the runs: others have other ways
	Failing     int    // one run of so many failed; 0 for none
	Seed        uint64 // of all ways
}

// looseTools have an action each: numbered tools of one verb would be one macro.
func looseTools() []string {
	var tools []string
	for _, verb := range strings.Fields("create update delete send add cancel move share") {
		for _, noun := range strings.Fields("order ticket note event invoice") {
			tools = append(tools, verb+"_"+noun)
		}
	}
	return tools
}

// Write writes the runs as chat messages, one run a line.
func (l Loose) Write(w io.Writer) error {
	const next, steps = 4, 38
	tools, out := looseTools(), bufio.NewWriter(w)
	for run := l.First; run < l.First+l.Runs; run++ {
		rnd := rand.New(rand.NewPCG(l.Seed, uint64(run)))
		success := l.Failing == 0 || run%l.Failing != 0
		fmt.Fprintf(out, `{"id":"r%d","task_id":"task-%d","success":%v,"messages":[{"role":"user","content":"Do job %d."}`, run, run-run%3, success, run-run%3)
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
