package mcpproxy

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"sync"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/episode"
	"github.com/gbt-policy/gbt/gates/scope"
)

// ledger is the memory of the connection, shared by all calls that go through it
// at the same time.
type ledger struct {
	mu    sync.Mutex
	calls int64
	past  episode.Memory
}

// ran notes that a call is about to run. Noting it before and not after its
// result means that a call made at the same time is judged with it. The caller
// holds the lock.
func (l *ledger) ran(c *gates.Context) {
	l.calls++
	l.past.Ran(c, l.calls)
}

// returned notes what came back: results, errors, resources and prompts.
func (l *ledger) returned(tool string, args []byte, texts ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.past.Returned(tool, args, texts...)
}

// task notes words of the user's.
func (l *ledger) task(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.past.Hear(text)
}

// ask returns the token that confirms a call. It is random, so that nobody who has
// not been shown it can name it. The caller holds the lock.
func (l *ledger) ask(call string) string {
	return l.past.Ask(call, func(int64) string { return rand.Text() })
}

// offer asks about a call as ask does, and offers what a yes can be remembered for,
// which it returns in words. The caller holds the lock.
func (l *ledger) offer(call string, c *gates.Context, d *gates.Decision) (token, words string) {
	token = l.ask(call)
	s, words := scope.Offer(c, d)
	l.past.Offer(token, s)
	return token, words
}

// settle uses a token up that was given for this very call, and says what the answer to
// it counts as: one to another call is none, and a yes for the session to a question that
// offers none (any more) is no yes.
func (l *ledger) settle(token, call string, a answer) answer {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case a == session && l.past.SettledSession(token, call):
		return session
	case !l.past.Settled(token, call):
		return unanswered // asked anew, if it has to be
	case a == session:
		return refused
	}
	return a
}

// callHash names a call to the byte.
func callHash(tool string, args []byte) string {
	h := sha256.New()
	h.Write([]byte(tool))
	h.Write([]byte{0})
	h.Write(args)
	return hex.EncodeToString(h.Sum(nil))
}
