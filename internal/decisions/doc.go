// Package decisions is the decision log that the front ends keep unasked: what was asked,
// how often, and what came of it.
//
// A front end appends an Entry for each decision (Log.Add), and an answer when it learns
// of one (Log.Answer). A Log is a directory that only its user can read. Its file is
// appended to in whole lines, so that processes need no lock; a file that is large or old
// is set aside under a name of its own, and what is older still is removed. Read takes the
// entries of all files in their order, Summarise counts questions and answers, and Suggest
// names the rules that would have answered what people always agreed to.
//
// An entry holds what gates/wording says of a call, the rules that would answer it where
// they say no more, and nothing else of it: no arguments, no contents, no output. A log
// that can't be written is an error for people to read, and changes no decision.
//
// Lines that can't be read are counted and left out: a process may end in the middle of
// one. Safe for concurrent use by processes and goroutines.
//
// What belongs here: the form of the log, its place, its bounds, and how answers are told
// from it. What never does: decisions (package gates), what a command prints (cmd/gbt),
// and the logs that a front end writes where it is told to (--log).
package decisions
