package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/traverse"
	"github.com/gbt-policy/gbt/tree"
)

// The goals of a host program.
const (
	maxBinary   = 12 << 20
	maxResident = 40 << 10 // KiB
	maxReady    = 50 * time.Millisecond
	nodes       = 10_000
)

// distilled is a policy of the repository's own logs.
func distilled(t testing.TB) *artifacts.Policy {
	t.Helper()
	in := logs.Open([]string{filepath.Join("..", "logs")}, logs.Options{})
	res, err := distill.Run(context.Background(), in, distill.Options{Config: distill.DefaultConfig(), TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return res.Policy
}

// replicate copies all families, states, leaves and vectors included, under
// other names until the tree has n nodes.
func replicate(p *artifacts.Policy, n int) {
	one := p.Tree
	out := tree.Tree{Nodes: one.Nodes[:1:1], Clusters: one.Clusters}
	for copies := 0; len(out.Nodes) < n; copies++ {
		state, node, family := int32(len(out.States)), int32(len(out.Nodes))-1, int32(len(out.Families))
		for _, f := range one.Families {
			f.Name = fmt.Sprintf("%03d-%s", copies, f.Name)
			f.First, f.Start, f.Node = f.First+state, f.Start+state, f.Node+node
			f.Common = shift(f.Common, state)
			out.Families = append(out.Families, f)
		}
		for _, s := range one.States {
			s.Family += family
			s.Next = slices.Clone(s.Next)
			for i := range s.Next {
				s.Next[i].To += state
			}
			s.Pre.After = shift(s.Pre.After, state)
			out.States = append(out.States, s)
		}
		for _, x := range one.Nodes[1:] {
			if x.Parent > 0 {
				x.Parent += node
			}
			x.State += state
			out.Nodes = append(out.Nodes, x)
		}
		for _, l := range one.Leaves {
			l.Node += node
			out.Leaves = append(out.Leaves, l)
		}
	}
	p.Tree = out
}

func shift(list []int32, by int32) []int32 {
	list = slices.Clone(list)
	for i := range list {
		list[i] += by
	}
	return list
}

// signed writes a policy of n nodes and its key, and returns their names.
func signed(t testing.TB, n int) (policy, key string) {
	t.Helper()
	p := distilled(t)
	replicate(p, n)
	if len(p.Tree.Nodes) < n {
		t.Fatalf("%d nodes", len(p.Tree.Nodes))
	}
	data, err := artifacts.Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	priv := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	if data, err = artifacts.Sign(data, priv); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	policy, key = filepath.Join(dir, "policy.gbt"), filepath.Join(dir, "key.pub")
	for name, content := range map[string][]byte{policy: data, key: artifacts.MarshalPublicKey(priv.Public().(ed25519.PublicKey))} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("policy of %d nodes, %d states, %d leaves: %d KiB", len(p.Tree.Nodes), len(p.Tree.States), len(p.Tree.Leaves), len(data)>>10)
	return policy, key
}

// TestHost builds the program as it would be shipped and runs it on a policy of
// 10,000 nodes: its size, its memory, and how long it takes to be ready.
func TestHost(t *testing.T) {
	policy, key := signed(t, nodes)
	bin := filepath.Join(t.TempDir(), "embed")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", bin, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	info, err := os.Stat(bin)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > maxBinary {
		t.Errorf("the program has %d bytes, goal %d", info.Size(), maxBinary)
	}
	best, resident := time.Hour, int64(0)
	const runs = 3
	for range runs {
		cmd := exec.Command(bin, policy, key, "fix the bug in the parser so that the tests pass")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		best = min(best, readyIn(t, string(out)))
		resident = max(resident, residentIn(t, string(out)))
		for _, want := range []string{`check {"command":"rm -rf /"}: rejected`, "finish: "} {
			if !strings.Contains(string(out), want) {
				t.Fatalf("no %q in\n%s", want, out)
			}
		}
	}
	if resident > maxResident {
		t.Errorf("%d KiB resident at most, goal %d", resident, maxResident)
	}
	// The time is printed, not judged: the machine may be busy.
	t.Logf("program %d KiB, at most %d KiB resident, ready after %v (best of %d, goal %v)", info.Size()>>10, resident, best, runs, maxReady)
}

func readyIn(t *testing.T, out string) time.Duration {
	t.Helper()
	line, _, _ := strings.Cut(out, "\n")
	us, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(line, "ready "), " us"))
	if err != nil {
		t.Fatalf("no time in %q", line)
	}
	return time.Duration(us) * time.Microsecond
}

// residentIn reads the program's own figure: its parent's, at the time of the
// fork, would be counted with any other.
func residentIn(t *testing.T, out string) int64 {
	t.Helper()
	_, line, _ := strings.Cut(out, "\nresident ")
	kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(line), " kB"), 10, 64)
	if err != nil && runtime.GOOS == "linux" {
		t.Fatalf("no memory in %q", line)
	}
	return kib
}

// BenchmarkReady is opening, verifying and indexing a policy of 10,000 nodes,
// and the floor beside it: checking the signature alone.
func BenchmarkReady(b *testing.B) {
	policy, key := signed(b, nodes)
	data, err := os.ReadFile(policy)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("ready", func(b *testing.B) {
		for b.Loop() {
			p, err := open(policy, key)
			if err != nil {
				b.Fatal(err)
			}
			p.Start(traverse.Task{Text: "fix the bug"}, traverse.Env{})
		}
	})
	b.Run("floor-signature", func(b *testing.B) {
		priv := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
		sig := ed25519.Sign(priv, data)
		pub := priv.Public().(ed25519.PublicKey)
		for b.Loop() {
			if !ed25519.Verify(pub, data, sig) {
				b.Fatal("bad signature")
			}
		}
	})
}
