package protocol

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gbt-policy/gbt/traverse"
)

// SessionInfo is the answer to startSession and getSession.
type SessionInfo struct {
	Session string            `json:"session"`
	Policy  string            `json:"policy"`
	Task    traverse.Task     `json:"task"`
	Status  traverse.Status   `json:"status"`
	Trace   []json.RawMessage `json:"trace,omitempty"`
}

func (s *Service) describe(e *entry) *SessionInfo {
	return &SessionInfo{Session: e.id, Policy: s.policy.Digest(), Task: e.session.Task(), Status: e.session.Status()}
}

// get answers getSession.
func (s *Service) get(ctx context.Context, r *Request) (json.RawMessage, *Fault) {
	e, f := s.table.take(ctx, r.Session)
	if f != nil {
		return nil, f
	}
	defer s.table.give(e)
	out := s.describe(e)
	out.Trace = e.record.Trace
	return encode(out)
}

// remove answers deleteSession.
func (s *Service) remove(ctx context.Context, r *Request) (json.RawMessage, *Fault) {
	e, mine, f := s.table.acquire(ctx, r.Session)
	if f != nil {
		return nil, f
	}
	defer s.table.give(e)
	if mine && !s.stored(e.id) {
		s.table.forget(e)
		return nil, s.table.unknown(e.id)
	}
	if s.opt.Store != nil {
		if err := s.opt.Store.Delete(e.id); err != nil {
			if mine {
				s.table.forget(e) // it holds no session
			}
			return nil, storeFailed(fmt.Errorf("the session is still there: %w", err))
		}
	}
	s.table.bury(e, "session-deleted", fmt.Sprintf("session %s was deleted", e.id))
	return nil, nil
}

// stored says whether the store has a session that is to be deleted. What cannot be
// read back can be deleted; what is another session's, on a file system that does
// not tell letter cases apart, cannot.
func (s *Service) stored(id string) bool {
	data, err := s.opt.Store.Get(id)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	var r record
	head, _, _ := bytes.Cut(data, []byte("\n"))
	return json.Unmarshal(head, &r) != nil || r.ID == id || !strings.EqualFold(r.ID, id)
}
