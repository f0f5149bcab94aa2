package gates

import (
	"path"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about formatters and checkers that parse the files they are for and run none of
// them. Their settings are code, or name some: plugins, parsers, rules.

// parsers are such programs whose settings are followed (prettier.io/docs/cli,
// eslint.org/docs/latest/use, stylelint.io/user-guide).
var parsers = [...]string{"eslint", "prettier", "stylelint"}

// parsesOnly are those of readsOnly that load no settings or plugins which are JavaScript.
var parsesOnly = [...]string{"biome", "jsonlint", "pyright", "tsc", "write-good"}

// parses says whether an effect runs such a program, itself or by what starts an installed one:
// the files of the project are no code to it. What its settings load is followed.
func parses(e *Effect) bool {
	words := strings.Fields(e.Argv)
	if len(words) == 0 {
		return false
	}
	program := e.Program
	switch n := 1; program {
	case "npm", "pnpm", "yarn":
		if n = 2; len(words) < 3 || words[1] != "exec" {
			return false
		}
		fallthrough
	case "npx", "bunx", "pnpx":
		if len(words) <= n {
			return false
		}
		program = words[n]
	}
	return isAmong(parsers[:], program) || isAmong(parsesOnly[:], program)
}

// withoutSubjects is a run without the files that it is for: what is left are its options, with
// the files that they name.
func withoutSubjects(r *effect.Run) *effect.Run {
	out := *r
	out.Words = nil
	count := func(list []string, w string) (n int) {
		for _, other := range list {
			if other == w {
				n++
			}
		}
		return n
	}
	for i, w := range r.Words {
		if i == 0 || count(r.Words[1:], w) > count(r.Names, w) { // an option's value may be called like a file
			out.Words = append(out.Words, w)
		}
	}
	return &out
}

// subjectSettings adds what such programs find beside the files that they are for, and above and
// below them: each directory may have settings of its own.
func (f *follower) subjectSettings(program string, r *effect.Run) {
	for _, w := range append([]string{"."}, r.Names...) {
		at := f.c.places.Resolve(r.Cwd, globBase(w))
		for dir := path.Dir(at); f.c.inWorkspace(dir) && dir != "/"; dir = path.Dir(dir) {
			f.settingsOf(dir, program)
			f.file(path.Join(dir, "package.json"))
		}
		f.below(at, func(file string) bool {
			if base := path.Base(file); base == "package.json" {
				return true
			} else if strings.Contains(strings.ToLower(base), program) {
				f.settingsOf(path.Dir(file), program)
			}
			return false
		})
	}
}

// globBase is a word without its parts from the first that holds a pattern.
func globBase(w string) string {
	if i := strings.IndexAny(w, "*?[{!"); i >= 0 || mark.Has(w) {
		if i < 0 {
			return "."
		}
		return w[:lastByte(w[:i], '/')+1] + "."
	}
	return w
}
