package mcpproxy

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/origin"
)

// ledger remembers what went through the proxy.
type ledger struct {
	mu      sync.Mutex
	calls   int64
	history []gates.Record
	flow    gates.Flow
	index   origin.Index
	asked   []asked
}

// asked is a confirmation that was asked for and not given yet.
type asked struct {
	token string
	call  string // hash of exactly this call
}

// maxAsked bounds the confirmations that are open. The oldest are dropped: such a
// call is asked about again.
const maxAsked = 256

// ran notes that a call is about to run. Noting it before and not after its
// result means that a call made at the same time is judged with it.
func (l *ledger) ran(c *gates.Context) {
	l.calls++
	l.history = append(l.history, c.Records(l.calls)...)
	l.history = slices.Clone(l.history[max(0, len(l.history)-gates.HistoryLimit):])
	l.flow = c.After()
}

// returned notes what came back.
func (l *ledger) returned(tool string, args, result []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.index.ObserveCall(tool, args, result)
}

// task notes words of the user's.
func (l *ledger) task(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.index.Task(text)
}

// ask returns the token that confirms a call.
func (l *ledger) ask(call string) string {
	for _, a := range l.asked {
		if a.call == call {
			return a.token
		}
	}
	// Random, so that nobody who has not been shown it can name it.
	token := rand.Text()
	l.asked = append(l.asked, asked{token, call})
	l.asked = slices.Clone(l.asked[max(0, len(l.asked)-maxAsked):])
	return token
}

// settle uses a token up. It reports whether it was given for this very call.
func (l *ledger) settle(token, call string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.Index(l.asked, asked{token, call})
	if i < 0 {
		return false
	}
	l.asked = slices.Delete(l.asked, i, i+1)
	return true
}

// callHash names a call to the byte.
func callHash(tool string, args []byte) string {
	h := sha256.New()
	h.Write([]byte(tool))
	h.Write([]byte{0})
	h.Write(args)
	return hex.EncodeToString(h.Sum(nil))
}
