// Package tasks keeps runs that outlive their process: where each one stands, what it
// needs to go on, and a chain of receipts of all that it did (requirements H2, Z2, Z4,
// Z5).
//
// A Book is a stores.Database with these rules on it. A task is in one of seven
// states and goes from one to another only along the table in state.go, compared and
// set in one transaction with the receipt of it. The process that runs a task holds a
// Run: every commit of a Run says which version of the task it knows, so that of two
// who believe to run it one is refused. Processes tell that they live every 10
// seconds; a task whose process said nothing for 60 becomes a zombie by Reap, and only
// then somebody else's.
//
// An effect happens once: Dispatch writes the call with its idempotency key before it
// runs, Outcome writes what came of it after. A Run that begins with a call that has
// no outcome settles it first, by asking the ledger of whoever ran it; what nobody
// knows is for a person to say, and until then nothing more is dispatched.
//
// What is written holds no secret in plain: receipts and titles go through
// internal/redact, and the bytes that a session needs to go on are sealed (AES-GCM)
// with a key that lies in a file of its own beside the database. The key also
// authenticates where a chain ends, so that one who can write to the database alone
// cannot cut receipts off. Who has the key can forge all of it.
//
// A Book is safe for concurrent use; a Run belongs to one goroutine at a time, but for
// Beat. Stored values carry a version; another one is refused.
//
// What belongs here: states, claims, receipts in the transaction of what they are
// about, settling, sealing. What never does: decisions (package traverse), running
// calls (internal/runner), the file itself (internal/stores).
package tasks
