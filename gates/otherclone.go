package gates

import (
	"path"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about other clones of the workspace's own repository.

// OtherClone says whether a place outside the workspace lies in another clone of the workspace's
// own repository, or in the part of it that the workspace is not: it holds what the workspace holds,
// of another branch or another day. By the host's word: the clone's remote is the workspace's.
// Asked about are trees that hold files called as secrets are, links that lead out, what git does not
// hold there, what it keeps for itself, and a clone that is as wide as a home. Once the session has
// changed where a remote leads, nothing is of the workspace's repository.
func OtherClone(c *Context, e *Effect) bool {
	if c.places.Repo == nil || len(c.Roots) == 0 || len(c.Flow.Turned) > 0 || !exact(e.Resource) || e.Sensitive || e.Zone != effect.ZoneHome && e.Zone != effect.ZoneOutside {
		return false
	}
	there, ok := c.places.Repo(e.Resource)
	if !ok {
		if there, ok = c.places.Repo(path.Dir(e.Resource)); !ok {
			return false
		}
	}
	if e.Kind == effect.Read && (c.holds == nil && mayBeMany(e, e.Resource) || c.holds != nil && c.holds(e.Resource, c.keepsToGit(e)) || c.LeadsOut(e)) {
		return false
	}
	top := there.Top
	if top == "" || effect.TooWide(top, c.Home) || !mark.Under(e.Resource, top) || strings.Contains(trimPrefix(e.Resource, top)+"/", "/.git/") {
		return false
	}
	if left := maxClone; e.Kind == effect.Read && !c.keepsToGit(e) && !c.allTracked(e.Resource, e.Op == effect.OpSearch, &left) {
		return false
	}
	here, ok := c.places.Repo(c.Roots[0])
	if !ok || here.Top == "" {
		return false
	}
	if here.Top == top {
		return true
	}
	from, ok := here.At(here.Fetches, false)
	to, known := there.At(there.Fetches, false)
	return ok && known && from == to && strings.Contains(from, "/") && !strings.Contains(from, ":") && from[0] != '/' && from[0] != '.'
}

// maxClone bounds the names in a directory of another clone that are asked about.
const maxClone = 200

// allTracked says whether git holds a file, or all files below a directory; searches leave out what git
// keeps for itself.
func (c *Context) allTracked(file string, searches bool, left *int) bool {
	if c.places.Tracked == nil || c.names == nil {
		return false
	}
	if *left--; *left < 0 {
		return false
	}
	list := c.names(file)
	if len(list) == 0 {
		return c.places.Tracked(file)
	}
	for _, name := range list {
		if name = trimSuffix(name, "/"); name == ".git" && searches {
			continue
		}
		if name == ".git" || !c.allTracked(file+"/"+name, searches, left) {
			return false
		}
	}
	return true
}
