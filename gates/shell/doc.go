// Package shell turns a shell command line into what it does.
//
// Analyze resolves the line's words, redirections, substitutions, wrappers and
// inline code into effects. It parses with mvdan.cc/sh and never matches patterns
// against the text, so a command that is only mentioned (quoted data, a comment, a
// commit message) is not one that runs. It ends in bounded time on any input.
package shell
