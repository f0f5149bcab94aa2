// Package episode is the one memory of a run: what ran before, what came back and
// from where, what was written, and what was consented to.
//
// A host asks it Before a call is judged, tells it that the call Ran, and tells it
// what Returned. Whoever decides on calls in a row uses one Memory for each run:
// the traverser, the proxy, the hook, gbt check, replay and learning. So what one
// of them has seen means the same to all.
//
//	var m episode.Memory
//	m.Hear(task)                                // the user's words
//	m.Before(&state)                            // history, flow and sources
//	d := checker.Check(&ctx, nil)               // ctx from state
//	m.Ran(&ctx, now)                            // it runs, or may
//	m.Returned(ctx.ToolName(), args, output...) // what it read, wrote to standard error, or failed with
//
// Everything that came back counts, whatever a host calls it: results, errors,
// standard error, resources and prompts of servers. Somebody else may have written
// any of them.
//
// What belongs here: facts about calls that ran, bounded. What never does: what a
// call will do (package call), where it may go (package gates), where it stands in
// a tree (package traverse).
//
// A Memory is one value that encodes to bytes and back; it belongs to one caller.
package episode
