// Package rules reads rules that people write about calls, and applies them: one rule a
// line, allow, ask or deny, what it is about, and facts that must hold.
//
//	allow git push origin *
//	deny git push when not tests passed
//	allow fetch docs.example.org
//	deny end when not tests passed
//
// A rule is bound to what a call does and not to its text: its line is read by the same
// analyser as the call, so that quotes, wrappers and aliases change nothing, and a star
// stands for what may vary while the effects stay the same. An allow answers the
// guardrail's questions about effects that it covers, and nothing else: it lifts no
// rejection, no gate of a policy, and makes no call stricter. A deny or an ask holds
// wherever it may be meant. Deny goes before ask, ask before allow. A fact that nobody
// knows does not help an allow and does not excuse a deny. A rule about the end is about no
// call: front ends that see an agent end its work ask for it (Set.Ends, requirement V5).
//
// What belongs here: the text of rules and what they cover. What never does: files and
// where they lie (internal/rulebook), what one yes is remembered for (package scope).
//
// A Set is immutable and safe for concurrent use.
package rules
