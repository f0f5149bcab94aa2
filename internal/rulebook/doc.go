// Package rulebook finds, reads and writes the files in which people keep rules about
// calls, for every front end alike: .gbt/rules in the project, and gbt/rules in the
// user's configuration directory. The project's file may come with a cloned repository,
// so what it allows counts only once its user accepted the very bytes; what it denies
// or asks always counts.
//
// What belongs here: where the files lie, which of them were accepted, and facts about
// the working directory that rules may ask for. What never does: how a rule reads and
// what it covers (gates/rules), and commands (cmd/gbt). The hook starts with it for every
// call: files that are not there cost one look each.
package rulebook
