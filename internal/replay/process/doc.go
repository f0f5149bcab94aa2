// Package process runs an environment that is a program of its own and speaks
// the protocol of replay/PROTOCOL.md. A Process is a replay.Env, and a
// replay.Judge where the program can judge.
//
// A Process belongs to one goroutine. After a failure of the program or of the
// protocol every further request fails with the same error.
//
// What belongs here: the lines, the program's life and its end. What never does:
// what a certain environment does (its program knows), and which calls are
// replayed (package replay).
package process
