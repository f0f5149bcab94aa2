package mcpproxy

import (
	"context"
	"io"
	"time"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/traverse"
)

// Options are the settings of a Proxy. Servers and Checker are needed.
type Options struct {
	Servers []Server
	Checker *gates.Checker
	Digest  string // names what the checker decides by, in decision ids

	// Policy offers the traverser; nil for the checker alone. About describes it
	// for people, as the resource gbt://policy.
	Policy *traverse.Policy
	About  string
	// Task is what the user asked for, in the user's own words; empty if nobody
	// says.
	Task string
	// Limits are the first stop layer of every task. The governance pack of the policy is
	// the second, and nothing here reaches it.
	Limits traverse.Limits
	// Now is the clock that tasks are timed by; nil for the machine's.
	Now func() time.Time
	// Shadow lets the traverser decide without steering or stopping.
	Shadow bool

	// State says where calls run; nil for nowhere in particular. History and Flow
	// of it are not read.
	State func() gates.State
	// Content tightens a decision by what a call would send; nil for no such
	// question.
	Content func(context.Context, *gates.Context, *gates.Decision)
	// Log is told of every decision before anything is done about it. If it fails
	// the call does not run.
	Log func(Event) error

	// Record is told of the parts of a task's run, for those who learn from it; nil for
	// nobody. It is called for one part at a time.
	Record func(*Part)

	// Confirmations is a directory in which the user confirms a call by creating
	// the file that Stderr names; the agent is not told its name. Empty if elicitation is the only way.
	Confirmations string

	// Pins are the definitions that tools had before; those of other tools are
	// pinned when they are first seen. SavePins is told of all of them when there
	// are other ones; nil keeps them for as long as the proxy runs.
	Pins     Pins
	SavePins func(Pins) error

	Timeout time.Duration // of one call or request to a server; 0 for a minute
	Start   time.Duration // how long servers may take to start; 0 for a minute: npx and uvx fetch them first
	Stderr  io.Writer     // what the proxy has to say, and a server that fails; nil to drop it
	Aloud   bool          // Stderr gets all that servers write to standard error
}

// Event is one decision.
type Event struct {
	Tool      string // as judged: mcp__server__tool
	Args      []byte
	Context   *gates.Context
	Decision  *gates.Decision
	ID        string // of the decision
	Confirmed bool   // the user agreed to this call
}

// Part is a part of a run: what began, what the agent means to do, a decision, or
// what came of a call. Op is the operation of docs/openapi.yaml that it is like:
// startSession, propose, check or observe.
type Part struct {
	Op          string
	Task        string
	Tool        string // as judged
	Args        []byte
	Disposition string
	ID          string // of the decision
	Text, Fault string // what the agent says; what the tool answered
	Declined    bool   // the user was asked and said no
}

func (o *Options) defaults() {
	if o.Timeout <= 0 {
		o.Timeout = time.Minute
	}
	if o.Start <= 0 {
		o.Start = time.Minute
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Stderr == nil {
		o.Stderr = io.Discard
	}
	if o.State == nil {
		o.State = func() gates.State { return gates.State{UID: -1, GID: -1} }
	}
}
