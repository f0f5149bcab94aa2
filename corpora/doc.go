// Package corpora holds the canonical form of agent logs: the Episode, its
// Steps, and what is known about each.
//
// Readers for the log layouts of other tools live in internal/corpora/logs, Arrow and
// Parquet storage in internal/corpora/parquet. Both produce and consume the types of
// this package, so nothing after import ever sees a foreign layout.
//
// What a layout cannot supply stays at its zero value, which always means
// "unknown", never "no" or "safe" (requirement L2). Every value is plain data:
// safe to share between goroutines as long as nobody writes to it.
//
// What belongs here: fields that a log of any layout may have, and what their
// absence means. What never does: code that knows a layout or a file format
// (internal/corpora/...), what a call means (gates/call), macros (package
// segment).
package corpora
