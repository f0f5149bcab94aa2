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
// ChangeOf says what a step changed: what the log shows (observed), and what its
// action does by name and arguments only where the log does not (nominal). Results
// are read as the programs named in shown.go print them. A macro's Delta, and with
// it its risk, is of what its calls changed; its key and Does are of the calls
// alone, because a run's next call has to be matched before it has a result. Of the
// changing calls of the shared logs the log shows 57 of 100 in agentdojo's, 77 in
// tau-bench's, 37 in intercode's, 98 in SWE-agent's and 74 in openagentsafety's
// (gbt inspect --changes). Describe builds descriptions; Plain and
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
