// Package hosts speaks the hook protocols of coding agents: it turns what a
// host writes to a hook into a call that package gates can judge, and a
// decision into exactly what that host reads as allow, ask or block.
//
// A Host is a value in a file of its own, and holds all that is true of one host
// only; Lookup names it. Host.Decode reads the host's input, Host.Encode answers
// with a decision, and Host.Refuse is the blocked form for everything that went
// wrong before there was one. Reading says what the host makes of a finished
// hook process: it is written from the host's documentation and source, apart
// from Encode, so that tests and gbt doctor can hold one against the other. Where
// a host's settings lie and what stands there is data (Settings), of which
// package settings makes files. No code outside a host's file asks for its name.
//
// Decode never guesses: what is missing, double, of the wrong type or for an
// event that is not known is an error, and an error must end in Refuse. A field
// that a host may leave out is absent, never harmless. Text that is shown to a
// person is stripped of control characters.
//
// The package imports the standard library and gates, does no input or output
// of its own, and is safe for concurrent use. The hook starts for every call of
// an agent and brings all of this along, so nothing heavy belongs here.
//
// What belongs here: the protocol of each host, its samples and limits, and the
// strict reading that they share. What never does: decisions (package gates),
// what a tool's arguments mean (gates/call), files and processes (cmd/gbt-hook,
// cmd/gbt).
package hosts
