// Package action names what a call does in the few words that macros are made
// of: "view", "edit", "read:email", "send:message".
//
// An action is coarser than a tool and finer than a tool family. Two tools that
// do the same thing to the same kind of object have the same action, whichever
// agent they belong to: reading a file with cat, with an editor's view command
// or with a Read tool is "view". It is derived from the call's structured
// fields alone, never from words (requirement X1), and is the discrete part of
// a macro's signature (requirement T3).
//
// Why this grain: measured by 5-fold cross-validation by task on the shared
// corpora (see package internal/tree/merge), exact tool names leave 8 to 19 of 100 steps
// of unseen tasks without any match, and tool families match everything by
// saying nothing.
//
// Everything here is a pure function over static tables.
package action

// Delta is the coarse change that an action makes to its environment
// (003 §C.1).
type Delta uint8

// The coarse changes. DeltaUnknown is the zero value: what has not been
// classified is never taken for a read.
const (
	DeltaUnknown  Delta = iota
	DeltaNone           // reads, searches, thinks
	DeltaWrite          // creates or changes files or records
	DeltaDelete         // removes files or records
	DeltaRun            // runs a program or code
	DeltaSend           // sends something out: message, payment, upload
	DeltaNavigate       // moves a browser or a session elsewhere
	NumDeltas           // number of values, for range checks
)

// String returns the delta's name as gbt show prints it.
func (d Delta) String() string {
	names := [...]string{"unknown", "none", "write", "delete", "run", "send", "navigate"}
	if int(d) < len(names) {
		return names[d]
	}
	return "invalid"
}

// MaxRisk is the highest risk level.
const MaxRisk = 3

// Risk is the level that recovery and merging count with (003 §C.1): 0 no
// change, 1 a local change, 2 runs code or deletes, 3 leaves the machine or is
// unknown.
func (d Delta) Risk() uint8 {
	switch d {
	case DeltaNone:
		return 0
	case DeltaWrite, DeltaNavigate:
		return 1
	case DeltaRun, DeltaDelete:
		return 2
	case DeltaSend, DeltaUnknown:
		return MaxRisk
	}
	return MaxRisk
}

// Action is what one call does.
type Action struct {
	Key   string // the action's name, lower case: verb, or verb:object
	Delta Delta
}

// ReadOnly reports whether the action leaves the environment as it was.
func (a Action) ReadOnly() bool { return a.Delta == DeltaNone }
