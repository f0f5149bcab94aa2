package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/artifacts"
)

// The hook starts for every call of an agent, so what counts is the wall time
// of the whole process, beside that of a Go program that does nothing (asked of
// it: at most 8 times as long at the 95th percentile).
//
//	go test ./cmd/gbt-hook -run '^$' -bench Startup -benchtime 400x
//
// also with a signed policy of 2 MB; -startup-policy FILE adds one of your own.
var startupPolicy = flag.String("startup-policy", "", "a policy file for BenchmarkStartup")

const emptyProgram = "package main\n\nfunc main() {}\n"

// BenchmarkStartup starts an empty program and the hook in turn, so that what
// else the machine does falls on both.
func BenchmarkStartup(b *testing.B) {
	dir, p := b.TempDir(), newPlace(b)
	if err := os.WriteFile(filepath.Join(dir, "empty.go"), []byte(emptyProgram), 0o600); err != nil {
		b.Fatal(err)
	}
	build := func(out, what string) string {
		out = filepath.Join(dir, out)
		if text, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, what).CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, text)
		}
		return out
	}
	empty, hook := build("empty", filepath.Join(dir, "empty.go")), build("gbt-hook", ".")
	state := []string{"-state", filepath.Join(p.home, "state")}
	variants := map[string][]string{
		"no-policy": nil, "session-state": state, "policy-2MB": append(p.largePolicy(b), state...),
		"receipts": append([]string{"-receipts", filepath.Join(p.home, "receipts")}, state...),
	}
	if *startupPolicy != "" {
		variants["policy"] = []string{"-policy", *startupPolicy}
	}
	call := p.shellCall("claude-code", "s", "go test ./... 2>&1 | tail -20")
	for _, name := range slices.Sorted(maps.Keys(variants)) {
		args := append([]string{"claude-code"}, variants[name]...)
		b.Run(name, func(b *testing.B) {
			var base, times []time.Duration
			for b.Loop() {
				base = append(base, wall(b, empty, ""))
				times = append(times, wall(b, hook, call, args...))
			}
			for _, q := range []int{50, 95} {
				e, h := percentile(base, q), percentile(times, q)
				b.ReportMetric(ms(h), fmt.Sprintf("p%d-ms", q))
				b.ReportMetric(float64(h)/float64(e), fmt.Sprintf("p%d-x-empty", q))
			}
		})
	}
}

// largePolicy returns the arguments for a policy of 2 MB.
func (p place) largePolicy(t testing.TB) []string {
	t.Helper()
	file, pub := p.policy(t, artifacts.Guardrail{})
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pol, _, err := artifacts.Open(data, artifacts.Trust{})
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < (2<<20)/(taskDigest+2); i++ {
		d := binary.BigEndian.AppendUint32(nil, uint32(i))
		pol.TaskDigests = append(pol.TaskDigests, append(d, make([]byte, taskDigest-4)...))
	}
	p.seal(t, pol)
	if info, err := os.Stat(file); err != nil || info.Size() < 2<<20-1<<10 {
		t.Fatalf("the policy has %d bytes: %v", info.Size(), err)
	}
	return []string{"-policy", file, "-trust", pub}
}

// taskDigest is the length of a task's digest (FORMAT.md, TASK).
const taskDigest = 16

func wall(t testing.TB, name, stdin string, args ...string) time.Duration {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Stdin = strings.NewReader(stdin)
	start := time.Now()
	out, err := cmd.CombinedOutput()
	d := time.Since(start)
	if err != nil {
		t.Fatalf("%s: %v: %s", name, err, out)
	}
	return d
}

func percentile(list []time.Duration, p int) time.Duration {
	s := slices.Clone(list)
	slices.Sort(s)
	return s[min(len(s)-1, len(s)*p/100)]
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
