package gates

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about what lies in the system's directories for temporary files. No program
// may count on it to be there the next time (effect.Temporary), so deleting what is named
// there takes nothing from anybody who goes by the standard. The host has to have looked:
// a repository, a socket, another user's files and what is mounted there are more than
// temporary, and so is what the session itself moved there.

// temporary says whether a deletion takes away nothing but temporary files: one place that
// the call names by a constant, or what a pattern finds in a directory named so.
func (c *Context) temporary(e *Effect) bool {
	if e.Op != effect.OpRemove && e.Op != effect.OpRemoveTree || e.Sensitive || e.Deferred || c.asksForTemp() {
		return false
	}
	dir := e.Resource
	if e.Glob {
		at := lastByte(dir[:markOf(dir)], '/')
		if at < 0 || strings.Contains(dir, "…") || !visible(dir[at+1:]) || c.entersFound(e) {
			return false
		}
		dir = dir[:at]
	}
	below := effect.Temporary(dir)
	return below != "" && visible(below) && !c.standsIn(dir) && c.at(dir) == FoundTemporary && !c.putBefore(e, dir)
}

// entersFound says whether a pattern of the deletion goes into what a part of it finds, by a slash
// behind that part: a link there leads it elsewhere (glob(7); rm(1) empties what a link with a
// slash behind it leads to).
func (c *Context) entersFound(e *Effect) bool {
	run := c.runOf(c.indexOf(e))
	return run == nil || slices.ContainsFunc(run.Words, func(w string) bool {
		at := strings.IndexFunc(w, func(r rune) bool { return r <= mark.Inside })
		return at >= 0 && strings.Contains(w[at:], "/")
	})
}

// asksForTemp says whether the call asks the machine where temporary files go: that may be
// elsewhere than where it reads as.
func (c *Context) asksForTemp() bool {
	line := strings.ToLower(c.Command)
	return line == "" || strings.Contains(line, "tmpdir") || strings.Contains(line, "tempdir") || strings.Contains(line, "temp_dir")
}

// visible says whether no name in a path begins with a dot: servers and sessions of the
// user keep their sockets and locks under such names, and repositories what they hold.
func visible(path string) bool {
	return !strings.HasPrefix(path, ".") && !strings.Contains(path, "/.")
}

// standsIn says whether the workspace, the session or what its host keeps is in a directory.
func (c *Context) standsIn(dir string) bool {
	in := func(p string) bool { return mark.Under(p, dir) }
	return in(c.Cwd) || in(c.Home) || slices.ContainsFunc(c.Roots, in) || slices.ContainsFunc(c.places.Kept, func(k Kept) bool { return in(k.Dir) })
}

// putBefore says whether something that is more than temporary was brought to what effect
// e deletes, or around it, since the host looked: by the call before that effect, or moved
// there by an earlier one.
func (c *Context) putBefore(e *Effect, dir string) bool {
	// What stands for entries that did not fit is no path, so it is near.
	near := func(p string) bool { return !exact(p) || mark.Under(p, dir) || mark.Under(dir, p) }
	if slices.ContainsFunc(c.Flow.Turned, func(entry string) bool {
		t := turnOf(entry)
		return t.kind == turnPut && near(t.what)
	}) {
		return true
	}
	return slices.ContainsFunc(c.Effects[:c.indexOf(e)], func(w Effect) bool {
		switch w.Kind {
		case effect.Spawn:
			return brought(&w)
		case effect.Write:
			return near(trimSuffix(w.Resource, "/unpacked")) && !(plainChange(&w) && writesText(w.Program))
		}
		return false
	})
}

// writesText says whether a program puts text into a file or makes an empty directory, and
// no link and nothing of what lies elsewhere. Redirections are no program's.
func writesText(program string) bool {
	return program == "" || program == "mkdir" || program == "tee" || program == "touch"
}

// turnsOfMove notes what is moved into a temporary directory and was nobody's to lose
// there: files of the workspace that git could not give back, and those of others.
func (c *Context) turnsOfMove(n int) []turn {
	e := &c.Effects[n]
	if e.Kind != effect.Write || e.Op != effect.OpMove || e.Zone != effect.ZoneTemp || c.after || c.target(e) != n || !c.movesForeign(c.ownBefore(n), n) {
		return nil
	}
	return []turn{{kind: turnPut, what: e.Resource}}
}
