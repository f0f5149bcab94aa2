// Package programs compiles what programs do: one YAML file a program becomes
// the tables that package shell reads command lines with.
//
// [Read] reads a folder of files and returns all that is wrong with them, each
// with its file and line. [Rows] lays programs out as rows, one for each name
// and subcommand, and [Write] prints rows as Go. internal/gates/shell/programs/FORMAT.md
// describes the files.
//
// What belongs here: what a program's file may say, and what checks and compiles
// it. What never does: what a single program does, and anything that runs while a
// call is decided.
package programs
