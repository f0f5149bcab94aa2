// Package approval keeps the gates that distillation proposes and does not enforce,
// and what people decided about them.
//
// A Book of proposals stands beside a policy, named by the policy's digest, so that
// proposals of one are never taken for those of another. It is one JSON object and
// holds no text of the logs: expressions that name what few tasks share are left
// out. Read and Encode are its file.
//
// A Log of decisions stands beside it: one line each, a DSSE envelope
// (secure-systems-lab/dsse, protocol 1.0.2) that the reviewer's key signs, in
// which each decision names the line before it. A line that was changed, moved or
// taken out is refused by its number. Lines cut off at the end leave no trace in
// what remains: the file belongs into version control, beside the policy.
//
// SCHEMA.md describes both files. Values of this package belong to one goroutine.
//
// What belongs here: these two files, and how a decision is signed and verified.
// What never does: what makes a gate at least as tight as another (package
// distill), and what a gate may be (package artifacts).
package approval
