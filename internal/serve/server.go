package serve

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
	"golang.org/x/sync/semaphore"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/traverse"
)

// Options are the settings of a Server. The zero Options keep sessions in memory
// and take the defaults named at the fields.
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
	// MaxBody bounds a request's body in bytes; default 8 MiB. MaxBodies bounds
	// all large bodies being read at one time; default eight of the largest.
	MaxBody, MaxBodies int64
	// Wait is how long a request waits for its turn; default 30 seconds.
	Wait time.Duration
	// MaxWaiting bounds the requests of one session that wait; default 32.
	MaxWaiting int
	// HeaderTimeout, ReadTimeout, WriteTimeout and IdleTimeout bound what a slow
	// client may take on one connection; default 5, 30, 60 and 120 seconds.
	HeaderTimeout, ReadTimeout, WriteTimeout, IdleTimeout time.Duration
	// MaxConns bounds open connections; default 4,096. More wait.
	MaxConns int
	// Drain is how long Serve waits for requests under way; default 10 seconds.
	Drain time.Duration
	// Token must come with every HTTP request, if it is set.
	Token string
	// Log is told every decision before its answer goes out. An error keeps the
	// answer back. It is called from one goroutine at a time.
	Log func(*Logged) error
	// Tracer takes the spans; nil for none.
	Tracer trace.TracerProvider
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

func (o Options) withDefaults() Options {
	o.MaxSessions = orInstead(o.MaxSessions, 4096)
	o.TTL = orInstead(o.TTL, 24*time.Hour)
	o.Idle = orInstead(o.Idle, time.Minute)
	o.MaxBody = orInstead(o.MaxBody, 8<<20)
	o.MaxBodies = max(orInstead(o.MaxBodies, 8*o.MaxBody), o.MaxBody)
	o.Wait = orInstead(o.Wait, 30*time.Second)
	o.MaxWaiting = orInstead(o.MaxWaiting, 32)
	o.HeaderTimeout = orInstead(o.HeaderTimeout, 5*time.Second)
	o.ReadTimeout = orInstead(o.ReadTimeout, 30*time.Second)
	o.WriteTimeout = orInstead(o.WriteTimeout, time.Minute)
	o.IdleTimeout = orInstead(o.IdleTimeout, 2*time.Minute)
	o.MaxConns = orInstead(o.MaxConns, 4096)
	o.Drain = orInstead(o.Drain, 10*time.Second)
	if o.Tracer == nil {
		o.Tracer = noop.NewTracerProvider()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

func orInstead[T int | int64 | time.Duration](n, instead T) T {
	if n <= 0 {
		return instead
	}
	return n
}

// Server answers the operations of the contract under one policy.
type Server struct {
	policy  *traverse.Policy
	opt     Options
	table   *table
	metrics *metrics
	tracer  trace.Tracer
	bodies  *semaphore.Weighted
	logging chan struct{} // a token: Log is called from one goroutine at a time
	closing atomic.Bool
	about   *policyReply
}

// New makes a server of a policy.
func New(p *traverse.Policy, opt Options) (*Server, error) {
	opt = opt.withDefaults()
	if opt.Info.Digest != p.Digest() {
		return nil, fmt.Errorf("serve: the policy is %.12s, its file %.12s", p.Digest(), opt.Info.Digest)
	}
	s := &Server{
		policy: p, opt: opt, tracer: opt.Tracer.Tracer("github.com/gbt-policy/gbt/internal/serve"), bodies: semaphore.NewWeighted(opt.MaxBodies),
		logging: make(chan struct{}, 1), about: policyOf(p.Artifact(), &opt.Info, opt.Shadow),
	}
	s.table = newTable(s)
	s.metrics = newMetrics(s)
	return s, nil
}

// Close makes the server refuse what comes from now on. Requests under way are
// finished; their sessions are stored with their answers.
func (s *Server) Close() { s.closing.Store(true) }

// log puts a decision on record.
func (s *Server) log(ctx context.Context, l *Logged) *Fault {
	if s.opt.Log == nil {
		return nil
	}
	select {
	case s.logging <- struct{}{}:
	case <-ctx.Done():
		return timedOut()
	}
	defer func() { <-s.logging }()
	if err := s.opt.Log(l); err != nil {
		return storeFailed(errors.Join(errors.New("the decision could not be put on record"), err))
	}
	return nil
}
