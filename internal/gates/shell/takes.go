package shell

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about variables that a line takes from a file: what they say nobody knows, so an
// address that one of them names is any.

// plainVariable is a line of such a file that says what its variable is: a constant.
var plainVariable = regexp.MustCompile(`^(?:(?:export )?[A-Za-z_][A-Za-z0-9_]*=(?:[A-Za-z0-9_./:@%+,?&=-]*|"[A-Za-z0-9_./:@%+,?&= -]*"|'[^']*')|\s*#.*|\s*)$`)

// takes notes that the line takes variables from a file. Those of one that git holds, that is as it was
// before the session and that has nothing but constants are known, and so are those of the session's own, for which it says true.
func (m *machine) takes(full string, in data) (own bool) {
	if strings.HasSuffix(full, "/bin/activate") { // of a virtual environment
		return false
	}
	if m.p.Tracked != nil && m.p.SettledText != nil && m.settled(full) && m.p.Tracked(full) {
		if text := m.p.SettledText(full); Constants(text) {
			m.source(text, in)
			return false
		}
	}
	if text, ok := m.constantsOf(full); ok {
		m.source(text, in)
		return true
	}
	if o := m.owner(); o != nil {
		o.forget(m, m.left(full).made.text)
	}
	m.took = full
	return false
}

// constantsOf is what a file of constants holds that the session wrote, where the host lets that be read. Not
// inlined, for the size of programs.
//
//go:noinline
func (m *machine) constantsOf(full string) (text string, ok bool) {
	if o := m.owner(); o != nil {
		return o.constants(m, full)
	}
	return "", false
}

// owner reads files of constants that the session wrote; nil where the host has none (OwnConstants). Not
// inlined, for the size of programs.
//
//go:noinline
func (m *machine) owner() constantsReader {
	o, _ := m.p.Constants.(constantsReader)
	return o
}

// constantsReader is what OwnConstants returns. It is handed over and not called where it is used: programs
// that never ask for it are smaller.
type constantsReader interface {
	constants(m *machine, full string) (text string, ok bool)
	exported(m *machine, w *syntax.Word) (value string, done bool)
	forget(m *machine, text string)
	partial(s *syntax.Stmt) bool
	keepsOthers(m *machine, name string) bool
	surely(m *machine, full string, f *file) bool
}

// othersFile says whether a file of variables is, by its name, not that of development and tests, as
// .env, .env.local and dev.env are: one of variables with another word, or one that names production.
func othersFile(file string) bool {
	words := strings.FieldsFunc(strings.ToLower(path.Base(file)), separates)
	odd := mark.Has(file) || slices.ContainsFunc(words, func(w string) bool {
		return !developing(w) && !hasWord("env envrc sh bash zsh example sample default defaults", w)
	})
	return odd && ContainsAny(words, "env", "envrc", "live", "prod", "production", "release", "remote", "staging")
}
