package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/origin"
	"github.com/gbt-policy/gbt/internal/hosts"
)

// keeper is a hook that keeps one session in a directory of its own.
type keeper struct{ config }

func remembering(tb testing.TB) *keeper {
	tb.Helper()
	h, ok := hosts.Lookup("claude-code")
	if !ok {
		tb.Fatal("no such host")
	}
	return &keeper{config{host: chosenHost{h, true}, state: tb.TempDir(), timeout: time.Second}}
}

// open opens the session.
func (c *keeper) open(tb testing.TB) *session {
	tb.Helper()
	s, err := c.openSession(&hosts.Input{Session: "s"})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// tell adds what came back, or what the user said, as the hook does after a call.
func (c *keeper) tell(tb testing.TB, events ...*hosts.Event) {
	tb.Helper()
	for _, e := range events {
		s := c.open(tb)
		s.observe(e)
		if err := s.save(); err != nil {
			tb.Fatal(err)
		}
		s.close()
	}
}

// from is where a value comes from, for the next call.
func (c *keeper) from(tb testing.TB, value string) string {
	tb.Helper()
	s := c.open(tb)
	defer s.close()
	var st gates.State
	s.past.Before(&st)
	x, source, _ := st.Sources.Find(value)
	return x + " " + source
}

func result(texts ...string) *hosts.Event {
	e := &hosts.Event{Input: hosts.Input{Call: gates.Request{Tool: "mcp__web__get_page", Args: []byte("{}")}}}
	for _, text := range texts {
		e.Results = append(e.Results, []byte(text))
	}
	return e
}

// TestSources: a value out of a result is known in the next call, and what no
// longer fits makes every unknown value untrusted.
func TestSources(t *testing.T) {
	c := remembering(t)
	if got := c.from(t, "alpha-beta"); got != "agent " {
		t.Errorf("before: %s", got)
	}
	c.tell(t, &hosts.Event{Prompt: "write to gamma-delta"}, result("see alpha-beta there", "failed at eta-theta"))
	for value, want := range map[string]string{"alpha-beta": "untrusted get_page", "eta-theta": "untrusted get_page", "gamma-delta": "task ", "epsilon-zeta": "agent "} {
		if got := c.from(t, value); got != want {
			t.Errorf("%s: %s, want %s", value, got, want)
		}
	}
	page := result(strings.Repeat("some words of a page ", maxIndex/40))
	c.tell(t, page, page, page)
	s := c.open(t)
	info, err := os.Stat(s.file)
	if err != nil || info.Size() > 2*maxIndex {
		t.Errorf("a session of %d bytes: %v", info.Size(), err)
	}
	s.close()
	for value, want := range map[string]string{"epsilon-zeta": "untrusted " + origin.Dropped, "alpha-beta": "untrusted get_page", "gamma-delta": "task "} {
		if got := c.from(t, value); got != want {
			t.Errorf("%s, after results were dropped: %s, want %s", value, got, want)
		}
	}
}

// TestLongSessionsStayReadable: whatever comes back, and however often, the file
// is one that the next call can read.
func TestLongSessionsStayReadable(t *testing.T) {
	for name, text := range map[string]string{
		"words":     strings.Repeat("some words of a page ", 5000),
		"numbers":   "[" + strings.Repeat("1,", 50_000) + "1]",
		"long keys": `{"` + strings.Repeat("k", 100_000) + `":1}`,
		"escapes":   strings.Repeat("<&>\x00\xff\u2028", 5000),
	} {
		c := remembering(t)
		for range 40 {
			c.tell(t, result(text))
		}
		s := c.open(t)
		if info, err := os.Stat(s.file); err != nil || info.Size() > maxSession/2 {
			t.Errorf("%s: a session of %d bytes: %v", name, info.Size(), err)
		}
		s.close()
	}
}

// TestSessionDamaged: a session that can't be read whole is an error, never less
// to compare with.
func TestSessionDamaged(t *testing.T) {
	c := remembering(t)
	c.tell(t, result("see alpha-beta there"))
	s := c.open(t)
	s.close()
	good, err := os.ReadFile(s.file)
	if err != nil {
		t.Fatal(err)
	}
	index := bytes.LastIndexByte(good, '\n') + 1
	if index == 0 || index == len(good) {
		t.Fatalf("no index in %s", good)
	}
	broken := [][]byte{nil, bytes.Repeat([]byte(" "), maxSession+1), append(bytes.Clone(good), '}'), bytes.Replace(good, []byte(`"heard":true,`), nil, 1),
		append(append(bytes.Clone(good[:index]), "AAAA"...), good[index:]...)}
	for i := range good {
		broken = append(broken, good[:i])
	}
	for _, data := range broken {
		if err := os.WriteFile(s.file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if s, err := c.openSession(&hosts.Input{Session: "s"}); err == nil {
			s.close()
			t.Errorf("%d bytes are read: %.200s", len(data), data)
		}
	}
}

// TestSessionsOfOlderFormats are refused: they kept what came back elsewhere.
func TestSessionsOfOlderFormats(t *testing.T) {
	c := remembering(t)
	s := c.open(t)
	s.close()
	for _, old := range []string{`{"Format":2,"Root":"/w","History":null,"Flow":{"SensitiveRead":true}}`, `{"Format":1}`, `{"Format":4}`, `{"Format":3,"Root":"/w"}`} {
		if err := os.WriteFile(s.file, []byte(old), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := c.openSession(&hosts.Input{Session: "s"}); err == nil || !strings.Contains(err.Error(), "end the session") {
			t.Errorf("%s: %v", old, err)
		}
	}
}

// BenchmarkSources reads a full session and asks it for one value, as the hook
// does before a call.
func BenchmarkSources(b *testing.B) {
	for name, text := range map[string]string{
		"words":   strings.Repeat("some words of a page 1234 ", maxIndex/26/200),
		"numbers": "[" + strings.Repeat("1,", maxIndex/2/200) + "1]",
	} {
		b.Run(name, func(b *testing.B) {
			c := remembering(b)
			for range 200 {
				c.tell(b, result(text))
			}
			for b.Loop() {
				c.from(b, "thief@evil.example")
			}
		})
	}
}
