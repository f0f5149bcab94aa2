// Package imports reads which modules code brings in, for operators who list those
// that cells of code may use (gates.Guardrail.Imports).
//
// Read works on tokens and not on a syntax tree: it has to be right about where strings
// and comments end and about what stands in import statements, and about nothing else.
// What brings in modules that the text does not name (eval, __import__ of a computed name,
// a class's __globals__), and text that it cannot read to its end, has Reading.Why, and
// then the modules that are named say nothing. Compared with Python's own ast by a test:
// what that finds is found here, or refused.
//
// It is no sandbox. A module that is listed can do what it can do, and hands on what it
// has brought in itself; the guardrail judges what code does whether there is a list or
// not.
//
// What belongs here: tokens and import statements of Python and JavaScript, and which
// modules a list covers. What never does: what a module can do and whether code may run
// (packages shell and gates), files, and any other language: without a reading here it is
// refused where there is a list.
package imports
