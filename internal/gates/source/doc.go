// Package source reads small programs in compiled languages as whole texts: does a program do
// nothing but compute, print, read its arguments and its input, and read and write files of the
// workspace and of temporary directories that stand in it by a literal name? [Reader] says so
// only of what it can read; everything else may do anything.
//
// Each language has a list of what a program may use: modules and names of its library, from the
// documents that are named beside them. A name is one of those, or the program's own. Where a
// language puts names before the program that reach outside, a program that has one of them for
// anything is not read, so that no declaration of that name can hide a use of the library's.
//
// What belongs here: reading the text of one program, lists of what libraries give, and what the
// manuals of compilers say of their options and outputs. What never does: which file a session
// built of what, and whether a call may run it; that is internal/gates/shell and gates. Programs
// that embed the guard do not link it: hosts that let files be read hand it in as
// gates.State.Compiled.
//
// All functions are safe for concurrent use.
package source
