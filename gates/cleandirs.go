package gates

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about directories that a call gives to a build by a variable, a property or an
// option: who cleans deletes them, and who builds writes there, also where a link leads out of
// the workspace.

// givenDirs adds what builds do to directories that the call gives them.
func (c *Context) givenDirs() {
	for k := range c.runs {
		r := &c.runs[k]
		if len(r.Words) == 0 || !c.builds(r) {
			continue
		}
		program := path.Base(r.Words[0])
		cleans := slices.ContainsFunc(r.Words[1:], cleansUp)
		for _, dir := range c.dirsGiven(r) {
			if cleans && c.mayHoldFiles(dir) {
				c.does(k, Effect{Kind: effect.Delete, Op: effect.OpRemoveTree, Program: program}, dir)
			}
			if c.leadsOut(r, dir) {
				c.does(k, Effect{Kind: effect.Write, Op: effect.OpCreate, Program: program}, dir)
			}
		}
	}
}

// builds says whether a run runs the project's own build. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) builds(r *effect.Run) bool {
	return slices.ContainsFunc(r.Effects, func(i int) bool {
		e := &c.Effects[i]
		return e.Kind == effect.Spawn && e.Op == effect.OpBuild
	})
}

// dirsGiven are the paths that a run is given as values, and the directories that it writes: each
// once.
func (c *Context) dirsGiven(r *effect.Run) []string {
	var out []string
	add := func(value string) {
		if full := c.places.Resolve(c.dirOf(r), strings.Trim(value, "\"'")); value != "" && exact(full) && !isAmong(out, full) {
			out = append(out, full)
		}
	}
	values := slices.DeleteFunc(slices.Clone(r.Values), func(w string) bool { // paths that programs and modules are looked up in
		name, _, _ := cutAt(w, "=")
		return strings.HasSuffix(name, "PATH")
	})
	for _, w := range append(values, r.Words[1:]...) {
		if name, value, ok := cutAt(w, "="); ok && (!strings.HasPrefix(name, "--") || outsideWord(value)) && !strings.Contains(value, "://") {
			add(value)
		}
	}
	for _, i := range r.Effects {
		if e := &c.Effects[i]; e.Kind == effect.Write && e.Op == effect.OpCreate && exact(e.Resource) {
			add(e.Resource)
		}
	}
	return out
}

// outsideWord says whether a value is written as a path that does not begin where the run does.
func outsideWord(value string) bool {
	return strings.HasPrefix(value, "/") || strings.HasPrefix(value, "~") || value == ".." || strings.HasPrefix(value, "../")
}

// mayHoldFiles says whether a path is that of a directory with something in it, as far as anybody
// looks: a place outside of the workspace may be one.
func (c *Context) mayHoldFiles(dir string) bool {
	switch z, _, _ := c.places.Where(dir); z {
	case effect.ZoneStream:
		return false
	case effect.ZoneWorkspace, effect.ZoneTemp:
		return c.names != nil && len(c.names(dir)) > 0
	}
	return true
}

// leadsOut says whether a place that is named by a path below the run's directory lies out of the
// workspace, because of a link on the way.
func (c *Context) leadsOut(r *effect.Run, full string) bool {
	if z, _, _ := c.places.Where(full); z == effect.ZoneWorkspace || z == effect.ZoneTemp || z == effect.ZoneStream {
		return false
	}
	return slices.ContainsFunc(append(slices.Clone(r.Words[1:]), r.Values...), func(w string) bool {
		_, value, ok := cutAt(w, "=")
		value = strings.Trim(value, "\"'")
		return ok && !outsideWord(value) && !strings.Contains(value, "..") && c.places.Resolve(c.dirOf(r), value) == full
	})
}

// does adds an effect of a run on a place, unless the run has it already.
func (c *Context) does(k int, e Effect, place string) {
	e.Resource = place
	e.Zone, e.Sensitive, e.Protected = c.places.Where(place)
	if slices.ContainsFunc(c.runs[k].Effects, func(i int) bool {
		x := &c.Effects[i]
		return x.Kind == e.Kind && x.Resource == place
	}) {
		return
	}
	c.runs, c.Effects = slices.Clone(c.runs), slices.Clone(c.Effects)
	c.runs[k].Effects = append(slices.Clip(c.runs[k].Effects), len(c.Effects))
	c.Effects = append(c.Effects, e)
}

// cleansUp says whether a word names a task or a subcommand that deletes what a build made, alone
// or among others: clean, distclean, cleanTest, uninstall (GNU Coding Standards, "Standard Targets
// for Users"; Maven's lifecycle; Gradle's base plugin; cargo-clean(1)).
func cleansUp(word string) bool {
	if strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--") || strings.Contains(word, "=") {
		return false
	}
	option := strings.HasPrefix(word, "--")
	for _, part := range strings.FieldsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) {
		part = strings.ToLower(part)
		if strings.HasPrefix(part, "clean") || strings.HasSuffix(part, "clean") || strings.HasPrefix(part, "clobber") || strings.HasPrefix(part, "purge") || strings.HasPrefix(part, "uninstall") || option && (strings.HasPrefix(part, "clear") || strings.HasPrefix(part, "empty") || strings.HasPrefix(part, "expunge")) {
			return true
		}
	}
	return false
}
