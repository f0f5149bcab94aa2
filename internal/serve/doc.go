// Package serve carries the traverser's runtime contract to hosts in any
// language: over HTTP with JSON, and over a pair of streams as JSON-RPC 2.0.
//
// New makes a Server of a policy; Handler is its HTTP side, Stdio its JSON-RPC
// side. Both hand the operations of docs/openapi.yaml, which is the contract, to
// package protocol. Here is what needs a process: sockets, tokens, bodies of a
// bounded size, metrics, spans and stores; nothing here decides anything.
// Listen opens the socket that an address names, by the rules of the contract:
// a unix socket for its owner alone, TCP for those who know the token.
//
// A Server is safe for concurrent use.
//
// What belongs here: listening, the token, one request's body and answer, what
// is measured. What never does: operations (internal/protocol), how a session is
// kept (internal/stores), exporters of spans (package otlp).
package serve
