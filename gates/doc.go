// Package gates knows what a call will do before it runs, and decides on it.
//
// call.Classify names a tool's family from its name alone. NewContext turns a Call
// and the host's State into a Context: the call's arguments, where it runs, and
// its effects, each a typed operation on a canonical resource (requirement C1).
// Guardrail.Decide judges a Context and returns a Decision.
//
// Contexts are built from arguments and observed state, never from words:
// nothing in a thought, a description or a message changes one (C5). What can't
// be resolved is opaque and never counts as harmless. The zero value of every
// verdict denies.
//
// The effect types live in gates/effect and are aliased here. Everything is a pure function over static
// tables and safe for concurrent use; nothing here opens a file or a
// connection, reads a clock, or starts a goroutine.
//
// What belongs here: the Context that rules read and the table of its fields
// (fields.go), the guardrail, the evaluation of gates, and the Decision with its
// reasons. What never does: taking arguments apart (package call), what happened
// before (package episode), the text of gates (internal/gates/lang), their file
// (package artifacts).
package gates
