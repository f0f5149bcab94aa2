package approvals

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Request is a call that needs a person's yes.
type Request struct {
	Door string          // the front end, as "hook codex"
	Tool string          // as the front end names it
	Args json.RawMessage // of the call
	Cwd  string          // where it would run
	Asks []string        // what is asked, rule by rule; a yes is to these and to no others
	Says string          // what the person reads about it, in lines; empty in files of before it was kept
}

// State is what became of a request.
type State string

// The states. There is none for what was used: it is gone.
const (
	Pending  State = "pending"
	Approved State = "approved"
	Denied   State = "denied"
)

// Entry is a request in the queue.
type Entry struct {
	Request
	ID      string
	State   State
	Asked   time.Time
	Expires time.Time // a question or a yes is none from then on
}

// Queue is where requests wait. Times are the caller's, so that a queue draws no
// conclusions from a clock of its own.
type Queue interface {
	// Ask puts a request into the queue, once: a request that is there already is
	// returned as it is, also where it was denied.
	Ask(r Request, now time.Time) (Entry, error)
	// Take uses up the yes to a request, and says whether there was one.
	Take(r Request, now time.Time) (bool, error)
	// Approve and Deny answer a pending request. A yes holds for the time given.
	Approve(id string, hold time.Duration, now time.Time) (Entry, error)
	Deny(id string, now time.Time) (Entry, error)
	// List returns what has not expired, the oldest first.
	List(now time.Time) ([]Entry, error)
	// Find returns one of them, by its id or the beginning of it.
	Find(id string, now time.Time) (Entry, error)
}

// Limits. A question waits for a working day; a yes is for the next try and not for
// one that nobody thinks of any more.
const (
	KeepAsked = 12 * time.Hour
	Hold      = 15 * time.Minute
	MaxHold   = 24 * time.Hour

	maxArgs    = 256 << 10 // longer calls can't be shown to a person either
	maxAsks    = 64
	maxSays    = 4 << 10
	maxPending = 200
	idLen      = 12
)

// Errors that callers tell apart.
var (
	ErrUnknown = errors.New("there is no such request, or it has expired")
	ErrFull    = errors.New("too many requests wait")
	ErrTooLong = errors.New("the call is too long to be shown to a person")
)

// digest names the call: everything that decides what it does, each part with its
// length before it.
func (r *Request) digest() (string, error) {
	args, err := canonical(r.Args)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for _, part := range [][]byte{[]byte("gbt approval 1"), []byte(r.Door), []byte(r.Tool), args, []byte(r.Cwd)} {
		fmt.Fprintf(h, "%d:", len(part))
		h.Write(part)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// canonical is the one text of arguments that differ in spaces and order only.
func canonical(args json.RawMessage) ([]byte, error) {
	if len(args) > maxArgs {
		return nil, ErrTooLong
	}
	dec := json.NewDecoder(bytes.NewReader(args))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, fmt.Errorf("the arguments are not JSON: %w", err)
	}
	return json.Marshal(v)
}

// covers says whether a yes to these questions answers those.
func covers(yes, asks []string) bool {
	for _, a := range asks {
		if !slices.Contains(yes, a) {
			return false
		}
	}
	return len(asks) > 0
}

func (r *Request) check() error {
	switch {
	case r.Door == "" || r.Tool == "":
		return errors.New("a request names its front end and its tool")
	case len(r.Asks) == 0:
		return errors.New("a request says what is asked")
	case len(r.Asks) > maxAsks, len(r.Says) > maxSays:
		return ErrTooLong
	}
	return nil
}
