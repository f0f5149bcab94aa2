// Package traverse runs a policy beside an executor: it decides the next macro,
// checks every call before it runs, finds a way out of a stall, and says what
// the executor needs to see instead of the transcript.
//
// What belongs here: the state of one run in a tree: its two places, steps and
// budgets, ways out of a stall, briefs, and the end. What never does: rules
// about calls (package gates), what came back and was consented to (package
// episode), finding a node for words (package tree), transports
// (internal/protocol) and running anything.
//
// # One session
//
// New makes an opened artifact ready; a Policy is immutable and shared by any
// number of sessions on any number of goroutines. Start routes a task, or
// abstains, and returns a Session, which belongs to one goroutine at a time. The
// host then goes round this loop:
//
//	p, err := traverse.New(policy, traverse.Options{Digest: info.Digest})
//	s := p.Start(traverse.Task{ID: id, Text: task}, env)
//	for {
//		m := s.Propose(traverse.Proposal{Text: words}) // or Tool and Args
//		if m.Verdict == traverse.Stall {
//			break // m.Reason says why
//		}
//		// Show m.Brief to the executor; it makes calls to realise m.Macro.
//		a := s.Check(call)
//		if a.Allowed() {
//			s.Observe(call, result)
//		} // else a.Reasons say why not; a.Token lets the user confirm this call
//	}
//	out := s.Finish()
//
// Start abstains from a task that the policy does not claim to know: without words,
// of words that nobody uses, like none of the tasks it was distilled from, or
// offered other tools. So does Observe after the first macros, if no family has one
// of them. Status.Abstained says why. Such a run is not steered, not covered, and
// no leaf is success for it; its calls are checked as ever. Where the task is not too
// far, Observe claims it once its first macro is what a family offers where the run
// stands, and abstains again if the second is not. From the first on the run is
// steered. After both it counts as covered, its first macros included, which were
// offered though nobody steered them, and a leaf is success.
//
// Propose answers with a Verdict: Advance or Fragile (realise Move.Macro),
// Explore (one step without steering), Recover (control inverts: realise
// Move.Macro whatever was proposed), Stall (Reason; the run is over, or stuck).
// A proposal that names its call is matched by what the call does, otherwise by
// its words. A host that only sees calls, as a hook or a proxy, leaves Propose
// out: Check and Observe follow the calls through the tree.
//
// Check takes the call as it will run and returns gates.Decision with the
// context it was decided on. ApprovedWithConstraints carries a Token: after
// Confirm(token), exactly that call in exactly that environment passes once.
// Observe must be told of every call that ran; history, information flow,
// provenance, changes and the place in the tree come from there.
//
// A task that names checks is audited first: what it asks for must appear in one
// of them, or the run is stopped with "plan-uncovered" before any action
// (Status.Uncovered says what is missing). Finish answers DONE if every completion check of the task (Task.Checks, told
// with Report) was executed and passed after the last change. Every call but a
// plain read counts as one when it is approved, whether or not it is ever observed,
// and again when it ran, even if it failed, unless the host looked and told of no
// change (Result.Deltas). Changed tells of changes that no call made. A task without
// checks can only be found to have ended where successful runs end: Outcome.Basis
// then says "leaf", and nobody examined the result.
//
// # What moves and what decides
//
// A session stands at two places that coincide but for detours. The steering
// place follows executed calls, recovery paths and re-roots; proposals are
// matched there. The guarding place is moved by executed calls alone, and the
// node-local gates asked about a call are those of the node that the call
// itself leads to from there. A gate of a subtree is also kept from the first
// executed call of its action on where the family has no node for that, and asked
// where the walk has no place at all. So no word in a proposal, a result or a
// description changes which gates are asked, and none is ever part of what they
// read (requirement C5). In the reference profile, the literal scheme, the
// selected node is the place for both.
//
// An executed call of another action than the current macro's begins the next
// one. Where the tree does not offer it, coverage is lost, with the reason in
// Status: not-routed, re-rooted, unmatched, below-theta-low, no-children,
// generic, recovery, policy-changed (requirement S1).
//
// # Stops
//
// Limits of the task are the first layer: wallclock, max-steps, plateau, target,
// in this order. Interrupt comes before both, and a halt by the pack before a limit that
// is reached at the same time. The governance pack sealed in the policy is the second, and
// alone gives the reasons pack:budget-steps, pack:budget-wall-seconds and
// pack:budget-tokens; nothing in a task, an option or a session reaches it. A
// step begins with every proposal, whatever the answer is; where none was made yet,
// with every call that begins a macro; and with the first that does after Finish. The words of proposals
// therefore don't decide how many there are, nor which call is past the last. Time and tokens are what the host reports (Usage, totals
// since Start); they never run backwards. After a stop, every call is rejected.
// A stall without a way out is different: proposals are answered with it from
// then on, but calls are still decided by the gates, because somebody may help.
//
// # Promises
//
// Everything is a function of the policy and of what the host passed in: no
// file, clock, random number or goroutine. MarshalBinary gives the same bytes
// for the same session and Resume gives back a session that goes on the same;
// under a policy of another digest it obeys that one from then on. Stored
// sessions of other versions are refused.
package traverse
