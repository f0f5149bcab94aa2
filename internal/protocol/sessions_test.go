package protocol

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/traverse"
)

// learned is a small policy distilled from example logs, as a file.
var learned = sync.OnceValues(func() ([]byte, error) {
	in := logs.Open([]string{"../../examples/logs/mini-swe-agent/repair-careful"}, logs.Options{})
	out, err := distill.Run(context.Background(), in, distill.Options{Config: distill.DefaultConfig(), Workers: 2})
	if err != nil {
		return nil, err
	}
	return artifacts.Encode(out.Policy)
})

func newService(t testing.TB, opt Options) *Service {
	t.Helper()
	data, err := learned()
	if err != nil {
		t.Fatal(err)
	}
	art, info, err := artifacts.Open(data, artifacts.Trust{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := traverse.New(art, traverse.Options{Digest: info.Digest})
	if err != nil {
		t.Fatal(err)
	}
	opt.Info = *info
	s, err := New(p, opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// do sends one request and gives the code of its fault.
func do(s *Service, op, session, body string) (json.RawMessage, string) {
	out, f := s.Do(context.Background(), &Request{Op: op, Session: session, Body: []byte(body)})
	if f != nil {
		return nil, f.Code
	}
	return out, ""
}

const (
	begin = `{"task":{"id":%q,"text":"fix the bug","checks":[{"id":"tests"}]},"env":{"cwd":"/w","roots":["/w"]}}`
	ls    = `{"call":{"tool":"bash","args":{"command":"ls"}}}`
)

// TestGraves forgets the oldest first, in bounded memory.
func TestGraves(t *testing.T) {
	g := graves{why: map[string]*Fault{}}
	for i := range maxGraves + 10 {
		g.dig(fmt.Sprint(i), "session-expired", "x")
	}
	if len(g.why) != maxGraves || g.why["9"] != nil || g.why["10"] == nil {
		t.Errorf("%d graves", len(g.why))
	}
}

// TestKeptAnswers bounds what is kept for repeats by size.
func TestKeptAnswers(t *testing.T) {
	var r record
	for i := range 5 {
		r.keep(keyed{Key: fmt.Sprint(i), Reply: bytes.Repeat([]byte("x"), keptKeyBytes/2)})
	}
	if len(r.Keys) != 2 || r.Keys[1].Key != "4" {
		t.Errorf("%d answers of half the size kept", len(r.Keys))
	}
	r.keep(keyed{Key: "big", Reply: make([]byte, 10*keptKeyBytes)})
	if len(r.Keys) != 1 || r.Keys[0].Key != "big" {
		t.Errorf("the last answer is always kept: %d", len(r.Keys))
	}
}

// TestTurns gives one request of a session its turn at a time, and bounds those
// that wait.
func TestTurns(t *testing.T) {
	held, free := make(chan struct{}, 8), make(chan struct{})
	s := newService(t, Options{MaxWaiting: 2, Wait: 500 * time.Millisecond, Log: func(*Logged) error {
		held <- struct{}{}
		<-free
		return nil
	}})
	do(s, "startSession", "", fmt.Sprintf(begin, "s"))
	answers := make(chan string, 8)
	ask := func() {
		_, code := do(s, "check", "s", ls)
		answers <- code
	}
	go ask()
	<-held // the first has the turn
	waiting := func(n int) bool {
		s.table.mu.Lock()
		defer s.table.mu.Unlock()
		return s.table.entries["s"].users == n
	}
	for n := 2; n <= 3; n++ {
		go ask()
		for !waiting(n) {
			time.Sleep(time.Millisecond)
		}
	}
	if _, code := do(s, "check", "s", ls); code != "session-busy" {
		t.Errorf("a third that waits: %q", code)
	}
	for range 2 {
		if code := <-answers; code != "timed-out" {
			t.Errorf("waited too long: %q", code)
		}
	}
	if _, code := do(s, "startSession", "", fmt.Sprintf(begin, "other")); code != "" {
		t.Errorf("others are held up: %q", code)
	}
	close(free)
	if code := <-answers; code != "" {
		t.Errorf("the first: %q", code)
	}
	if len(held) != 0 {
		t.Errorf("%d decisions after they timed out", len(held))
	}
}

// TestPanic ends one session, not the service.
func TestPanic(t *testing.T) {
	s := newService(t, Options{})
	do(s, "startSession", "", fmt.Sprintf(begin, "s"))
	do(s, "startSession", "", fmt.Sprintf(begin, "t"))
	_, f := s.within(context.Background(), &Request{Op: "check", Session: "s"}, func(*turn, []byte) (any, *Fault) { panic("gbt: internal error: test") })
	if f == nil || f.Code != "internal" {
		t.Fatalf("%v", f)
	}
	if _, code := do(s, "check", "s", ls); code != "session-expired" {
		t.Errorf("the broken session: %q", code)
	}
	if _, code := do(s, "check", "t", ls); code != "" {
		t.Errorf("another one: %q", code)
	}
}
