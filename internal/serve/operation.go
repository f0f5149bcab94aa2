package serve

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gbt-policy/gbt/traverse"
)

// request is what both transports make of what came in.
type request struct {
	op      string // operationId of docs/openapi.yaml
	session string
	key     string // Idempotency-Key
	body    []byte
}

// turn is one request's time with a session.
type turn struct {
	s       *Server
	ctx     context.Context
	e       *entry
	session *traverse.Session
	elapsed int64 // seconds since the session started, as the server measures
}

// inSession are the operations on a session that may change it.
var inSession = map[string]func(*turn, []byte) (any, *Fault){
	"propose": (*turn).propose,
	"check":   (*turn).check,
	"confirm": (*turn).confirm,
	"observe": (*turn).observe,
	"report":  (*turn).report,
	"finish":  (*turn).finish,
}

// maxKey bounds an Idempotency-Key.
const maxKey = 128

// do carries out one request and returns the JSON of its answer, or nothing
// where there is none to give.
func (s *Server) do(ctx context.Context, r *request) (out json.RawMessage, f *Fault) {
	began := s.opt.Now()
	ctx, cancel := context.WithTimeout(ctx, s.opt.Wait)
	defer cancel()
	ctx, end := s.span(ctx, r)
	defer func() {
		end(f)
		s.metrics.answered(r.op, f, s.opt.Now().Sub(began))
	}()
	if s.closing.Load() {
		return nil, shuttingDown()
	}
	if len(r.key) > maxKey {
		return nil, invalid("the Idempotency-Key is longer than %d bytes", maxKey)
	}
	if needsSession(r.op) && !sessionID.MatchString(r.session) {
		return nil, s.table.unknown(r.session) // and never part of a file's name
	}
	if handle := inSession[r.op]; handle != nil {
		return s.within(ctx, r, handle)
	}
	switch r.op {
	case "startSession":
		return s.start(ctx, r)
	case "getSession":
		return s.get(ctx, r)
	case "deleteSession":
		return nil, s.remove(ctx, r)
	case "checkCall":
		return s.checkCall(ctx, r)
	case "getPolicy":
		return encode(s.about)
	}
	panic("gbt: internal error: operation " + r.op)
}

func encode(v any) (json.RawMessage, *Fault) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, internal("answer: %v", err)
	}
	return data, nil
}

// start begins a session. A repeat of the request, by key and id, gets the
// answer again.
func (s *Server) start(ctx context.Context, r *request) (json.RawMessage, *Fault) {
	var in startRequest
	if f := decode(r.body, &in); f != nil {
		return nil, f
	}
	task, f := in.Task.task()
	if f != nil {
		return nil, f
	}
	env, f := in.Env.env("env")
	if f != nil {
		return nil, f
	}
	if env == nil {
		env = &traverse.Env{UID: -1, GID: -1}
	}
	named := task.ID != ""
	if !named {
		var id [16]byte
		rand.Read(id[:]) // never fails: crypto/rand.Read
		task.ID = hex.EncodeToString(id[:])
	}
	task.Shadow = task.Shadow || s.opt.Shadow
	inConversation(ctx, task.ID)
	if named && r.key != "" {
		if out, f, ok := s.again(ctx, r, task.ID); ok {
			return out, f
		}
	}
	e, f := s.table.create(task.ID, s.policy.Start(task, *env))
	if f != nil {
		return nil, f
	}
	defer s.table.give(e)
	return s.begin(e, r, named)
}

// again answers a start that came before with the same key.
func (s *Server) again(ctx context.Context, r *request, id string) (json.RawMessage, *Fault, bool) {
	e, f := s.table.take(ctx, id)
	if f != nil {
		return nil, f, f.Code == "timed-out" || f.Code == "session-busy"
	}
	defer s.table.give(e)
	k, f := e.record.repeated(r.key, requestSum(r.op, r.body))
	if k == nil && f == nil {
		return nil, nil, false
	}
	if f == nil {
		return k.Reply, k.Fault, true
	}
	return nil, f, true
}

// begin stores a new session and makes its answer.
func (s *Server) begin(e *entry, r *request, named bool) (json.RawMessage, *Fault) {
	if named && s.opt.Store != nil {
		if _, err := s.opt.Store.Get(e.id); err == nil {
			s.table.forget(e)
			return nil, conflict("session-exists", "session %s exists", e.id)
		} else if !errors.Is(err, fs.ErrNotExist) {
			s.table.forget(e)
			return nil, storeFailed(err)
		}
	}
	out, f := encode(s.describe(e))
	if f == nil && r.key != "" {
		e.record.keep(keyed{Key: r.key, Sum: requestSum(r.op, r.body), Reply: out})
	}
	if f == nil {
		f = s.save(e)
	}
	if f != nil {
		s.table.forget(e)
		return nil, f
	}
	s.metrics.started.Inc()
	return out, nil
}

func (s *Server) describe(e *entry) *sessionReply {
	return &sessionReply{Session: e.id, Policy: s.policy.Digest(), Task: e.session.Task(), Status: e.session.Status()}
}

// save writes a session to the store.
func (s *Server) save(e *entry) *Fault {
	if s.opt.Store == nil {
		return nil
	}
	data, err := encodeRecord(e.record, e.session)
	if err == nil {
		err = s.opt.Store.Put(e.id, data)
	}
	if err != nil {
		return storeFailed(err)
	}
	return nil
}

// within carries out an operation of a session: once for each key, and stored
// before it is answered.
func (s *Server) within(ctx context.Context, r *request, handle func(*turn, []byte) (any, *Fault)) (json.RawMessage, *Fault) {
	e, f := s.table.take(ctx, r.session)
	if f != nil {
		return nil, f
	}
	defer s.table.give(e)
	sum := requestSum(r.op, r.body)
	if r.key != "" {
		if k, f := e.record.repeated(r.key, sum); f != nil {
			return nil, f
		} else if k != nil {
			return k.Reply, k.Fault
		}
	}
	n := e.record.N
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
	if r.key != "" {
		e.record.keep(keyed{Key: r.key, Sum: sum, Fault: f, Reply: out})
	}
	if bad := s.save(e); bad != nil {
		s.spoil(e)
		return nil, bad
	}
	return out, f
}

func (s *Server) handled(ctx context.Context, e *entry, r *request, handle func(*turn, []byte) (any, *Fault)) (out json.RawMessage, f *Fault) {
	defer func() {
		if p := recover(); p != nil { // one broken session must not end all others
			out, f = nil, internal("%v", p)
		}
	}()
	t := &turn{s: s, ctx: ctx, e: e, session: e.session, elapsed: max(0, s.opt.Now().Unix()-e.record.Started)}
	v, f := handle(t, r.body)
	if f != nil {
		return nil, f
	}
	return encode(v)
}

// spoil gives up what is in memory after an answer that could not be given: the
// store still has the session as it was. Without a store the session goes on:
// what it took note of can only make it stricter.
func (s *Server) spoil(e *entry) {
	if s.opt.Store != nil {
		s.table.forget(e)
	}
}

func (s *Server) get(ctx context.Context, r *request) (json.RawMessage, *Fault) {
	e, f := s.table.take(ctx, r.session)
	if f != nil {
		return nil, f
	}
	defer s.table.give(e)
	out := s.describe(e)
	out.Trace = e.record.Trace
	return encode(out)
}

func (s *Server) remove(ctx context.Context, r *request) *Fault {
	e, mine, f := s.table.acquire(ctx, r.session)
	if f != nil {
		return f
	}
	defer s.table.give(e)
	if mine && !s.stored(e.id) {
		s.table.forget(e)
		return s.table.unknown(e.id)
	}
	if s.opt.Store != nil {
		if err := s.opt.Store.Delete(e.id); err != nil {
			if mine {
				s.table.forget(e) // it holds no session
			}
			return storeFailed(fmt.Errorf("the session is still there: %w", err))
		}
	}
	s.table.bury(e, "session-deleted", fmt.Sprintf("session %s was deleted", e.id))
	return nil
}

// stored says whether the store has a session that is to be deleted. What cannot be
// read back can be deleted; what is another session's, on a file system that does
// not tell letter cases apart, cannot.
func (s *Server) stored(id string) bool {
	data, err := s.opt.Store.Get(id)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	var r record
	head, _, _ := bytes.Cut(data, []byte("\n"))
	return json.Unmarshal(head, &r) != nil || r.ID == id || !strings.EqualFold(r.ID, id)
}
