// Package shell turns a shell command line into what it does.
//
// Programs lists the programs a line runs. Analyze resolves the line's words,
// redirections, substitutions, wrappers and inline code into effects.
//
// Both parse with mvdan.cc/sh and never match patterns against the text, so a
// command that is only mentioned (quoted data, a comment, a commit message) is
// not one that runs. Both end in bounded time on any input.
package shell
