package protocol

import (
	"encoding/json"

	"github.com/gbt-policy/gbt/traverse"
)

// Journal is a Store that keeps, in one transaction with a session's new state, what
// happened to it (requirement Z2). It is told in place of Put.
type Journal interface {
	Store
	Keep(id string, data []byte, h *Happened) error
}

// Happened is what a request brought about.
type Happened struct {
	Policy string // digest of the policy in force
	Title  string // the task's words
	Steps  int64
	Notes  []Note
}

// Note is one thing that happened. Exactly one of its members is set.
type Note struct {
	Decided  *DecidedNote
	Observed *ObservedNote
	Answered *AnsweredNote
	Reported *ReportedNote
	Claimed  *traverse.Outcome
}

// DecidedNote is a decision on a call: one that was allowed runs now, for all that
// anybody knows.
type DecidedNote struct {
	Tool        string
	Args        json.RawMessage
	Tier        string
	Allowed     bool
	Disposition string
	Decision    string
	Consent     string // the confirmation that let it pass
}

// ObservedNote is what came of a call.
type ObservedNote struct {
	Tool    string
	Args    json.RawMessage
	Blocked bool
	Output  string
	Error   string
}

// AnsweredNote is what the user said to a question.
type AnsweredNote struct {
	Confirmation string
	Agreed       bool
	ForSession   bool
}

// ReportedNote is a completion check that was executed.
type ReportedNote struct {
	ID     string
	Passed bool
}

func (t *turn) note(n Note) { t.e.notes = append(t.e.notes, n) }

// put writes a session to the store, with what happened where the store keeps that.
func (s *Service) put(e *entry, data []byte) error {
	j, ok := s.opt.Store.(Journal)
	if !ok {
		return s.opt.Store.Put(e.id, data)
	}
	notes := e.notes
	e.notes = nil
	return j.Keep(e.id, data, &Happened{s.policy.Digest(), e.session.Task().Text, e.session.Status().Steps, notes})
}
