package protocol

import (
	"context"
	"encoding/json"
	"time"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/traverse"
)

// Store keeps sessions by their ids, which are names of files that any file
// system takes. Put replaces atomically: after a kill Get finds the old bytes or
// the new ones. Get of what is not there is an error that wraps fs.ErrNotExist;
// Delete of it is none. A Store is used from many goroutines, never from two for
// the same id.
type Store interface {
	Get(id string) ([]byte, error)
	Put(id string, data []byte) error
	Delete(id string) error
}

// Options are the settings of a Service. The zero Options keep sessions in
// memory and take the defaults named at the fields.
type Options struct {
	// Info is what artifacts.Open said about the policy's file.
	Info artifacts.Info
	// Store keeps sessions; nil keeps them in memory only.
	Store Store
	// Shadow makes every session one that is never steered or stopped.
	Shadow bool
	// MaxSessions bounds the sessions in memory; default 4,096. Past it the one
	// used least recently makes room: with a Store it can be read back, without
	// one it must have been idle for Idle, else no session is started.
	MaxSessions int
	// TTL is how long a session may be idle; default 24 hours. With a Store it
	// only leaves the memory then.
	TTL time.Duration
	// Idle is how long a session must have been idle to make room; default a
	// minute.
	Idle time.Duration
	// Wait is how long a request waits for its turn; default 30 seconds.
	Wait time.Duration
	// MaxWaiting bounds the requests of one session that wait; default 32.
	MaxWaiting int
	// Log is told every decision before its answer goes out. An error keeps the
	// answer back. It is called from one goroutine at a time.
	Log func(*Logged) error
	// Record is told of every operation on a session that was carried out, before its
	// answer goes out; nil for nobody. It is called from many goroutines, never from two
	// for one session, and must not keep or change the bytes.
	Record func(*Exchange)
	// Tell is told what requests bring about, in their own context, before they
	// are answered; nil for nobody.
	Tell func(context.Context, Event)
	// Now is the clock; default time.Now.
	Now func() time.Time
}

// Logged is a decision as it is put on record.
type Logged struct {
	Policy   string // digest
	Session  string // empty for a call outside of any session
	Call     traverse.Call
	Context  *gates.Context
	Decision *gates.Decision
	ID       string
}

// Exchange is an operation on a session, with its answer.
type Exchange struct {
	Op, Session     string
	Request, Answer json.RawMessage
}

// Event is what a request brought about: Named, Started, Moved, Decided, Claimed
// or Expired.
type Event interface{ event() }

type (
	// Named is the session of a request that may have had no name for it.
	Named struct{ Session string }
	// Started is a session begun.
	Started struct{}
	// Moved is an answer to a proposal.
	Moved struct{ Move *traverse.Move }
	// Decided is a decision on a call; Tool is cut to a length for people.
	Decided struct {
		Tool     string
		Decision *gates.Decision
		ID       string
	}
	// Claimed is the answer to a claim to be done.
	Claimed struct{ Outcome *traverse.Outcome }
	// Expired is a session lost for idling or to make room.
	Expired struct{}
)

func (Named) event()   {}
func (Started) event() {}
func (Moved) event()   {}
func (Decided) event() {}
func (Claimed) event() {}
func (Expired) event() {}

func (o Options) withDefaults() Options {
	o.MaxSessions = Or(o.MaxSessions, 4096)
	o.TTL = Or(o.TTL, 24*time.Hour)
	o.Idle = Or(o.Idle, time.Minute)
	o.Wait = Or(o.Wait, 30*time.Second)
	o.MaxWaiting = Or(o.MaxWaiting, 32)
	if o.Tell == nil {
		o.Tell = func(context.Context, Event) {}
	}
	if o.Record == nil {
		o.Record = func(*Exchange) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Or is a setting, or its default where it is not set.
func Or[T int | int64 | time.Duration](n, instead T) T {
	if n <= 0 {
		return instead
	}
	return n
}
