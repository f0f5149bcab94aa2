package tasks

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/gbt-policy/gbt/internal/receipts"
)

// version is that of a stored task. Numbers are never reused.
const version = 1

// Task is where a task stands.
type Task struct {
	Version int    `json:"v"`
	ID      string `json:"id"`
	Kind    string `json:"kind"`  // who runs it: run or serve
	Title   string `json:"title"` // its words, without secrets
	State   State  `json:"state"`
	Reason  string `json:"reason,omitempty"` // why it is in its state
	Rev     int64  `json:"rev"`              // grows with every change
	Owner   string `json:"owner,omitempty"`  // the process that runs it
	Policy  string `json:"policy"`           // digest of the policy in force
	Created int64  `json:"created"`          // milliseconds since 1970, as all times
	Updated int64  `json:"updated"`
	Steps   int64  `json:"steps"` // of the traverser
	Calls   int64  `json:"calls"` // dispatched
	Parts   int64  `json:"parts,omitempty"`
	Sum     string `json:"sum"` // of the bytes that it needs to go on, as they are sealed
	// Pending are calls that were dispatched and have no outcome.
	Pending []Pending     `json:"pending,omitempty"`
	Head    receipts.Head `json:"head"` // of its receipts
	// Stale and Beat are what its last owner went by, in milliseconds.
	Stale int64 `json:"stale"`
	Beat  int64 `json:"beat"`
	// Mac authenticates all of this by the book's key.
	Mac string `json:"mac"`
}

// Pending is a call of which nobody knows yet whether it ran.
type Pending struct {
	Receipt string `json:"receipt"`
	Key     string `json:"key"`
	Tool    string `json:"tool"`
	Policy  string `json:"policy"` // under which it was approved
	// Asked says that a ledger was asked and did not know: a person has to say.
	Asked bool `json:"asked,omitempty"`
	// Said is what a person said.
	Said receipts.Fate `json:"said,omitempty"`
	// Call names the call itself, by the book's key.
	Call string `json:"call,omitempty"`
	// Mark names the snapshot before it, if there is one.
	Mark string `json:"mark,omitempty"`
}

// decodeTask reads a stored task, and refuses what does not encode back.
func decodeTask(data []byte) (*Task, error) {
	var t Task
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&t); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTampered, err)
	}
	if t.Version != version {
		return nil, fmt.Errorf("the stored task has version %d, this program reads %d", t.Version, version)
	}
	if again, err := json.Marshal(&t); err != nil || !bytes.Equal(again, data) {
		return nil, fmt.Errorf("%w: it does not encode back to the same bytes", ErrTampered)
	}
	return &t, nil
}

// maxID bounds an id.
const maxID = 128

// CheckID refuses what is no id of a task: they are names of folders and parts of
// keys.
func CheckID(id string) error {
	if id == "" || len(id) > maxID || id[0] == '.' {
		return fmt.Errorf("%.40q is no session's id: 1 to %d letters, digits, dots, hyphens and underscores", id, maxID)
	}
	for _, c := range []byte(id) {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.') {
			return fmt.Errorf("%.40q is no session's id: 1 to %d letters, digits, dots, hyphens and underscores", id, maxID)
		}
	}
	return nil
}
