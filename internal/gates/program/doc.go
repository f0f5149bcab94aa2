// Package program is the compact form of a gate's expression: what the
// compiler seals in a policy and the runtime evaluates. gates/PROGRAM.md is the
// contract; this package follows it.
//
// A program is a tree of typed operations in preorder. Decode checks every
// limit and every type and refuses a program that is not the one encoding of
// its tree, so that the evaluator needs no checks. Everything is a pure function
// over its arguments and safe for concurrent use.
//
// What belongs here: operations, limits, and the one encoding. What never does:
// what a field is (gates/fields.go), what an operation yields for a call
// (gates/eval.go), the language for people (internal/gates/lang).
package program
