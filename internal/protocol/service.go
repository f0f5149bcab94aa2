package protocol

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gbt-policy/gbt/traverse"
)

// Request is what every carrier makes of what came in.
type Request struct {
	Op      string // operationId of docs/openapi.yaml
	Session string
	Key     string // Idempotency-Key
	Body    []byte
}

// Service answers the operations of the contract under one policy.
type Service struct {
	policy  *traverse.Policy
	opt     Options
	table   *table
	logging chan struct{} // a token: Log is called from one goroutine at a time
}

// New makes a service of a policy.
func New(p *traverse.Policy, opt Options) (*Service, error) {
	if opt.Info.Digest != p.Digest() {
		return nil, fmt.Errorf("protocol: the policy is %.12s, its file %.12s", p.Digest(), opt.Info.Digest)
	}
	s := &Service{policy: p, opt: opt.withDefaults(), logging: make(chan struct{}, 1)}
	s.table = newTable(s)
	return s, nil
}

// Live counts the sessions in memory.
func (s *Service) Live() int { return s.table.live() }

// maxKey bounds an Idempotency-Key.
const maxKey = 128

// Do carries out one request and returns the JSON of its answer, or nothing
// where there is none to give.
func (s *Service) Do(ctx context.Context, r *Request) (json.RawMessage, *Fault) {
	ctx, cancel := context.WithTimeout(ctx, s.opt.Wait)
	defer cancel()
	if len(r.Key) > maxKey {
		return nil, Invalid("the Idempotency-Key is longer than %d bytes", maxKey)
	}
	op := Find(r.Op)
	if op == nil {
		return nil, NotFound("no method " + r.Op)
	}
	if op.OfSession() && !IsSessionID(r.Session) {
		return nil, s.table.unknown(r.Session) // and never part of a file's name
	}
	if op.turn != nil {
		return s.within(ctx, r, op.turn)
	}
	return op.do(s, ctx, r)
}

func encode(v any) (json.RawMessage, *Fault) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, internal("answer: %v", err)
	}
	return data, nil
}

// within carries out an operation of a session: once for each key, and stored
// before it is answered.
func (s *Service) within(ctx context.Context, r *Request, handle inTurn) (json.RawMessage, *Fault) {
	e, f := s.table.take(ctx, r.Session)
	if f != nil {
		return nil, f
	}
	defer s.table.give(e)
	sum := requestSum(r.Op, r.Body)
	if r.Key != "" {
		if k, f := e.record.repeated(r.Key, sum); f != nil {
			return nil, f
		} else if k != nil {
			return k.Reply, k.Fault
		}
	}
	n := e.record.N
	e.notes = nil
	out, f := s.handled(ctx, e, r, handle)
	if f != nil && f.Code == "internal" {
		s.table.bury(e, "session-expired", fmt.Sprintf("session %s met an error of the server and has ended; start a new one", e.id))
		return nil, f
	}
	if f != nil && f.Status >= 500 {
		s.spoil(e)
		return nil, f
	}
	if e.record.N == n {
		return out, f // refused before anything happened
	}
	if r.Key != "" {
		e.record.keep(keyed{Key: r.Key, Sum: sum, Fault: f, Reply: out})
	}
	if bad := s.save(e); bad != nil {
		s.spoil(e)
		return nil, bad
	}
	if f == nil {
		s.opt.Record(&Exchange{r.Op, e.id, r.Body, out})
	}
	return out, f
}

func (s *Service) handled(ctx context.Context, e *entry, r *Request, handle inTurn) (out json.RawMessage, f *Fault) {
	defer func() {
		if p := recover(); p != nil { // one broken session must not end all others
			out, f = nil, internal("%v", p)
		}
	}()
	t := &turn{s: s, ctx: ctx, e: e, session: e.session, elapsed: max(0, s.opt.Now().Unix()-e.record.Started)}
	v, f := handle(t, r.Body)
	if f != nil {
		return nil, f
	}
	return encode(v)
}

// spoil gives up what is in memory after an answer that could not be given: the
// store still has the session as it was. Without a store the session goes on:
// what it took note of can only make it stricter.
func (s *Service) spoil(e *entry) {
	if s.opt.Store != nil {
		s.table.forget(e)
	}
}

// save writes a session to the store.
func (s *Service) save(e *entry) *Fault {
	if s.opt.Store == nil {
		return nil
	}
	data, err := encodeRecord(e.record, e.session)
	if err == nil {
		err = s.put(e, data)
	}
	if err != nil {
		return storeFailed(err)
	}
	return nil
}

// log puts a decision on record.
func (s *Service) log(ctx context.Context, l *Logged) *Fault {
	if s.opt.Log == nil {
		return nil
	}
	select {
	case s.logging <- struct{}{}:
	case <-ctx.Done():
		return TimedOut()
	}
	defer func() { <-s.logging }()
	if err := s.opt.Log(l); err != nil {
		return storeFailed(errors.Join(errors.New("the decision could not be put on record"), err))
	}
	return nil
}
