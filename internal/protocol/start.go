package protocol

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"

	"github.com/gbt-policy/gbt/traverse"
)

type startRequest struct {
	Task *taskRequest `json:"task"`
	Env  *envRequest  `json:"env"`
}

// start begins a session. A repeat of the request, by key and id, gets the
// answer again.
func (s *Service) start(ctx context.Context, r *Request) (json.RawMessage, *Fault) {
	var in startRequest
	if f := Decode(r.Body, &in); f != nil {
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
	if task.Shadow && !s.opt.Shadow {
		return nil, Invalid("field task.shadow: a request can't lift the gates; let the operator start the server with --shadow")
	}
	task.Shadow = s.opt.Shadow
	s.opt.Tell(ctx, Named{task.ID})
	if named && r.Key != "" {
		if out, f, ok := s.again(ctx, r, task.ID); ok {
			return out, f
		}
	}
	e, f := s.table.create(task.ID, s.policy.Start(task, *env))
	if f != nil {
		return nil, f
	}
	defer s.table.give(e)
	return s.begin(ctx, e, r, named)
}

// again answers a start that came before with the same key.
func (s *Service) again(ctx context.Context, r *Request, id string) (json.RawMessage, *Fault, bool) {
	e, f := s.table.take(ctx, id)
	if f != nil {
		return nil, f, f.Code == "timed-out" || f.Code == "session-busy"
	}
	defer s.table.give(e)
	k, f := e.record.repeated(r.Key, requestSum(r.Op, r.Body))
	if k == nil && f == nil {
		return nil, nil, false
	}
	if f == nil {
		return k.Reply, k.Fault, true
	}
	return nil, f, true
}

// begin stores a new session and makes its answer.
func (s *Service) begin(ctx context.Context, e *entry, r *Request, named bool) (json.RawMessage, *Fault) {
	if named && s.opt.Store != nil {
		if _, err := s.opt.Store.Get(e.id); err == nil {
			s.table.forget(e)
			return nil, Conflict("session-exists", "session %s exists", e.id)
		} else if !errors.Is(err, fs.ErrNotExist) {
			s.table.forget(e)
			return nil, storeFailed(err)
		}
	}
	out, f := encode(s.describe(e))
	if f == nil && r.Key != "" {
		e.record.keep(keyed{Key: r.Key, Sum: requestSum(r.Op, r.Body), Reply: out})
	}
	if f == nil {
		f = s.save(e)
	}
	if f != nil {
		s.table.forget(e)
		return nil, f
	}
	s.opt.Tell(ctx, Started{})
	s.opt.Record(&Exchange{r.Op, e.id, r.Body, out})
	return out, nil
}
