package evolve

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/gbt-policy/gbt/tree"
)

// Kind is what an edit does.
type Kind string

// The kinds. None takes anything away (requirements S4, T7).
const (
	Statistics Kind = "statistics" // counts of a state, its successors and its nodes
	Successor  Kind = "successor"  // a step between two states that the tree has
	Child      Kind = "child"      // a state that the tree has not, with the steps to it and from it
	Words      Kind = "words"      // what states are matched by
	Paths      Kind = "paths"      // places and success leaves of new runs
	Exemplars  Kind = "exemplars"  // tasks that the policy claims to know
	Gate       Kind = "gate"       // a gate for unsafe calls of new runs
	Support    Kind = "support"    // what is counted of completion checks, known fixes and retry bounds
	Split      Kind = "split"      // a state of its own for a macro after another one
)

// Kinds are the kinds of edits, in the order in which they are applied.
// Splits come last: what the others count at a state is there to be told apart.
func Kinds() []Kind {
	return []Kind{Gate, Child, Successor, Statistics, Words, Paths, Exemplars, Support, Split}
}

// Edit is one change of a policy, with what speaks for it. Edits are values: one
// can be listed, applied alone and refused alone.
type Edit struct {
	ID       string   `json:"id"` // hash of what it is and does
	Kind     Kind     `json:"kind"`
	Family   string   `json:"family,omitempty"`
	At       string   `json:"at,omitempty"` // v*: key of the state that it changes or begins at
	To       string   `json:"to,omitempty"` // key of the state that it leads to
	Evidence Evidence `json:"evidence"`
	Why      string   `json:"why"` // one sentence

	family int32
	after  string // of a split: the action before At
	change change
}

// Evidence is the new runs behind an edit.
type Evidence struct {
	tree.Count          // runs, and tasks of them that succeeded
	Runs       []string `json:"runs,omitempty"` // digests of the first few, sorted
	// Model and Template are digests of the model that proposed the edit, and of what
	// it was asked; empty where none was.
	Model, Template string
}

// MarshalJSON writes counts and runs as one object.
func (e Evidence) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Tasks   uint32   `json:"tasks"`
		Success uint32   `json:"success"`
		Failure uint32   `json:"failure"`
		Runs    []string `json:"runs,omitempty"`
		Model   string   `json:"model,omitempty"`
		Asked   string   `json:"template,omitempty"`
	}{e.Tasks, e.Success, e.Failure, e.Runs, e.Model, e.Template})
}

// change is what an edit does to a draft of the sealed tree: the same to every one.
// Its exported fields, as JSON, are what the edit's id is the hash of.
type change interface{ apply(d *draft) }

// name says which edit this is, whatever its evidence: the same one may be proposed
// from two sets of runs.
func (e *Edit) name() string {
	at := e.At
	if e.Kind == Child {
		at = "" // where most came from, which may be elsewhere in other runs
	}
	return fmt.Sprintf("%s\x00%s\x00%s\x00%s", e.Kind, e.Family, at, e.To)
}

// sign gives the edit its id.
func (e *Edit) sign() error {
	what, err := json.Marshal(e.change)
	if err != nil {
		return fmt.Errorf("edit %s of %s: %w", e.Kind, e.Family, err)
	}
	h := sha256.Sum256([]byte(e.name() + "\x00" + string(what)))
	e.ID = hex.EncodeToString(h[:8])
	return nil
}
