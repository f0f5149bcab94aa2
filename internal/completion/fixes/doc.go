// Package fixes finds out of logs what successful runs did when a call had failed, and how
// often a call failed in a row in runs that came to a good end (requirement H1; the table of
// known fixes and the retry bound of a state in 000 §3.1).
//
// Look reads an episode. Mine counts over all episodes of a family and seals what is known
// in the tree, Recount adds what new episodes show to what a tree has already.
//
// # A fix
//
// A call fails in one of a few classes (package internal/traverse/failure). When the same
// check is made again, what ended well in between was tried as a fix: it worked if the check
// passes, and else it failed. Where nothing was done in between, the call in another form is
// the fix. Tasks count, not episodes. A fix worked in a task if a successful run shows it; it
// failed in a task if any run does, so that what is counted against it weighs more. It is
// known if it worked in MinTasks tasks, if the exact one-sided 95% lower bound of its rate
// (Clopper and Pearson, Biometrika 26, 1934) is at least Least, and if its rate is not below
// that of all tries after such a failure. Of one kind of failure the MaxNamed best are kept.
//
// # A bound
//
// The bound of an action is the most failures in a row of any successful run that did it, or
// one. By Wilks (Annals of Mathematical Statistics 12, 1941) the largest of 29 lies at or
// above 90% of all with 95% confidence: from Binding tasks on a bound ends runs, below it is
// advice, and below MinTasks there is none.
//
// What belongs here: reading failures out of episodes, and choosing among fixes. What never
// does: how a call failed (internal/traverse/failure), the tree (internal/tree/merge), and
// what a session makes of it (package traverse).
package fixes
