package gates

import (
	"path"
	"slices"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about files outside of the workspace that the session made. Each was asked about: that
// it may be changed later goes with the yes to it (package scope), and nothing else does.

// madeOutside stands in Flow.Own before such a file.
const madeOutside = "outside:"

// MadeOutside adds the files that a call makes there to what the session made, and takes out what it
// moves, deletes or puts a link at: by that name lies something else then.
func MadeOutside(c *Context, own []string) []string {
	for i := range c.Effects {
		own = c.outsideMade(own, i)
	}
	return own
}

// outsideMade is MadeOutside for effect n of the call.
func (c *Context) outsideMade(own []string, n int) []string {
	e := &c.Effects[n]
	r := c.runOf(n)
	links := e.Op == effect.OpLink || e.Program == "ln" || r != nil && e.Program == "cp" && !copiesAlone(r)
	if e.Kind == effect.Delete || e.Op == effect.OpMove || links {
		return slices.DeleteFunc(own, func(o string) bool {
			file, ok := cutPrefix(o, madeOutside)
			return ok && mark.Under(file, e.Resource)
		})
	}
	plain := *e
	plain.Protected = false // as all is outside
	if e.Kind != effect.Write || e.Deferred || !outside(e.Zone) || !c.creates(&plain) || r == nil && c.Command != "" || r != nil && !isAmong([]string{"curl", "install", "tee"}, e.Program) && !copiesAlone(r) {
		return own
	}
	files := []string{e.Resource}
	for _, i := range c.besides(n) { // it may be a directory
		if x := &c.Effects[i]; x.Kind == effect.Read && exact(x.Resource) && copies(e.Program) {
			files = append(files, path.Join(e.Resource, path.Base(x.Resource)))
		}
	}
	for _, file := range files {
		if c.isNew(file) {
			own = with(own, madeOutside+file)
		}
	}
	return own
}

// HasMade says whether the session made a file outside of the workspace.
func (c *Context) HasMade(file string) bool { return isAmong(c.Flow.Own, madeOutside+file) }

// SeesFiles says whether the host tells files from directories (IsFile).
func (c *Context) SeesFiles() bool { return c.stamp != nil }

// IsFile says whether the host sees a file at a path: no directory, link or device. Where it does not
// look, it is false.
func (c *Context) IsFile(path string) bool {
	return c.stamp != nil && exact(path) && c.stamp(path) != ""
}

// IsNew says whether the host sees that nothing is at a path before the call.
func (c *Context) IsNew(path string) bool { return c.isNew(path) }
