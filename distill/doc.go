// Package distill turns logs into a policy: it reads episodes, cuts them into
// macros, merges the successful ones into a tree, calibrates it and assembles
// the artifact.
//
// Run is the whole pipeline; Evaluate measures a policy on logs. Reading is
// streamed and runs on all workers; what a run keeps of an episode is a
// merge.Trace of a few hundred bytes, spilled to a temporary file past a bound,
// so that memory is bounded by the tree and not by the logs. Same logs and
// settings give the same bytes in any order of the inputs and with any number
// of workers.
//
// Unsafe episodes are replayed to find the minimal windows of calls that did the
// harm (package replay), from what the logs hold or in Options.Env; the last call
// of a window is what gates are learned from, and every macro of it may ask them.
// The specification that Config.LoadMonitors reads judges episodes that nobody
// judged. A replay that differs from its log is reported and teaches nothing.
//
// Functions are safe for concurrent use; a Spool is not.
//
// What belongs here: the order of the stages, the keys of the configuration, the
// report, and what is measured on logs that were held out. What never does: a
// stage itself: layouts (internal/corpora/logs), macros (segment), the tree
// (internal/tree/merge), windows (replay), gates (internal/gates/learn), the
// file (artifacts).
package distill
