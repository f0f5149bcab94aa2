package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/origin"
	"github.com/gbt-policy/gbt/internal/hosts"
)

func observing(tb testing.TB) *session {
	tb.Helper()
	return &session{file: filepath.Join(tb.TempDir(), "s.json")}
}

func result(text string) *hosts.Event {
	return &hosts.Event{Input: hosts.Input{Call: gates.Request{Tool: "get_page", Args: []byte("{}")}}, Results: [][]byte{[]byte(text)}}
}

// TestSources: a value out of a result is known in the next call, and what no
// longer fits makes every unknown value untrusted.
func TestSources(t *testing.T) {
	s := observing(t)
	find := func(value string) string {
		t.Helper()
		x, err := s.sources()
		if err != nil {
			t.Fatal(err)
		}
		origin, source, _ := x.Find(value)
		return origin + " " + source
	}
	if got := find("alpha-beta"); got != "agent " {
		t.Errorf("before: %s", got)
	}
	for _, e := range []*hosts.Event{{Prompt: "write to gamma-delta"}, result("see alpha-beta there")} {
		if err := s.observe(e); err != nil {
			t.Fatal(err)
		}
	}
	for value, want := range map[string]string{"alpha-beta": "untrusted get_page", "gamma-delta": "task ", "epsilon-zeta": "agent "} {
		if got := find(value); got != want {
			t.Errorf("%s: %s, want %s", value, got, want)
		}
	}
	for range 3 {
		if err := s.observe(result(strings.Repeat("some words of a page ", maxIndex/40))); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(s.flowFile()); err != nil || info.Size() > maxIndex || !s.Dropped {
		t.Errorf("index of %d bytes, dropped %v: %v", info.Size(), s.Dropped, err)
	}
	if got := find("epsilon-zeta"); got != "untrusted "+origin.Dropped {
		t.Errorf("after results were dropped: %s", got)
	}
	if got := find("gamma-delta"); got != "task " {
		t.Errorf("what the user named, after results were dropped: %s", got)
	}
}

// TestSourcesLost: an index that has gone or is damaged is an error, never less
// to compare with.
func TestSourcesLost(t *testing.T) {
	s := observing(t)
	if err := s.observe(result("see alpha-beta there")); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(s.flowFile())
	if err != nil {
		t.Fatal(err)
	}
	for _, broken := range [][]byte{nil, data[:len(data)-1], bytes.Repeat(data, 1+2*maxIndex/len(data))} {
		if err := os.WriteFile(s.flowFile(), broken, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.sources(); err == nil {
			t.Errorf("%d bytes are read", len(broken))
		}
	}
	if err := os.Remove(s.flowFile()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.sources(); err == nil {
		t.Error("a missing index is empty")
	}
}

// BenchmarkSources reads a full index and asks it for one value, as the hook
// does before a call.
func BenchmarkSources(b *testing.B) {
	s := observing(b)
	for range 200 {
		if err := s.observe(result(strings.Repeat("some words of a page 1234 ", maxIndex/26/200))); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		x, err := s.sources()
		if err != nil {
			b.Fatal(err)
		}
		x.Find("thief@evil.example")
	}
}
