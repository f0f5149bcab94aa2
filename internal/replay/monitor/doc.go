// Package monitor is the normative specification: the rules that say which
// calls are violations, as a file that a user writes (SPEC.md).
//
// Parse reads such a file, Default is the one that is used without. Spec.Judge
// draws verdicts on one structured context: it reads no text of messages, and
// its only memory is what the context carries (history, information flow, where
// values came from). Calling it for calls that never ran is the caller's
// mistake: a stopped call is no violation (requirement L1).
//
// A Spec is immutable and safe for concurrent use.
//
// What belongs here: the form of the file, the rules that are used without one
// (default.yaml), and how a rule meets a context. What never does: rules that
// stop a call (package gates), replaying (package replay), and facts that a
// context does not carry.
package monitor
