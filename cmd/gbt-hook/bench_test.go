package main

import (
	"encoding/binary"
	"flag"
	"fmt"
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
// of the whole process, beside that of a Go program that does nothing.
//
//	go test ./cmd/gbt-hook -run TestStartup -startup 400 -v
//
// prints the ratios, also with a signed policy of 2 MB; -startup-policy FILE adds
// one of your own.
var (
	startupRuns   = flag.Int("startup", 60, "how often TestStartup starts each program")
	startupPolicy = flag.String("startup-policy", "", "a policy file for TestStartup")
)

// startupLimit is the ratio that the whole process must keep at its 95th
// percentile, as asked of the hook.
const startupLimit = 8

const emptyProgram = "package main\n\nfunc main() {}\n"

// TestStartup starts an empty program and the hook in turn, so that what else
// the machine does falls on both.
func TestStartup(t *testing.T) {
	dir, p := t.TempDir(), newPlace(t)
	if err := os.WriteFile(filepath.Join(dir, "empty.go"), []byte(emptyProgram), 0o600); err != nil {
		t.Fatal(err)
	}
	build := func(out, what string) string {
		out = filepath.Join(dir, out)
		if text, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, what).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		return out
	}
	empty, hook := build("empty", filepath.Join(dir, "empty.go")), build("gbt-hook", ".")
	variants := []struct {
		name string
		args []string
	}{
		{"no policy", nil},
		{"session state", []string{"-state", filepath.Join(p.home, "state")}},
		{"policy of 2 MB", append(p.largePolicy(t), "-state", filepath.Join(p.home, "state"))},
	}
	if *startupPolicy != "" {
		variants = append(variants, struct {
			name string
			args []string
		}{"policy", []string{"-policy", *startupPolicy}})
	}
	call := p.shellCall("claude-code", "s", "go test ./... 2>&1 | tail -20")
	for _, v := range variants {
		var base, times []time.Duration
		for range *startupRuns {
			base = append(base, wall(t, empty, ""))
			times = append(times, wall(t, hook, call, append([]string{"claude-code"}, v.args...)...))
		}
		line := v.name
		var p95 float64
		for _, q := range []int{50, 95, 99} {
			b, h := percentile(base, q), percentile(times, q)
			ratio := float64(h) / float64(b)
			if q == 95 {
				p95 = ratio
			}
			line += fmt.Sprintf("  p%d %.2f/%.2f ms = %.1f", q, ms(h), ms(b), ratio)
		}
		t.Log(line)
		if p95 > startupLimit {
			t.Errorf("%s: the hook takes %.1f times an empty program at the 95th percentile, more than %d", v.name, p95, startupLimit)
		}
	}
}

// largePolicy returns the arguments for a policy of 2 MB.
func (p place) largePolicy(t *testing.T) []string {
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

func wall(t *testing.T, name, stdin string, args ...string) time.Duration {
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
