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

// wire is a stored memory. Fields stand in this order, lists in theirs: equal
// memories give equal bytes.
type wire struct {
	Version  int            `json:"version"`
	Heard    bool           `json:"heard,omitempty"`
	Index    []byte         `json:"index,omitempty"`
	History  []gates.Record `json:"history,omitempty"`
	Flow     gates.Flow     `json:"flow"`
	Waiting  []Waiting      `json:"waiting,omitempty"`
	Reported bool           `json:"reported,omitempty"`
	Consent  consent        `json:"consent"`
}

// MarshalBinary encodes the memory as JSON. Limit and Unsourced are settings of
// the host and are not stored.
func (m *Memory) MarshalBinary() ([]byte, error) {
	w := wire{Version: version, Heard: m.heard, History: m.history, Flow: m.flow, Waiting: m.waiting, Reported: m.reported, Consent: m.consent}
	if m.heard {
		var err error
		if w.Index, err = m.index.MarshalBinary(); err != nil {
			return nil, fmt.Errorf("memory: %w", err)
		}
	}
	return json.Marshal(&w)
}

// UnmarshalBinary decodes what MarshalBinary encoded, and refuses all else.
func (m *Memory) UnmarshalBinary(data []byte) error {
	var w wire
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&w); err != nil {
		return fmt.Errorf("%w: %w", ErrMemory, err)
	}
	switch {
	case w.Version != version:
		return fmt.Errorf("%w: version %d, this program reads %d", ErrMemory, w.Version, version)
	case w.Heard != (len(w.Index) > 0):
		return fmt.Errorf("%w: the texts that it has seen are missing", ErrMemory)
	case len(w.History) > gates.HistoryLimit || len(w.Waiting) > maxWaiting || len(w.Consent.Asked) > maxAsked || len(w.Consent.Approved) > maxApproved:
		return fmt.Errorf("%w: a list is too long", ErrMemory)
	}
	out := Memory{Limit: m.Limit, Unsourced: m.Unsourced, heard: w.Heard, history: w.History, flow: w.Flow, waiting: w.Waiting, reported: w.Reported, consent: w.Consent}
	if w.Heard {
		if err := out.index.UnmarshalBinary(w.Index); err != nil {
			return fmt.Errorf("%w: %w", ErrMemory, err)
		}
	}
	*m = out
	return nil
}
