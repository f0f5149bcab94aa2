// Package completion looks whether a task was carried out: it executes completion
// checks on what a host offers, and reads plan files.
//
// Execute runs one check of any kind (a command and the status it must end with, a
// file and its properties, a value of the environment or of a document) through one
// interface, Host, and returns the literal result: status, digest, and the beginning
// of what came out without secrets. It never reads words about a result.
//
// A Plan is a task outside of what a policy covers, as states with executable checks
// and transitions between them. Parse refuses one whose transitions lead nowhere or
// from which DONE cannot be reached; Try refuses one whose checks cannot be executed or
// pass before anything is done.
//
// What belongs here: checks and how they are executed, plans and their validation. What
// never does: whether a run is DONE (package traverse), the sandbox that commands run
// in (internal/replay/workspace), the loop with a model (internal/runner).
package completion
