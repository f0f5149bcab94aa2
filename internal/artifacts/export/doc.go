// Package export writes a policy, or runs beside it, in formats that other
// programs read: DOT, Mermaid, BehaviorTree.CPP, CEL and JSON of a policy, XES and
// OCEL of runs. Each format has one file and one function.
//
// Every output is valid whatever the texts of a policy say, and the same for the
// same policy. Everything here is a pure function of its arguments and safe for
// concurrent use.
//
// What belongs here: how a policy is written for others. What never does: how it is
// shown to people (packages review and view), and reading any of these formats.
package export
