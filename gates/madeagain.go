package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about files that are made again, in a directory whose names the host sees:
// what a pattern of a deletion finds there, and what TeX made of a document that is there.

// texMakes are endings of what TeX and the programs that run with it make of a document
// NAME.tex (latexmk(1), -c and generated_exts). Sorted.
var texMakes = []string{".aux", ".bbl", ".bcf", ".blg", ".fdb_latexmk", ".fls", ".idx", ".ilg", ".ind", ".lof", ".log", ".lot", ".nav", ".out", ".run.xml", ".snm", ".synctex.gz", ".toc"}

// compilerMakes are endings of what compilers make of each source (gcc(1), -c and --coverage;
// javac(1)).
var compilerMakes = []string{".class", ".gcda", ".gcno", ".o", ".pyc"}

// listedAtMost is how many names a host lists of a directory: one with as many may hold more.
const listedAtMost = 5000

// madeAgain says whether a deletion takes only what is made again: all that its pattern finds in its directory, or its file. Names that begin with a dot are
// found by patterns that do.
func (c *Context) madeAgain(e *Effect) bool {
	if c.names == nil || c.after || e.Deferred || e.Op != effect.OpRemove && e.Op != effect.OpRemoveTree || c.broughtBefore(e) {
		return false
	}
	dir, pattern := path.Split(e.Resource)
	dir = trimSuffix(dir, "/")
	if dir == "" || !exact(dir) || pattern == "" || strings.Contains(e.Resource, "…") {
		return false
	}
	names, found := c.names(dir), false
	if len(names) >= listedAtMost {
		return false
	}
	for _, n := range names {
		name := trimSuffix(n, "/")
		ok, err := path.Match(pattern, name)
		if err != nil {
			return false
		}
		if !e.Glob {
			ok = name == pattern
		}
		if !ok || name[0] == '.' && pattern[0] != '.' {
			continue
		}
		if found = true; !remakes(n, names) {
			return false
		}
	}
	return found
}

// remakes says whether one entry of a directory with these names is made again. A name of a
// directory ends with a slash.
func remakes(name string, names []string) bool {
	base, isDir := cutSuffix(name, "/")
	if regenerable(base) {
		return true
	}
	if isDir { // of Zephyr's test runner: twister-out.1 is an earlier run
		rest, ok := cutPrefix(base, "twister-out")
		return ok && strings.Trim(rest, ".0123456789") == ""
	}
	if slices.ContainsFunc(compilerMakes, func(end string) bool { return strings.HasSuffix(name, end) }) {
		return true
	}
	return slices.ContainsFunc(texMakes, func(end string) bool {
		stem, ok := cutSuffix(name, end)
		return ok && isAmong(names, stem+".tex")
	})
}
