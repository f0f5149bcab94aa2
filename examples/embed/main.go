// Embed is the smallest host of the runtime: it opens a signed policy, starts a
// session, and lets a scripted executor work under it. A real host puts its
// model where script is and its tools where run is; everything else stays.
//
//	go run ./examples/embed policy.gbt key.pub "fix the failing test"
//
// What belongs here: the least that an embedder has to write, with the runtime's
// surface alone. What never does: options, error handling for their own sake,
// and anything that gbt's own programs use.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/traverse"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: embed POLICY PUBLIC-KEY TASK")
		os.Exit(2)
	}
	if err := host(os.Stdout, os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "embed:", err)
		os.Exit(1)
	}
}

// host runs one task under the policy.
func host(w io.Writer, policy, key, task string) error {
	start := time.Now()
	p, err := open(policy, key)
	if err != nil {
		return err
	}
	s := p.Start(traverse.Task{ID: "example", Text: task}, traverse.Env{Cwd: "/workspace", Roots: []string{"/workspace"}, UID: -1, GID: -1})
	fmt.Fprintf(w, "ready %d us\n", time.Since(start).Microseconds())
	for _, turn := range script {
		m := s.Propose(traverse.Proposal{Text: turn.words, Used: used(start)})
		fmt.Fprintf(w, "propose %q: %s %s\n", turn.words, m.Verdict, m.Reason)
		if m.Verdict == traverse.Stall {
			break
		}
		call := traverse.Call{Tool: "bash", Args: []byte(turn.args)}
		a := s.Check(call)
		fmt.Fprintf(w, "check %s: %s\n", turn.args, a.Disposition)
		s.Observe(call, run(call, a.Allowed()))
	}
	out := s.Finish()
	fmt.Fprintf(w, "finish: %s (%s) %s\n", out.End(), out.Basis, out.Reason)
	fmt.Fprintf(w, "resident %s\n", resident())
	return nil
}

// resident is the most memory that the program ever had, as Linux counts it.
func resident() string {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "unknown"
	}
	for _, line := range strings.Split(string(status), "\n") {
		if peak, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			return strings.TrimSpace(peak)
		}
	}
	return "unknown"
}

// open reads a policy that the key's owner signed: verified, parsed and checked
// in one call.
func open(policy, key string) (*traverse.Policy, error) {
	pem, err := os.ReadFile(key)
	if err != nil {
		return nil, err
	}
	pub, err := artifacts.ParsePublicKey(pem)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(policy)
	if err != nil {
		return nil, err
	}
	trust := artifacts.Trust{}
	trust.Keys = append(trust.Keys, pub)
	art, info, err := artifacts.Open(data, trust)
	if err != nil {
		return nil, err
	}
	return traverse.New(art, traverse.Options{Digest: info.Digest})
}

// used is what the run has used: the host has the clock.
func used(start time.Time) traverse.Usage {
	return traverse.Usage{Seconds: int64(time.Since(start).Seconds())}
}

// script is the executor.
var script = []struct{ words, args string }{
	{"Let me read the failing test first.", `{"command":"cat tests/test_parser.py"}`},
	{"I fix the parser.", `{"command":"sed -i 's/a/b/' src/parser.py"}`},
	{"I clean up everything.", `{"command":"rm -rf /"}`},
	{"Now I run the tests.", `{"command":"pytest -q"}`},
}

// run is the tool.
func run(_ traverse.Call, allowed bool) traverse.Result {
	if !allowed {
		return traverse.Result{Blocked: true}
	}
	return traverse.Result{Output: []byte("ok")}
}
