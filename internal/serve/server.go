package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
	"golang.org/x/sync/semaphore"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/protocol"
	"github.com/gbt-policy/gbt/traverse"
)

// Options are the settings of a Server. The zero Options keep sessions in memory
// and take the defaults named at the fields.
type Options struct {
	// Info is what artifacts.Open said about the policy's file.
	Info artifacts.Info
	// Store keeps sessions; nil keeps them in memory only.
	Store protocol.Store
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
	// Page is shown to browsers at /ui; nil for none.
	Page *Page
	// Log is told every decision before its answer goes out. An error keeps the
	// answer back. It is called from one goroutine at a time.
	Log func(*protocol.Logged) error
	// Tracer takes the spans; nil for none.
	Tracer trace.TracerProvider
	// Now is the clock; default time.Now.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	o.MaxBody = protocol.Or(o.MaxBody, 8<<20)
	o.MaxBodies = max(protocol.Or(o.MaxBodies, 8*o.MaxBody), o.MaxBody)
	o.Wait = protocol.Or(o.Wait, 30*time.Second)
	o.HeaderTimeout = protocol.Or(o.HeaderTimeout, 5*time.Second)
	o.ReadTimeout = protocol.Or(o.ReadTimeout, 30*time.Second)
	o.WriteTimeout = protocol.Or(o.WriteTimeout, time.Minute)
	o.IdleTimeout = protocol.Or(o.IdleTimeout, 2*time.Minute)
	o.MaxConns = protocol.Or(o.MaxConns, 4096)
	o.Drain = protocol.Or(o.Drain, 10*time.Second)
	if o.Tracer == nil {
		o.Tracer = noop.NewTracerProvider()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Server carries the operations of the contract to a protocol.Service, and shows
// what it does in metrics and spans.
type Server struct {
	policy  *traverse.Policy
	opt     Options
	service *protocol.Service
	metrics *metrics
	tracer  trace.Tracer
	bodies  *semaphore.Weighted
	closing atomic.Bool
}

// New makes a server of a policy.
func New(p *traverse.Policy, opt Options) (*Server, error) {
	opt = opt.withDefaults()
	s := &Server{
		policy: p, opt: opt, tracer: opt.Tracer.Tracer("github.com/gbt-policy/gbt/internal/serve"), bodies: semaphore.NewWeighted(opt.MaxBodies),
	}
	s.metrics = newMetrics(s)
	var err error
	s.service, err = protocol.New(p, protocol.Options{
		Info: opt.Info, Store: opt.Store, Shadow: opt.Shadow, MaxSessions: opt.MaxSessions, TTL: opt.TTL, Idle: opt.Idle,
		Wait: opt.Wait, MaxWaiting: opt.MaxWaiting, Log: opt.Log, Tell: s.told, Now: opt.Now,
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Close makes the server refuse what comes from now on. Requests under way are
// finished; their sessions are stored with their answers.
func (s *Server) Close() { s.closing.Store(true) }

// do carries out one request of either side.
func (s *Server) do(ctx context.Context, r *protocol.Request) (out json.RawMessage, f *protocol.Fault) {
	began := s.opt.Now()
	ctx, end := s.span(ctx, r)
	defer func() {
		end(f)
		s.metrics.answered(r.Op, f, s.opt.Now().Sub(began))
	}()
	if s.closing.Load() {
		return nil, protocol.ShuttingDown()
	}
	return s.service.Do(ctx, r)
}

// told counts what a request brought about, and notes it in the request's span.
func (s *Server) told(ctx context.Context, e protocol.Event) {
	switch e := e.(type) {
	case protocol.Named:
		inConversation(ctx, e.Session)
	case protocol.Started:
		s.metrics.started.Inc()
	case protocol.Moved:
		s.metrics.moves.WithLabelValues(e.Move.Verdict.String()).Inc()
		moved(ctx, e.Move)
	case protocol.Decided:
		s.metrics.decisions.WithLabelValues(e.Decision.Disposition.String()).Inc()
		decided(ctx, e.Tool, e.Decision, e.ID)
	case protocol.Claimed:
		s.metrics.finish(e.Outcome)
	case protocol.Expired:
		s.metrics.expired.Inc()
	default:
		panic(fmt.Sprintf("gbt: internal error: event %T", e))
	}
}
