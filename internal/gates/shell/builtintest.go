package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about builtins whose words name variables or hold arithmetic: getopts, wait,
// let, unset, test and [.

// variables checks the names that getopts and wait -p assign to.
func (m *machine) variables(name string, args []string) {
	opts, words := (&getopt{valued: "p"}).read(args)
	for _, o := range opts {
		m.varName(o.value)
	}
	if name == "getopts" && len(words) > 1 {
		m.varName(words[1])
		m.assign(words[1], string(rune(mark.Caller))) // a letter, or a question mark
		m.assign("OPTARG", unknown.text)
	}
}

// comparesNumbers says whether an operator of test(1) compares numbers.
func comparesNumbers(op string) bool {
	switch op {
	case "-eq", "-ne", "-lt", "-le", "-gt", "-ge":
		return true
	}
	return false
}

func (m *machine) tests(name string, args []string) {
	for i, a := range args {
		switch {
		case name == "unset", name != "let" && i > 0 && (args[i-1] == "-v" || args[i-1] == "-R"):
			m.varName(a)
		case name == "let":
			m.arithValue(a)
			if n := nameLen(strings.TrimLeft(a, "+-(! ")); n > 0 {
				m.numbered(strings.TrimLeft(a, "+-(! ")[:n])
			}
		case i > 0 && comparesNumbers(args[i-1]), i+1 < len(args) && comparesNumbers(args[i+1]):
			m.arithText(a) // arithmetic in zsh and ksh
		}
	}
	if name == "unset" {
		for _, a := range args {
			if a == "HISTFILE" {
				m.wipeHistory()
			}
			if base, _, item := cutAt(a, "["); item {
				m.assign(base, unknown.text)
			}
			m.vars = append(m.vars, binding{name: a, unset: true})
			for i := range m.funcs {
				m.funcs[i].may = m.funcs[i].may || m.funcs[i].name == a
			}
		}
	}
}
