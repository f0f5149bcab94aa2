package gates

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about what a repository can give back: deleting it, or throwing changes
// away that the session made itself, loses nothing of anybody else's.

// changed stands in Flow.Own before a file whose changes since git held it are all the
// session's, with its stamp behind a zero byte.
const changed = "changes:"

// givenBack says whether a deletion takes nothing away that git could not give back or
// that was not there. What the call itself brought there first is another matter.
func (c *Context) givenBack(e *Effect) bool {
	found, wipe := c.at(e.Resource), e.Op == effect.OpWipe
	ours := found == FoundNothing || (found == FoundKept || found == FoundStaged && !wipe) && e.Zone == effect.ZoneWorkspace || found == FoundConflict && wipe
	return (ours || wipe && isAmong(c.Flow.Own, c.change(e.Resource))) && !c.broughtBefore(e)
}

// At is what the host sees at a path before the call, for explanations. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) At(path string) Found { return c.at(path) }

// Makes says whether a write puts a file where nothing was, as far as the host tells, for
// explanations. An edit of a part needs a file.
func (c *Context) Makes(e *Effect) bool {
	edit := slices.ContainsFunc(c.written, func(w effect.Written) bool { return w.Path == e.Resource && w.Part })
	return e.Kind == effect.Write && !edit && c.isNew(e.Resource)
}

// at is what the host sees at a path before the call.
func (c *Context) at(path string) Found {
	if c.found == nil || c.after || !exact(path) {
		return FoundUnknown
	}
	return c.found(path)
}

// change is how Flow.Own names a file with changes of the session's, as it is now; it is
// no entry where nobody knows.
func (c *Context) change(path string) string {
	if c.stamp == nil || !exact(path) {
		return ""
	}
	stamp := c.stamp(path)
	if stamp == "" {
		return ""
	}
	return changed + path + "\x00" + stamp
}

// broughtBefore says whether the call brings something to where it deletes, or around it,
// before that.
func (c *Context) broughtBefore(e *Effect) bool {
	return slices.ContainsFunc(c.Effects[:c.indexOf(e)], func(w Effect) bool {
		switch {
		case w.Kind == effect.Spawn:
			return brought(&w)
		case w.Kind != effect.Write || w.Program == "git" && w.Op == effect.OpModify && w.Resource == e.Resource: // the very change that throws the other one away
			return false
		case w.Op == effect.OpMove && w.Resource == e.Resource: // what was moved there is judged where it lay before
			return false
		}
		at := trimSuffix(w.Resource, "/unpacked") // what an archive holds lies anywhere below
		return !exact(at) || mark.Under(at, e.Resource) || mark.Under(e.Resource, at)
	})
}

// brought says whether a program brings changes into a work tree that somebody else may
// have made, and whose files its words don't tell.
func brought(e *Effect) bool {
	switch e.Program {
	case "patch", "quilt", "hg", "jj", "svn":
		return true
	case "git":
		return slices.ContainsFunc(strings.Fields(e.Argv), func(w string) bool {
			switch w {
			case "am", "apply", "checkout", "cherry-pick", "merge", "pull", "read-tree", "rebase", "reset", "restore", "revert", "stash", "switch":
				return true
			}
			return false
		})
	}
	return false
}

// changes notes the files that the call changes and that hold no changes but the
// session's. What brings other files' contents there may bring somebody else's.
func (c *Context) changes(out []string) []string {
	carried := slices.ContainsFunc(c.Effects, func(e Effect) bool { return e.Kind == effect.Spawn && unstashes(&e) })
	for i := range c.Effects {
		e := &c.Effects[i]
		if e.Kind != effect.Write && e.Kind != effect.Delete || e.Zone != effect.ZoneWorkspace {
			continue
		}
		known := func(s string) bool { return strings.HasPrefix(s, changed+e.Resource+"\x00") }
		ours := c.after && slices.ContainsFunc(out, known) || c.at(e.Resource) == FoundKept || isAmong(out, c.change(e.Resource))
		out = slices.DeleteFunc(out, known)
		if now := c.change(e.Resource); ours && now != "" && !carried && plainChange(e) {
			out = append(out, now)
		}
	}
	return out
}

// unstashes says whether a program may put into files what is nowhere else afterwards: what was
// stashed, what a branch loses that is set back, and a patch.
func unstashes(e *Effect) bool {
	return brought(e) && (e.Program != "git" || slices.ContainsFunc(strings.Fields(e.Argv), func(w string) bool { return isAmong([]string{"am", "apply", "reset", "stash"}, w) }))
}

// plainChange says whether a write puts nothing into a file but what the call says.
func plainChange(e *Effect) bool {
	if e.Kind != effect.Write || e.Glob || e.Deferred || e.Op != effect.OpCreate && e.Op != effect.OpModify {
		return false
	}
	return e.Program != "git" && e.Program != "patch" && !copies(e.Program)
}
