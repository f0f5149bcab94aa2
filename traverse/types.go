package traverse

import (
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/tree"
)

// Task is what a session is about.
type Task struct {
	// ID names the session. The host makes it unique: confirmations are bound
	// to it.
	ID   string `json:"id"`
	Text string `json:"text"` // what the user asked for
	// Checks are the completion checks that the host will run and Report. DONE
	// needs every one of them executed and passed.
	Checks []Check `json:"checks,omitempty"`
	Limits Limits  `json:"limits"`
	// Constraints are rules over calls that the task brings along, as Constraints makes
	// them of plain words. Words themselves decide nothing.
	Constraints []Constraint `json:"constraints,omitempty"`
	// Shadow decides and reports, but never steers and stops no call. The
	// governance pack stops a shadow session too.
	Shadow bool `json:"shadow,omitempty"`
}

// Check is a completion check: something that the host looks at and that can fail.
// Where File and Value are nil, Text is a command line that must exit with Exit.
type Check struct {
	ID string `json:"id"`
	// Text is the command that the host runs. Words about what it does are no check:
	// the audit of the plan and the host read this as a command line.
	Text string `json:"text,omitempty"`
	Exit int    `json:"exit,omitempty"` // status that the command must end with
	// Reads is what the tests and scripts that the command starts held before anything was
	// done, as the host read them. The audit of the plan looks for what the task names in
	// there too.
	Reads string `json:"reads,omitempty"`
	// File and Value are looked at without running anything.
	File  *FileCheck  `json:"file,omitempty"`
	Value *ValueCheck `json:"value,omitempty"`
	// Holds marks what is true before anything is done and must still be at the end.
	// It makes no run DONE by itself.
	Holds bool `json:"holds,omitempty"`
}

// FileCheck is what must be true of a file. A file that is not there fails all of it
// but Absent.
type FileCheck struct {
	Path     string `json:"path"`
	Absent   bool   `json:"absent,omitempty"`
	SHA256   string `json:"sha256,omitempty"`   // of its content, in hex
	Contains string `json:"contains,omitempty"` // text that stands in it
	Lacks    string `json:"lacks,omitempty"`    // text that does not
}

// ValueCheck is a predicate over the environment or a database: a variable, or what
// stands at a place of a JSON document, in the form of RFC 6901.
type ValueCheck struct {
	Env    string `json:"env,omitempty"`  // name of a variable
	JSON   string `json:"json,omitempty"` // path of a JSON document
	At     string `json:"at,omitempty"`   // place in it, as /users/3/name
	Equals string `json:"equals"`         // the text, or the JSON of what is no text
}

// Limits are the first stop layer, per task (requirement B1). Zero values stand
// for the defaults. The second layer is sealed in the policy; nothing here
// reaches it (B2).
type Limits struct {
	WallSeconds int64 `json:"wall_seconds,omitempty"` // default 1,800
	Steps       int64 `json:"steps,omitempty"`        // default 50
	Plateau     int64 `json:"plateau,omitempty"`      // steps in a row without improvement; default 8
	Target      int64 `json:"target,omitempty"`       // stop once the host's score is at least this; default none
}

// Env is what the host observes around the executor.
type Env struct {
	Cwd   string       `json:"cwd,omitempty"`
	Home  string       `json:"home,omitempty"`
	Roots []string     `json:"roots,omitempty"` // workspace roots; empty for those of the policy
	Links []gates.Link `json:"links,omitempty"`
	UID   int          `json:"uid"` // -1 if unknown
	GID   int          `json:"gid"`
	Tools []string     `json:"tools,omitempty"` // tools offered to the executor; nil if the host does not say
}

// Usage is what a run has used since it started. The session keeps the largest
// of each that it was told, so that nobody can wind a counter back.
type Usage struct {
	Seconds int64 `json:"seconds"` // wall time since Start, as the host measures it
	Tokens  int64 `json:"tokens"`
}

// Proposal is what the executor proposes to do next: words, or better the call
// it is about to make.
type Proposal struct {
	Text string
	Tool string // with Args, the proposed call; empty if only words are given
	Args []byte
	// Action is the action of a proposed macro, for hosts that know it; nil for
	// the action of Tool and Args.
	Action *call.Action

	Used  Usage
	Score int64 // the host's measure of the task, larger is better; for Limits.Plateau and Target
}

// Call is one tool call of the executor.
type Call struct {
	Tool  string
	Args  []byte // JSON: an object, or a string that holds one
	Hints gates.Hints
	Env   *Env // what changed around the executor; nil for nothing
	Time  int64
	Used  Usage
}

// Delta is a change that the host observed.
type Delta struct {
	Kind     effect.Delta `json:"kind"`
	Resource string       `json:"resource,omitempty"`
}

// Result is what came of a call.
type Result struct {
	Blocked bool // the call did not run
	Output  []byte
	Error   string // the tool's error; empty for none
	// Deltas are the changes that the host observed. Nil means that it does not
	// look: a call that did not fail is taken to do what its action says.
	Deltas []Delta
	Pids   []int // processes that the call left running
	Used   Usage
}

// Verdict is the answer to a proposal. Its zero value stops.
type Verdict uint8

// The verdicts (requirements P1, K1-K4).
const (
	Stall   Verdict = iota // no way on: Reason says why
	Recover                // control inverts: realise Macro, whatever was proposed
	Explore                // the policy does not know: one step without steering
	Fragile                // matched with doubt, queued for inspection
	Advance                // matched with confidence
)

var verdictNames = [...]string{"stall", "recover", "explore", "fragile", "advance"}

// String returns the verdict's name in lower case.
func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return verdictNames[Stall]
}

// MarshalText writes the verdict's name.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// Macro is one macro to realise (requirement P3).
type Macro struct {
	Family string     `json:"family"`
	Key    string     `json:"key"`
	Desc   string     `json:"desc"`
	Tools  []string   `json:"tools,omitempty"` // most used first
	Delta  tree.Delta `json:"delta"`
	Risk   uint8      `json:"risk"`
}

// Move is the answer to a proposal.
type Move struct {
	Verdict Verdict
	Reason  string // stable code; empty for an advance
	Macro   *Macro // what to realise now; nil where the policy does not steer
	Brief   Brief  // what the executor is shown
	Step    Step   // the trace
}
