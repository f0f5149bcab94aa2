// Package serve offers the traverser's runtime contract to hosts in any
// language: over HTTP with JSON, and over a pair of streams as JSON-RPC 2.0.
//
// New makes a Server of a policy; Handler is its HTTP side, Stdio its JSON-RPC
// side. Both carry the operations of docs/openapi.yaml, which is the contract,
// to the same code, so a decision does not depend on the way it was asked for.
// Listen opens the socket that an address names, by the rules of the contract:
// a unix socket for its owner alone, TCP for those who know the token.
//
// Sessions live in memory and, with a Store, are written there before an answer
// that changed them goes out: a killed server loses none. A session that is not
// there any more is told apart from one that never was, and is never quietly
// begun anew. Requests of one session are answered one at a time.
//
// A Server is safe for concurrent use. Everything that a host gets wrong is a
// Fault with a stable code. Stored sessions carry a version; one of another
// version is refused.
package serve
