// Package proof reads the completion checks that a policy has mined from logs
// (tree.Proof): it binds them to a task, and looks whether a call that ran shows one.
//
// Of makes Names, the values that a task's text names. Bind puts them into a template in
// the place of its slots, and says where a slot has no value: such a check can't be
// executed. Lift is the way back, for who mines: it takes the task's values out of a text.
// Shows asks whether a call, with its result, is what a check of the kind call asks for.
//
// A slot is a file, identifier or number of the task by its place among those of its kind,
// or `{task}`, any value that the task names. Commands get no value that a shell would
// read as more than a word.
//
// What belongs here: templates and values, for mining and for running alike. What never
// does: executing a check (package completion), choosing checks (internal/completion/mine),
// and what follows from one (package traverse).
package proof
