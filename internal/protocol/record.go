package protocol

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gbt-policy/gbt/traverse"
)

// recordVersion is the version of a stored session. Numbers are never reused.
const recordVersion = 1

// Bounds on what is kept beside a session. A repeat comes right after the lost
// answer, so few keys suffice; large answers push older ones out.
const (
	keptTrace    = 256
	keptKeys     = 16
	keptKeyBytes = 256 << 10
)

// traceEntry is one answer in a session's trace.
type traceEntry struct {
	N           int64          `json:"n"`
	Op          string         `json:"op"`
	Step        *traverse.Step `json:"step,omitempty"`
	Tool        string         `json:"tool,omitempty"`
	Disposition string         `json:"disposition,omitempty"`
	DecisionID  string         `json:"decision_id,omitempty"`
	Rules       []string       `json:"rules,omitempty"`
	OK          *bool          `json:"ok,omitempty"`
	Reason      string         `json:"reason,omitempty"`
}

// keyed is an answer kept under the key of its request.
type keyed struct {
	Key   string          `json:"key"`
	Sum   []byte          `json:"sum"` // of operation and body
	Fault *Fault          `json:"fault,omitempty"`
	Code  int             `json:"code,omitempty"` // HTTP status of the fault
	Reply json.RawMessage `json:"reply,omitempty"`
}

// record is what the server keeps beside a session.
type record struct {
	Version int               `json:"version"`
	ID      string            `json:"id"`
	Started int64             `json:"started"` // seconds since 1970
	N       int64             `json:"n"`
	Trace   []json.RawMessage `json:"trace"`
	Keys    []keyed           `json:"keys"`
}

// add appends to the trace.
func (r *record) add(e traceEntry) *Fault {
	r.N++
	e.N = r.N
	data, err := json.Marshal(&e)
	if err != nil {
		return internal("trace: %v", err)
	}
	r.Trace = append(r.Trace, data)
	if len(r.Trace) > keptTrace {
		r.Trace = append([]json.RawMessage(nil), r.Trace[len(r.Trace)-keptTrace:]...)
	}
	return nil
}

// repeated finds the answer to a request that came before.
func (r *record) repeated(key string, sum []byte) (*keyed, *Fault) {
	for i := range r.Keys {
		k := &r.Keys[i]
		if k.Key != key {
			continue
		}
		if !bytes.Equal(k.Sum, sum) {
			return nil, Conflict("idempotency-key-reused", "Idempotency-Key %q named another request of this session", key)
		}
		if k.Fault != nil {
			k.Fault.Status = k.Code
		}
		return k, nil
	}
	return nil, nil
}

// keep remembers an answer.
func (r *record) keep(k keyed) {
	if k.Fault != nil {
		k.Code = k.Fault.Status
	}
	keys := append(r.Keys, k)
	size := 0
	for i := len(keys) - 1; i >= 0; i-- {
		size += len(keys[i].Reply)
		if i < len(keys)-1 && (size > keptKeyBytes || len(keys)-i > keptKeys) {
			keys = append([]keyed(nil), keys[i+1:]...)
			break
		}
	}
	r.Keys = keys
}

func requestSum(op string, body []byte) []byte {
	h := sha256.New()
	h.Write([]byte(op + "\x00"))
	h.Write(body)
	return h.Sum(nil)[:16]
}

// encodeRecord is a record on one line of JSON, and the session's own bytes
// below it: they must come back as they were.
func encodeRecord(r *record, s *traverse.Session) ([]byte, error) {
	session, err := s.MarshalBinary()
	if err != nil {
		return nil, err
	}
	head, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return append(append(head, '\n'), session...), nil
}

// decodeRecord reads the stored session of an id; the empty one stands for any.
func decodeRecord(p *traverse.Policy, id string, data []byte) (*record, *traverse.Session, error) {
	head, rest, ok := bytes.Cut(data, []byte("\n"))
	if !ok {
		return nil, nil, errors.New("the stored session is cut short")
	}
	var r record
	if err := json.Unmarshal(head, &r); err != nil {
		return nil, nil, fmt.Errorf("the stored session is damaged: %w", err)
	}
	if r.Version != recordVersion {
		return nil, nil, fmt.Errorf("the stored session has version %d, this program reads %d", r.Version, recordVersion)
	}
	s, err := p.Resume(rest)
	if err != nil {
		return nil, nil, err
	}
	// A file system that does not tell letter cases apart finds another session.
	if id != "" && r.ID != id || s.Task().ID != r.ID || !IsSessionID(r.ID) {
		return nil, nil, fmt.Errorf("the stored session is %s", r.ID)
	}
	return &r, s, nil
}
