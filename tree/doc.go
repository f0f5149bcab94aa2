// Package tree is the behaviour tree: what a policy knows about the order in
// which macros lead tasks to success.
//
// A Tree has three parts. States are the macro classes of a family: one
// signature, one pooled description, one set of successors. Nodes are the
// places of those states on successful paths; they form one rooted tree, whose
// first layer is the task families. Leaves are nodes where an episode
// succeeded. In the default profile all nodes of one (family, signature) share
// a State and so share successors (decision 8 of REQUIREMENTS.md); in the
// reference profile (003 §E.3) every node has a State of its own.
//
// Check holds the invariants. A Tree that Check accepts is immutable by
// convention and may be shared between goroutines. Package internal/tree/merge builds
// trees, package artifacts stores them, package traverse walks them.
//
// What belongs here: what a tree holds, when it is sound, and how a task, a
// proposal or a call is matched with it. What never does: building
// (internal/tree/merge), bytes (package artifacts), the state of a run (package
// traverse).
package tree
