package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file finds the secrets among files that a run names by a pattern or through a listing: who
// reads conf/* reads conf/credentials.json, if the host sees one there.

// readsSome says whether a run reads files that its words name by a pattern. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) readsSome(r *effect.Run) bool {
	return slices.ContainsFunc(r.Effects, func(i int) bool { return c.Effects[i].Kind == effect.Read && c.Effects[i].Glob })
}

// secretsListed are the secrets that a run lists by their names.
func (c *Context) secretsListed(r *effect.Run, l *shell.Listing, left *int) []string {
	var out []string
	for _, d := range l.Dirs {
		dirs := []string{c.places.Resolve(r.Cwd, d)}
		if mark.Has(d) {
			found, all := c.filesOf(inGlobs(dirs[0]), left)
			if out = append(out, slices.DeleteFunc(found, func(s string) bool { return !c.secretAt(s) })...); !all {
				continue
			}
			dirs = found
		} else if c.secretAt(dirs[0]) && c.exists != nil && c.exists(dirs[0]) && len(c.names(dirs[0])) == 0 {
			out = append(out, dirs[0])
		}
		for _, dir := range dirs {
			for _, s := range c.secretsBelow(dir, l.Deep, left) {
				rel := trimPrefix(s[len(dir):], "/")
				if (l.Hidden || !hiddenIn(rel)) && (l.Ignored || !c.ignored(dir, s)) && l.Picks(d, rel) {
					out = append(out, s)
				}
			}
		}
	}
	return out
}

// searchShows are the secrets of which a search that goes through directories prints something.
func (c *Context) searchShows(r *effect.Run, search *shell.Search, tracked bool, left *int) []string {
	var out []string
	for _, d := range operandsOr(search.Operands, ".") {
		dir := c.places.Resolve(r.Cwd, d)
		for _, s := range c.secretsBelow(dir, true, left) {
			rel := trimPrefix(s[len(dir):], "/")
			if !search.Hidden && hiddenIn(rel) || !search.Ignored && c.ignored(dir, s) || search.Skips(rel) || tracked && !c.tracked(s) {
				continue
			}
			if text, ok := c.text(s); ok && search.Shows(text) {
				out = append(out, s)
			}
		}
	}
	return out
}

// namesGiven are the secrets among the names that listings gave a run: those that git told, and of
// those that the line listed before the ones that fit.
func (c *Context) namesGiven(r *effect.Run, listed, told []string, left *int) []string {
	var out []string
	given := false
	for _, w := range r.Words[1:] {
		l, ok := shell.ListedIn(w)
		if !ok {
			continue
		}
		given = true
		from := told
		if l.Tracked {
			from = slices.DeleteFunc(c.secretsBelow(l.Dir, true, left), func(s string) bool { return !c.tracked(s) && c.ignored(l.Dir, s) })
		}
		for _, s := range from {
			if mark.Under(s, l.Dir) && (l.Name == "" || mark.Match(l.Name, path.Base(s))) && !isAmong(out, s) {
				out = append(out, s)
			}
		}
	}
	if !given {
		return listed
	}
	return out
}

// tracked says whether git tracks a file with the name of a secret. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) tracked(file string) bool { return c.holds != nil && c.holds(file, true) }

// shownOf are those of the secrets that a run is given of which it prints something.
func (c *Context) shownOf(r *effect.Run, given []string) []string {
	var words []string
	for _, w := range withoutMarks(r.Words) {
		words = append(words, inGlobs(w))
	}
	search, ok := shell.SearchOf(words)
	if !ok {
		return given
	}
	return slices.DeleteFunc(slices.Clone(given), func(s string) bool { text, _ := c.text(s); return !search.Shows(text) })
}

// patternShows are the secrets that a run reads by a pattern of their paths, where it prints
// something of them or gives them to somebody. Who copies them leaves them their names.
func (c *Context) patternShows(r *effect.Run, left *int) []string {
	program := path.Base(r.Words[0])
	if tellsNone(program) || keepsNames(program) {
		return nil
	}
	var given []string
	for _, i := range r.Effects {
		e := &c.Effects[i]
		if e.Kind != effect.Read || !e.Glob || e.Sensitive || e.Zone != effect.ZoneWorkspace && e.Zone != effect.ZoneTemp || strings.Contains(e.Resource, "…") {
			continue
		}
		found, all := c.filesOf(e.Resource, left)
		if !all && names.MayFind(path.Base(e.Resource)) {
			found = append(found, e.Resource)
		}
		for _, s := range found {
			if c.secretAt(s) || !all && s == e.Resource {
				given = append(given, s)
			}
		}
	}
	return c.shownOf(r, given)
}

// keepsNames says whether a program copies or moves files under their own names, or keeps them in
// the repository, and prints nothing of them (the manuals of the coreutils, git-add(1)).
func keepsNames(program string) bool {
	switch program {
	case "cp", "mv", "install", "ln", "rm", "git":
		return true
	}
	return false
}

// secretAt says whether a path has the name of a secret. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) secretAt(file string) bool {
	_, sensitive, _ := c.places.Where(file)
	return sensitive
}

// hiddenIn says whether a name on a path begins with a dot.
func hiddenIn(rel string) bool { return strings.HasPrefix(rel, ".") || strings.Contains(rel, "/.") }

// inGlobs is a pattern with its marks as a shell writes them.
func inGlobs(pattern string) string {
	return strings.NewReplacer("\x02", "*", "\x03", "?", "\x04", "[").Replace(pattern)
}

// filesOf are the files and directories that a pattern of paths stands for, as far as the host
// sees them: a star stands for no dot that a name begins with, and two for directories at any
// depth (bash(1), Pathname Expansion). all is false where there are too many to look at.
func (c *Context) filesOf(pattern string, left *int) (found []string, all bool) {
	found, pattern = []string{""}, strings.ReplaceAll(pattern, "[!", "[^")
	for _, element := range strings.Split(strings.Trim(pattern, "/"), "/") {
		var next []string
		for _, dir := range found {
			next = append(next, c.fitting(dir, element, left)...)
		}
		if found = next; *left < 0 {
			return nil, false
		}
	}
	return found, true
}

// fitting are the paths by which a directory's entries fit an element of a pattern.
func (c *Context) fitting(dir, element string, left *int) []string {
	rest, deep := cutPrefix(element, "**")
	switch {
	case !strings.ContainsAny(element, "*?["):
		return []string{dir + "/" + element}
	case deep && rest == "":
		return append([]string{dir}, c.directoriesBelow(dir, left)...)
	case deep: // a pattern that pathlib finds at any depth, hidden files too
		var out []string
		for _, d := range append([]string{dir}, c.directoriesBelow(dir, left)...) {
			out = append(out, c.entries(d, "*"+rest, true, left)...)
		}
		return out
	}
	return c.entries(dir, element, element[0] == '.', left)
}

// entries are the entries of a directory whose names fit a pattern.
func (c *Context) entries(dir, pattern string, hidden bool, left *int) []string {
	var out []string
	for _, name := range c.names(max(dir, "/")) {
		if *left--; *left < 0 {
			return nil
		}
		name = trimSuffix(name, "/")
		if fits, err := path.Match(pattern, name); (fits || err != nil) && (hidden || name[0] != '.') {
			out = append(out, dir+"/"+name)
		}
	}
	return out
}

// directoriesBelow are the directories below one, but for hidden ones and those of installed packages;
// none where there are too many names to look at.
func (c *Context) directoriesBelow(dir string, left *int) []string {
	var out []string
	w := walk{list: c.names, left: left, visit: func(dir, base string, deep bool) course {
		if !deep || base[0] == '.' || apart(dir, base) {
			return next
		}
		out = append(out, path.Join(dir, base))
		return into
	}}
	if _, over := w.below(max(dir, "/")); over {
		return nil
	}
	return out
}
