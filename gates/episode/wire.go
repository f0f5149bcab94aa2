package episode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gbt-policy/gbt/gates"
)

// version is that of the encoding. Numbers are never reused.
const version = 1

// ErrMemory is wrapped by the errors of UnmarshalBinary: the bytes are no memory
// that this version reads.
var ErrMemory = errors.New("not a memory of a run")

// wire is the head of a stored memory: one line of JSON, after which the texts
// follow as package origin encodes them. Fields stand in this order, lists in
// theirs: equal memories give equal bytes.
type wire struct {
	Version  int            `json:"version"`
	Heard    bool           `json:"heard,omitempty"`
	History  []gates.Record `json:"history,omitempty"`
	Flow     gates.Flow     `json:"flow"`
	Waiting  []Waiting      `json:"waiting,omitempty"`
	Reported bool           `json:"reported,omitempty"`
	Consent  consent        `json:"consent"`
}

// MarshalBinary encodes the memory. Limit and Unsourced are settings of the host
// and are not stored.
func (m *Memory) MarshalBinary() ([]byte, error) {
	out, err := json.Marshal(&wire{version, m.heard, m.history, m.flow, m.waiting, m.reported, m.consent})
	if err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	out = append(out, '\n')
	if !m.heard {
		return out, nil
	}
	index, err := m.index.MarshalBinary()
	if err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	return append(out, index...), nil
}

// UnmarshalBinary decodes what MarshalBinary encoded, and refuses all else.
func (m *Memory) UnmarshalBinary(data []byte) error {
	head, index, ok := bytes.Cut(data, []byte("\n"))
	var w wire
	if err := json.Unmarshal(head, &w); err != nil || !ok {
		return fmt.Errorf("%w: its head cannot be read", ErrMemory)
	}
	switch {
	case w.Version != version:
		return fmt.Errorf("%w: version %d, this program reads %d", ErrMemory, w.Version, version)
	case w.Heard != (len(index) > 0):
		return fmt.Errorf("%w: the texts that it has seen are missing", ErrMemory)
	case len(w.History) > gates.HistoryLimit || len(w.Waiting) > maxWaiting || len(w.Consent.Asked) > maxAsked || len(w.Consent.Approved) > maxApproved:
		return fmt.Errorf("%w: a list is too long", ErrMemory)
	}
	out := Memory{Limit: m.Limit, Unsourced: m.Unsourced, heard: w.Heard, history: w.History, flow: w.Flow, waiting: w.Waiting, reported: w.Reported, consent: w.Consent}
	if w.Heard {
		if err := out.index.UnmarshalBinary(index); err != nil {
			return fmt.Errorf("%w: %w", ErrMemory, err)
		}
	}
	if again, err := out.MarshalBinary(); err != nil || !bytes.Equal(again, data) {
		return fmt.Errorf("%w: it does not encode back to the same bytes", ErrMemory)
	}
	*m = out
	return nil
}
