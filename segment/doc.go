// Package segment cuts episodes into macros and names them.
//
// Segment is a deterministic function of the log (requirement X1): boundaries
// come from what calls do and change, never from words and never from a model.
// A Macro is a contiguous span of steps with one signature; a Path is an
// episode's macros with the way back from steps to macros.
//
// Two profiles cut differently. Default ends a macro where the action changes
// (package gates/call): reading, then editing, then running. Reference is the
// literal scheme of 003 §C.1: a macro ends at every observable change and at
// every switch of tool family, and its signature is the multiset of §E.3.
//
// Deltas that the log shows are marked observed, those derived from a call's
// arguments inferred. Describe builds descriptions; Plain and
// MinShared say which words of the logs may stand in them.
//
// Stable is the stability test of 003 §C.3 for traces that are unsafe or touch a
// high-risk primitive. Segmentation draws no random number, so two runs over the
// same bytes always agree; the test asks whether macros and summaries survive
// writing the same calls differently. Of the 7,915
// episodes of the shared corpora that distillation could use, 79 fail it, 5 of
// them successes (gbt distill prints it): command lines that do not parse,
// mostly prose or source code where a command was expected.
//
// All functions are pure and safe for concurrent use.
//
// What belongs here: where a macro begins and ends, its signature, its
// description, its stability. What never does: what a call does (gates/call),
// layouts of logs (internal/corpora/logs), which macros follow each other
// (internal/tree/merge).
package segment
