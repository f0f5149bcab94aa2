// Package call reads a tool call, once, into one value that says all that anybody
// asks about it.
//
// Read turns a Request (a tool's name, its arguments as JSON, a server's hints)
// into a Call: the class of the tool, the leaves of its arguments with their
// roles, whether they can be read in one way only, the command line that it runs
// and its effects on canonical resources. Action names it in the words that
// macros are made of. Classify and ActionOf answer for less, where no call is
// about to run.
//
// What belongs here: everything that is known of a call from the call itself and
// the place it runs in: names of arguments, names of tools, what a tool does with
// a role. What never does: what happened before (package episode), where values
// come from (package origin), whether the call may run (package gates), what a
// program does (package shell).
//
// A new tool is a row of classifytable.go and, for its arguments, of roletable.go; an
// argument that means the same in all tools is a row of roleWords.
//
// Calls are built from arguments and observed state, never from words: nothing in
// a thought, a description or a message changes one (C5). Everything is a pure
// function over static tables and safe for concurrent use.
package call
