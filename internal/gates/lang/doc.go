// Package lang is the offline half of the gate language: it reads the text of a
// gate, checks it, and lowers it to the program that package gates evaluates.
//
// The language is a decidable subset of CEL over ctx, the structured context of
// a call; gates/PROGRAM.md has its grammar and fields. An expression says what
// must hold for a call to pass. Compile returns the canonical text, which names
// the gate, and the program. Subsumes proves that one gate stops whatever another
// one stops. Judge evaluates an expression with cel-go, as the second opinion
// that every program must agree with.
//
// For people, Pretty writes a gate over several lines and Reading says in words
// which calls it stops.
//
// cel.dev/cel-go stays inside this package: none of its types is in a signature.
// Everything here is safe for concurrent use.
//
// What belongs here: text, types, canonical form, proof and second opinion of
// gates. What never does: evaluation before a call (package gates), the bytes of
// programs (internal/gates/program), which gates are good
// (internal/gates/learn).
package lang
