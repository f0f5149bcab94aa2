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
package monitor
