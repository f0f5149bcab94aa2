// Package mine finds the completion checks that successful runs have in common, out of
// logs (requirement H1, decision 13).
//
// Look says what one episode showed at its end: tests and builds that ended with status 0
// after the last change, files that it made, and calls that did not fail, with which of
// their arguments and results the task names or many tasks share. Mine counts these over
// all episodes beside the tree they were merged into, chooses for every success leaf the
// checks that its successes passed and that catch the most of the unsuccessful runs
// beside them, and seals them there.
//
// # What is counted, and what is kept
//
// Tasks count, not episodes, because runs of one task are alike; a task passes a check if
// all of its successful runs do. A leaf with fewer than MinTasks tasks takes the runs that
// end with the same macro in its family, and else the family. Of what is tried there the
// exact one-sided 95% lower bound (Clopper and Pearson, Biometrika 26, 1934) of the share of
// tasks that pass all checks chosen must stay at Least. Checks are chosen one by one, the one
// first that catches the most runs for the least tasks. A check that nothing refutes is
// kept only if the host executes it, since then the run itself shows whether it can
// fail; it stands in the policy as not refuted.
//
// Texts of logs stand in a check only where segment.MinShared tasks have them and they hold
// no secret.
//
// What belongs here: reading checks out of episodes and choosing among them. What never
// does: templates and values (internal/traverse/proof), the tree (internal/tree/merge),
// executing checks (package completion).
package mine
