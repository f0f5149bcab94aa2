// Package approvals is the queue of calls that wait for a person's yes where the
// front end that stopped them can't ask: a hook of a host without questions, a
// server, a proxy.
//
// A Queue takes what was asked (Ask), shows it to a person (List, Find), takes their
// answer (Approve, Deny), and lets exactly the call that they said yes to pass once
// (Take): the call is known by a digest of front end, tool, arguments and directory,
// and by what it was asked about, so that a yes to one danger is none to another that
// the same call has become. A yes expires, a question does too, and every step is a
// line of the audit. Whoever calls Take must have a decision that needs consent in
// hand: a rejected call has no questions, and nothing here lifts a rejection.
//
// Dir is a Queue in a directory that only its user can read, one file for each call,
// each change an atomic rename, so that two processes can't take the same yes. Its
// files hold the call itself, because a person has to see what they approve; they go
// with the answer or with the time limit. What can't be read there is no approval.
//
// The package is safe for concurrent use by processes and goroutines.
//
// What belongs here: the queue and its file format. What never does: decisions
// (package gates), what hosts print (internal/hosts), terminals (cmd/gbt).
package approvals
