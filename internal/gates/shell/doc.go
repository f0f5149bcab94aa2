// Package shell turns a shell command line into what it does.
//
// Analyze resolves the line's words, redirections, substitutions, wrappers and
// inline code into effects. It parses with mvdan.cc/sh and never matches patterns
// against the text, so a command that is only mentioned (quoted data, a comment, a
// commit message) is not one that runs. It ends in bounded time on any input.
//
// Most programs are rows of a table (type tool, tools_gen.go) that give each
// option and operand a role; the table is compiled from one file a program, in
// the folder programs. Programs whose arguments are a language of their own
// have code (dispatch.go) and read their options with getopt: one that looks for an
// option by the whole word misses it cut short, attached or in a cluster.
//
// What belongs here: what command lines, scripts and inline code do: files for
// programs, code for the languages that some of them read. What never does:
// names of tools and of their arguments (package call), whether something may
// run (package gates), and a look at the machine: what the line does not say is
// unknown.
package shell
