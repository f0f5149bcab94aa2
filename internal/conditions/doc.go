// Package conditions mines what successful runs always had before a call that changes
// something, and before their end, and measures such conditions on other runs (requirements
// V1, V2, V5).
//
// A condition says of an action which facts an observed result must have established: a
// call that ended well, one with the same value as an argument, or one whose result shows
// the value. Read makes steps of an episode, Mine makes conditions of runs, and Judge says
// what they would have sent back. The facts themselves, and what is asked of them while an
// agent runs, are package episode's and package gates': both sides ask the same code.
//
// What belongs here: statistics over logged runs. What never does: a decision on a call
// (package gates), what a run remembers (gates/episode), completion checks.
package conditions
