// Package runner is an executor: a loop over an OpenAI-compatible chat endpoint
// with shell and file tools, driven by a policy one macro at a time.
//
// Run proposes what the model said, shows it the traverser's brief for the next
// macro, lets it make a few calls to realise it, and goes round. The model never
// sees the transcript: each request holds the brief and the calls of the macro
// under way, both bounded. Every call is checked before it runs, and a call that
// would need somebody's consent does not run, because nobody is there to ask. The
// model's claim to be finished only makes Run execute the completion checks; DONE
// comes from the session's Finish alone.
//
// The record of a run is one OpenAI chat record, which gbt import reads. It is
// saved after every macro and at the end, however the run ends.
//
// The endpoint is spoken to with net/http: it is one request and one answer, and
// local servers leave out fields that a typed client insists on.
//
// What belongs here: the loop, the model's connection, the tools and the record.
// What never does: the next macro and the brief (package traverse), the sandbox
// (internal/replay/workspace), asking people.
package runner
