package main

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/internal/artifacts/trust"
)

// TestKilledWhileEvolving kills a run that replaces a policy in place, at random
// moments of its work and of its writing. What stands there then is the old policy
// or the new one, with the contexts that it pins, and the next run goes on from it.
func TestKilledWhileEvolving(t *testing.T) {
	dir := t.TempDir()
	policy, first, second := filepath.Join(dir, "p.gbt"), pairOf(t, dir, "first"), pairOf(t, dir, "second")
	gbtNow(t, "distill", "-q", exampleFile("mini-swe-agent", "release-careful"), "-o", first)
	evolving := func(from string) []string {
		return []string{"evolve", "-q", from, "--logs", exampleFile("mini-swe-agent", "repair-hasty"), "-o", policy}
	}
	began := time.Now()
	gbtNow(t, evolving(first)...)
	whole := time.Since(began)
	copyPair(t, policy, second)

	const seed = 5
	rounds := 12
	if testing.Short() {
		rounds = 4
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	met := map[string]int{}
	for round := range rounds {
		copyPair(t, first, policy)
		cmd := gbtCommand(t.Context(), evolving(policy)...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { cmd.Wait(); close(ended) }()
		if round%4 == 0 {
			time.Sleep(time.Duration(rng.Int64N(int64(whole))))
		} else {
			untilWriting(dir, ended)
			time.Sleep(time.Duration(rng.Int64N(int64(16 * time.Millisecond))))
		}
		cmd.Process.Kill() // SIGKILL, to the process this test started
		<-ended
		met[whichPair(t, policy, first, second)]++
		if t.Failed() {
			t.Fatalf("seed %d, round %d", seed, round)
		}
	}
	t.Logf("%v after %d kills", met, rounds)
	gbtNow(t, "evolve", "-q", policy, "--logs", exampleFile("mini-swe-agent", "repair-hasty"), "-o", policy)
	if waiting := nextName(contextsBeside(policy)); exists(waiting) {
		t.Errorf("%s is left", waiting)
	}
}

// TestPolicyThatCannotBeWritten: the contexts beside a policy stay what they were
// where the policy cannot take its name.
func TestPolicyThatCannotBeWritten(t *testing.T) {
	policy := filepath.Join(t.TempDir(), "p.gbt")
	beside := contextsBeside(policy)
	if err := os.WriteFile(beside, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(policy, "full"), 0o777); err != nil { // no file takes the name of a full folder
		t.Fatal(err)
	}
	if err := writeFiles([]newFile{{beside, []byte("new"), 0o644}, {policy, []byte("new"), 0o644}}); err == nil {
		t.Fatal("no error")
	}
	if got, err := os.ReadFile(beside); err != nil || string(got) != "old" {
		t.Errorf("%q, %v", got, err)
	}
	if left, err := filepath.Glob(beside + "*"); err != nil || len(left) != 1 {
		t.Errorf("left: %q, %v", left, err)
	}
}

// TestContextsThatWait holds what a run leaves that is killed between two names:
// the contexts of whichever policy stands there are found, and put in their place
// before others take the one where they wait.
func TestContextsThatWait(t *testing.T) {
	dir := t.TempDir()
	first, second := pairOf(t, dir, "first"), pairOf(t, dir, "second")
	gbtNow(t, "distill", "-q", exampleFile("mini-swe-agent", "release-careful"), "-o", first)
	gbtNow(t, "distill", "-q", exampleFile("mini-swe-agent", "repair-hasty"), "-o", second)
	for _, c := range []struct{ name, policy, beside string }{
		{"before the policy has its name", first, first},
		{"before the contexts have theirs", second, first},
		{"a first policy", second, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			policy := filepath.Join(t.TempDir(), "p.gbt")
			copyPair(t, c.policy, policy)
			beside := contextsBeside(policy)
			if err := os.Remove(beside); err != nil {
				t.Fatal(err)
			}
			if c.beside != "" {
				copyFile(t, contextsBeside(c.beside), beside)
			}
			copyFile(t, contextsBeside(second), nextName(beside))
			if !hasContexts(policy) {
				t.Error("no contexts")
			}
			whichPair(t, policy, first, second)
			if err := settle(policy); err != nil || exists(nextName(beside)) {
				t.Errorf("%v, still waiting: %v", err, exists(nextName(beside)))
			}
			whichPair(t, policy, first, second)
		})
	}
}

func exampleFile(parts ...string) string {
	return filepath.Join(append([]string{"..", "..", "examples", "logs"}, parts...)...)
}

func pairOf(t *testing.T, dir, name string) string {
	t.Helper()
	if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, name, "p.gbt")
}

func gbtCommand(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Args[0] = "gbt" // see TestMain
	return cmd
}

func gbtNow(t *testing.T, args ...string) {
	t.Helper()
	if out, err := gbtCommand(t.Context(), args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// copyPair puts a policy and its contexts under another name, with nothing else.
func copyPair(t *testing.T, from, to string) {
	t.Helper()
	copyFile(t, from, to)
	copyFile(t, contextsBeside(from), contextsBeside(to))
	os.Remove(nextName(contextsBeside(to))) // there or not
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// untilWriting waits for the first file that a run makes, or for its end.
func untilWriting(dir string, ended <-chan struct{}) {
	hidden := func() int {
		list, _ := filepath.Glob(filepath.Join(dir, ".*")) // the pattern is good
		return len(list)
	}
	for before := hidden(); hidden() <= before; {
		select {
		case <-ended:
			return
		case <-time.After(100 * time.Microsecond):
		}
	}
}

// whichPair says whether a policy is the first or the second, and holds what is
// beside it to the contexts that it pins.
func whichPair(t *testing.T, policy, first, second string) string {
	t.Helper()
	data, err := os.ReadFile(policy)
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := readPolicy(policy, trust.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pinnedContexts(p, policy, ""); err != nil {
		t.Error(err)
	}
	for _, pair := range []string{first, second} {
		want, err := os.ReadFile(pair)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(data, want) {
			return filepath.Base(filepath.Dir(pair))
		}
	}
	t.Error("the policy is neither the old one nor the new one")
	return ""
}
