// Package learn makes gates out of what went wrong.
//
// Extract turns an episode into a Case: the redacted contexts of its high-risk
// calls, with what the episode's verdict says about them and the Violations that
// a replay found (package replay's windows). Blame finds the calls that a verdict
// is about: those windows, and by contrast with other runs where none names the
// call of a verdict on a whole episode. Learn proposes gates over such
// examples and accepts those that stand the tests of requirements G4 and G6;
// what falls short of evidence stays a proposal. A gate is asked everywhere, from a
// macro's node on, or in a subtree: in the smallest scope that covers the windows of
// what it stops within the benign bound there (place.go). No model is needed; proposals
// of one go through the same acceptance.
//
// Everything is deterministic: the same cases in any order give the same gates.
//
// What belongs here: cases out of episodes, candidates for gates, and the tests
// that a candidate must pass. What never does: replaying (package replay), the
// language (internal/gates/lang), models (package model below), and whatever
// decides on a live call (package gates).
package learn
