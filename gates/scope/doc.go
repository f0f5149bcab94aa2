// Package scope names what one answer to a question can be remembered for: a verb with
// its destination or directory, such as "send to origin by git push" or "read
// /srv/data".
//
//	for _, s := range scope.Of(&ctx, &d) { // the most specific one first
//		offer(s)
//	}
//
// A question about several things has a scope of several names, and an answer settles a
// later question only if every one of its things is covered. Nothing is remembered for
// what must be asked about each time: secrets, forced or deleting
// sends, values that only the run time knows, what cannot be undone outside the
// workspace, what a gate of a policy or a person's rule asks, and everything once the
// session has read secrets. Outside of the workspace a yes to a new file is for new files alone (writes.go).
// Of a protected file only the very same change is (changes.go).
//
// What belongs here: the names, and which questions have none. What never does: what was
// agreed to (package episode), and rules that people write (package rules).
//
// Everything is a pure function and safe for concurrent use.
package scope
