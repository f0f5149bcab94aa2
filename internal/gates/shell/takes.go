package shell

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about variables that a line takes from a file: what they say nobody knows, so an
// address that one of them names is any.

// plainVariable is a line of such a file that says what its variable is: a constant.
var plainVariable = regexp.MustCompile(`^(?:(?:export )?[A-Za-z_][A-Za-z0-9_]*=(?:[A-Za-z0-9_./:@%+,?&=-]*|"[A-Za-z0-9_./:@%+,?&= -]*"|'[^']*')|\s*#.*|\s*)$`)

// takes notes that the line takes variables from a file. Those of one that git holds, that is as it was
// before the session and that has nothing but constants are known.
func (m *machine) takes(full string, in data) {
	if strings.HasSuffix(full, "/bin/activate") { // of a virtual environment
		return
	}
	if m.p.Tracked != nil && m.p.SettledText != nil && m.settled(full) && m.p.Tracked(full) {
		text := m.p.SettledText(full)
		if text != "" && !slices.ContainsFunc(strings.Split(text, "\n"), func(l string) bool { return !plainVariable.MatchString(l) }) {
			m.source(text, in)
			return
		}
	}
	m.took = full
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
