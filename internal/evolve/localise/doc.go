// Package localise says where a failed run went wrong, without a model: at which
// step another choice could have averted the failure (003 §F.2, requirement S2).
//
// [Find] has a policy to compare with: it aligns the failed run with successful
// ones and takes the earliest choice that they made otherwise and that ended
// better. [Steps] and [PathTo] read both off a sealed tree.
//
// Everything here is a pure function of its arguments: the same runs in any order
// give the same answer. Values may be shared.
//
// What belongs here: facts about steps of one run, and what follows from them for
// where it failed. What never does: the repair of the step (evolve), finding
// successful runs to compare with (internal/evolve/retrieve), reading logs
// (internal/corpora/logs).
package localise
