package shell

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file reads tests of Bats (bats-core.readthedocs.io, Writing tests): each runs behind setup
// and before teardown, in a shell of its own in which the file was read.

// batsFile judges such a file, whose path its script is.
func (m *machine) batsFile(text string) {
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBats)).Parse(strings.NewReader(text), "")
	if err != nil || !parsable(text) {
		m.opaque(effect.OpUnparsed, "tests that cannot be read")
		return
	}
	m.bats = true
	m.assign("BATS_TEST_DIRNAME", path.Dir(m.self))
	m.assign("BATS_TEST_FILENAME", m.self)
	for _, name := range [...]string{"RUN", "SUITE", "FILE", "TEST"} {
		m.assign("BATS_"+name+"_TMPDIR", "/tmp/bats-run/"+name)
	}
	var tests []*syntax.TestDecl
	for _, s := range f.Stmts {
		if t, ok := s.Cmd.(*syntax.TestDecl); ok {
			tests = append(tests, t)
			continue
		}
		m.stmt(s, unknown, false)
	}
	m.callFunc("setup_file", nil, unknown, false)
	for _, t := range tests {
		k := m.save()
		m.callFunc("setup", nil, unknown, false)
		m.stmt(t.Body, unknown, false)
		m.callFunc("teardown", nil, unknown, false)
		m.restore(k)
	}
	m.callFunc("teardown_file", nil, unknown, false)
}

// batsCommand judges the commands that Bats and its libraries of assertions give tests; ok is
// false for all others.
func (m *machine) batsCommand(name string, args []string, in data) (ok bool) {
	switch {
	case name == "run":
		for len(args) > 0 && (args[0] == "!" || args[0] != "" && args[0][0] == '-') {
			args = args[1:]
		}
		for _, v := range [...]string{"output", "stderr", "status", "lines"} {
			m.assign(v, unknown.text)
		}
		fallthrough
	case name == "assert", name == "refute":
		if len(args) > 0 && args[0] == "!" {
			args = args[1:]
		}
		m.looksUp = true
		m.run(args, in, false)
	case name == "load" && len(args) > 0:
		file := args[0]
		if path.Ext(file) == "" {
			file += ".bash"
		}
		cwd := m.cwd
		m.cwd = path.Dir(m.self)
		m.sourceFile([]string{file}, in)
		m.cwd = cwd
	case name == "skip", name == "fail", name == "bats_require_minimum_version", strings.HasPrefix(name, "assert_"), strings.HasPrefix(name, "refute_"):
	default:
		return false
	}
	return true
}
