// Package hosts speaks the hook protocols of coding agents: it turns what a
// host writes to a hook into a call that package gates can judge, and a
// decision into exactly what that host reads as allow, ask or block.
//
// Lookup names a Host. Host.Decode reads the host's input, Host.Encode answers
// with a decision, and Host.Refuse is the blocked form for everything that went
// wrong before there was one. Reading says what the host makes of a finished
// hook process: it is written from the host's documentation and source, apart
// from Encode, so that tests and gbt doctor can hold one against the other.
//
// Decode never guesses: what is missing, double, of the wrong type or for an
// event that is not known is an error, and an error must end in Refuse. A field
// that a host may leave out is absent, never harmless. Text that is shown to a
// person is stripped of control characters.
//
// The package imports the standard library and gates, does no input or output
// of its own, and is safe for concurrent use.
package hosts
