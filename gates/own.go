package gates

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about what the session made itself, which it may take away again and,
// in a temporary directory, run. It relaxes, so nothing counts that is not known to
// have happened, and what does not fit is forgotten.

// own returns what the session made, after the call: what was not there before it.
func (c *Context) own() []string {
	out := slices.Clone(c.Flow.Own)
	plain := c.ofItsOwn()
	for i := range c.Effects {
		e := &c.Effects[i]
		switch {
		case e.Kind == effect.Delete && !e.Glob:
			out = without(without(out, e.Resource), e.Resource+"/")
		case e.Kind == effect.Write && e.Op == effect.OpCreate && !e.Glob && !e.Protected && !e.Deferred && c.isNew(e.Resource):
			out = makes(out, e, plain)
		}
	}
	if len(out) > maxFlow {
		out = out[len(out)-maxFlow:]
	}
	return out
}

// isNew says whether a path is known to have had nothing at it before the call.
func (c *Context) isNew(path string) bool {
	return c.exists != nil && strings.HasPrefix(path, "/") && !mark.Has(path) && !c.exists(path)
}

// ofItsOwn says whether what the call writes is made of what the session had: nothing
// comes over the network or from outside the workspace, and everything is known.
func (c *Context) ofItsOwn() bool {
	return !slices.ContainsFunc(c.Effects, func(e Effect) bool {
		switch e.Kind {
		case effect.Opaque:
			return true
		case effect.Network:
			return !loopback(e.Net)
		case effect.Read:
			return outside(e.Zone) && e.Zone != effect.ZonePublic && e.Zone != effect.ZoneStream
		}
		return false
	})
}

// makes adds what one write creates. A file of what the session had may be run in a
// temporary directory; anything else there may only be deleted. In the workspace
// that is a file alone.
func makes(out []string, e *Effect, plain bool) []string {
	file := plain && e.Program != "mkdir"
	switch {
	case e.Zone == effect.ZoneTemp && !file:
		return with(out, e.Resource+"/")
	case file && (e.Zone == effect.ZoneTemp || e.Zone == effect.ZoneWorkspace):
		return with(out, e.Resource)
	}
	return out
}

// runsOwn says whether a program in a temporary directory is one that the session
// made of what it had. One that holds what would not be approved is told apart by
// flows.
func (c *Context) runsOwn(e *Effect) bool {
	return e.Zone == effect.ZoneTemp && slices.Contains(c.Flow.Own, e.Resource)
}

// deletesOwn says whether all that is deleted was made by the session.
func (c *Context) deletesOwn(e *Effect) bool {
	path := e.Resource
	if e.Glob {
		path = path[:strings.LastIndexByte(path[:markOf(path)], '/')+1]
	}
	for _, own := range c.Flow.Own {
		dir := strings.TrimSuffix(own, "/")
		switch {
		case !e.Glob && path == dir && (dir != own || e.Op == effect.OpRemove):
			return true
		case dir != own && strings.HasPrefix(path, own) && !strings.Contains(path, "/../"):
			return true
		}
	}
	return false
}

// markOf is where a pattern begins in a path.
func markOf(path string) int {
	if i := strings.IndexAny(path, "*?[{"); i >= 0 {
		return i
	}
	return len(path)
}
