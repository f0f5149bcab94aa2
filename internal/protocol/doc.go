// Package protocol is what a host asks of a policy, and what it is answered: the
// operations of docs/openapi.yaml on sessions in memory, and the lines of
// JSON-RPC 2.0 that carry them.
//
// A Service answers Requests. It opens no file and no connection, starts no
// goroutine and prints nothing, so the HTTP and stdio sides of package serve and
// the WebAssembly module are three ways to the same code, and a decision does
// not depend on the way it was asked for. What is particular to one of them
// (sockets, tokens, metrics, spans) stays there and listens to Options.Tell.
//
// An operation is one file here: what it reads, what it does, what it answers;
// the table of operations has its name and its path. CONTRIBUTING.md has the
// recipe.
//
// Sessions live in memory and, with a Store, are written there before an answer
// that changed them goes out: a killed server loses none. A session that is not
// there any more is told apart from one that never was, and is never quietly
// begun anew. Requests of one session are answered one at a time.
//
// A Service is safe for concurrent use. Everything that a host gets wrong is a
// Fault with a stable code. Stored sessions carry a version; one of another
// version is refused.
//
// What belongs here: one file for each operation, its row in the table, its
// faults and its trace. What never does: sockets, tokens and files
// (internal/serve, internal/stores), and decisions of its own (package
// traverse).
package protocol
