// Package join merges two policies that came from one: the driver that git calls
// where both branches of a repository changed a policy.
//
// Policies makes one policy that has every gate of both sides and of each setting
// the stricter one. The tree is that of the side that changed it; where both did,
// nothing sensible can be made of them and the answer is a Conflict that says what
// to do. The result is never weaker than either side: that is checked at the end
// with the comparison a reviewer would read, whatever the steps before did.
//
// What belongs here: how each part of two policies becomes one. What never does:
// files and git (cmd/gbt), and what weakens (package review). Everything is a pure
// function of its arguments.
package join
