// Package cover tells what a task's text names and whether completion checks would fail
// without it: the static, model-free audit of a plan (requirement H3).
//
// Named finds files, identifiers, tests, rejection and safety clauses, numbers with their
// units, and ranges in a text, with line and column. Read finds the part of a command line
// that its exit status depends on: what stands in an echo, behind `|| true`, before a
// `; true` or in a comment decides nothing and covers nothing. Audit puts both together.
//
// What belongs here: reading a task's text and check commands for the audit. What never
// does: running a check, what becomes of a run that is not covered (package traverse),
// decisions on calls (package gates): words of a task decide no call.
package cover
