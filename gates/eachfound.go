package gates

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about deletions by a pattern: the host lists what the pattern finds now, and all
// of that has to be what the call could delete by its name. What finds nothing deletes nothing.

// maxMatched is how many names are looked at for one pattern: what find looks through may be all
// of a workspace.
const maxMatched = 20000

// eachFound says whether all that the pattern of rm or find finds could be deleted by its name.
func (c *Context) eachFound(e *Effect) bool {
	n := c.indexOf(e)
	run := c.runOf(n)
	switch {
	case !e.Glob || c.names == nil || c.exists == nil || c.after || e.Deferred || e.Op != effect.OpRemove && e.Op != effect.OpRemoveTree:
		return false
	case run == nil || len(run.Words) == 0 || run.Given || run.Contained || run.Background || c.Elsewhere != "" || c.asksForTemp():
		return false
	}
	dir, list, ok := c.matches(run, e)
	if !ok || c.bringsNear(n, dir) {
		return false
	}
	// Each name is judged as if it stood in the pattern's place.
	one := *c
	one.Effects = slices.Clone(c.Effects)
	x := &one.Effects[n]
	for _, full := range list {
		*x = *e
		x.Resource, x.Glob = full, false
		if x.Zone, x.Sensitive, x.Protected = c.places.Where(full); x.Zone != e.Zone || !exact(full) || !one.goesByName(x, path.Base(e.Resource) == path.Base(full)) {
			return false
		}
	}
	return true
}

// goesByName says whether one thing that a pattern found may be deleted. In the system's own
// directory for temporary files lies what is other programs', too, and a pattern names none of it:
// there it has to be made while calls of the session ran. named says that its own name is the pattern.
func (c *Context) goesByName(e *Effect, named bool) bool {
	switch {
	case e.Sensitive || e.Protected:
		return false
	case c.deletesOwn(e) || c.madeAgain(e):
		return true
	case e.Zone == effect.ZoneTemp:
		return c.temporary(e) && c.output != nil && c.output(c, e)
	}
	return regenerable(e.Resource) || named && c.output != nil && c.output(c, e)
}

// matches lists what a pattern finds: that of a shell in one directory, that of find at any depth
// below one. ok is false for a pattern that is read in another way than here, or that begins with
// none of its names' own letters in the system's directory for temporary files.
func (c *Context) matches(run *effect.Run, e *Effect) (dir string, list []string, ok bool) {
	dir, base := path.Split(e.Resource)
	dir = trimSuffix(dir, "/")
	deep := run.Words[0] == "find" || slices.ContainsFunc(run.Words, func(w string) bool { return strings.ContainsRune(w, mark.Inside) })
	if deep {
		dir, ok = cutSuffix(dir, "/*")
	} else {
		ok = !c.entersFound(e)
	}
	z, _, _ := c.places.Where(dir)
	bare := strings.Trim(base[:min(1, len(base))], "*?.") == ""
	if !ok || run.Words[0] != "rm" && run.Words[0] != "find" || !exact(dir) || !c.exists(dir) || strings.ContainsAny(base, "…[]{}()\\|^#~!+@") || strings.Contains(base, "**") || bare && z != effect.ZoneWorkspace {
		return dir, nil, false
	}
	base = strings.ToLower(base) // find has -iname, and some file systems know no case
	left, odd := maxMatched, false
	one := strings.Contains(base, "?") // one byte where the locale is C, a letter elsewhere
	w := walk{list: func(d string) []string {
		names := c.names(d)
		odd = odd || len(names) >= listedAtMost || one && slices.ContainsFunc(names, func(n string) bool { return strings.IndexFunc(n, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 })
		return names
	}, left: &left, visit: func(d, name string, isDir bool) course {
		hit, err := path.Match(base, strings.ToLower(name))
		if odd = odd || err != nil; hit {
			list = append(list, path.Join(d, name))
		}
		if isDir && deep && !hit {
			return into
		}
		return next
	}}
	_, over := w.below(dir)
	return dir, list, !odd && !over
}

// bringsNear says whether something is brought into a directory, or around it, before effect n of
// the call: what a pattern finds then is not what it finds now. Text that the line writes there is
// its own.
func (c *Context) bringsNear(n int, dir string) bool {
	if slices.ContainsFunc(c.Flow.Turned, func(entry string) bool {
		t := turnOf(entry)
		return t.kind == turnPut && (!exact(t.what) || mark.Under(t.what, dir) || mark.Under(dir, t.what))
	}) {
		return true
	}
	return slices.ContainsFunc(c.Effects[:n], func(w Effect) bool {
		switch w.Kind {
		case effect.Spawn:
			return brought(&w)
		case effect.Write:
			at := trimSuffix(w.Resource, "/unpacked")
			if at == "" || at[0] != '/' {
				return true
			}
			at = at[:markOf(at)]
			if i := strings.Index(at, "…"); i >= 0 {
				at = at[:i]
			}
			near := strings.HasPrefix(at, dir) || mark.Under(dir, trimSuffix(at, "/"))
			return near && !((w.Op == effect.OpCreate || w.Op == effect.OpModify) && writesText(w.Program))
		}
		return false
	})
}
