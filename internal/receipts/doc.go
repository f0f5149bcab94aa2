// Package receipts is what a run leaves of each thing that it did: one receipt
// for every call that was dispatched or stopped, for what came of it, for every
// change of the task's state, of the policy and of a consent (requirement Z2).
//
// Receipts of a session are a chain: each holds the hash of the one before it, so
// that a receipt that is taken out, changed or moved is found by Chain. What is cut
// off at the end is found by whoever keeps the head, which is the number of receipts
// and the last hash. A receipt is never changed: what became of it later (an
// outcome, a reversal) is another receipt that names it in Of, and Standing reads
// the last word.
//
// A receipt has exactly one encoding. Numbers of versions are never reused; an
// unknown field is refused. Everything here is a pure function.
//
// What belongs here: the receipt, its words, the chain, its tier from effects. What
// never does: where receipts are kept (internal/tasks, internal/stores), taking
// secrets out (internal/redact), undoing anything.
package receipts
