package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file says what a program's input is called, and judges input that is the
// program: where a script or settings are looked for, text that comes in decides
// what runs.

// isInput says whether a word names what the current program reads on a descriptor:
// a dash, or a file of /dev or /proc that stands for one (fd(4), proc(5)). A file
// that the line made for a process substitution is none.
func (m *machine) isInput(word string) bool {
	return word == "-" || m.inputFile(m.p.Resolve(m.cwd, word))
}

func (m *machine) inputFile(full string) bool {
	if _, ok := m.written(full); ok {
		return false
	}
	switch {
	case full == "/dev/stdin", strings.HasPrefix(full, "/dev/fd/"):
		return true
	case strings.HasPrefix(full, "/proc/"):
		return strings.Contains(full, "/fd/")
	}
	return false
}

// firstInput says whether a path stands for the standard input itself. Not inlined, for the size of programs.
//
//go:noinline
func firstInput(full string) bool {
	return full == "/dev/stdin" || full == "/dev/fd/0" || strings.HasPrefix(full, "/proc/") && strings.HasSuffix(full, "/fd/0")
}

// inputText is what a word that isInput stands for, as far as it is known.
func (m *machine) inputText(word string) data {
	if word == "-" || firstInput(m.p.Resolve(m.cwd, word)) {
		return m.in
	}
	return unknown
}

// runsInput records that a program takes its instructions from its input. Not inlined, for the size of programs.
//
//go:noinline
func (m *machine) runsInput() {
	m.opaque(effect.OpComputed, m.prog+" runs its input")
}

// filterFile judges a file of expressions that is the tool's input.
func (r *toolRun) filterFile(word string) {
	if !r.filters() || !r.m.isInput(word) {
		return
	}
	if d := r.m.inputText(word); d.known() {
		r.codeRole(roleJq, d.text)
	} else {
		r.m.runsInput()
	}
}

// filters says whether the tool's expressions are programs of jq's language.
func (r *toolRun) filters() bool {
	return firstByte(r.t.operands, roleJq) >= 0
}
