package mcpproxy

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"sync"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/episode"
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

// settle uses a token up. It reports whether it was given for this very call.
func (l *ledger) settle(token, call string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.past.Settled(token, call)
}

// callHash names a call to the byte.
func callHash(tool string, args []byte) string {
	h := sha256.New()
	h.Write([]byte(tool))
	h.Write([]byte{0})
	h.Write(args)
	return hex.EncodeToString(h.Sum(nil))
}
