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

// own returns what the session made, after the call.
func (c *Context) own() []string {
	out := slices.Clone(c.Flow.Own)
	for i := range c.Effects {
		e := &c.Effects[i]
		switch {
		case e.Kind == effect.Delete && !e.Glob:
			out = without(without(out, e.Resource), e.Resource+"/")
		case e.Kind == effect.Write && e.Op == effect.OpCreate && !e.Glob && !e.Protected && !e.Deferred && !mark.Has(e.Resource) && !c.holdsCwd(e.Resource):
			out = c.makes(out, e)
		}
	}
	if len(out) > maxFlow {
		out = out[len(out)-maxFlow:]
	}
	return out
}

// makes adds what one write creates. In the workspace that is a file alone: a
// directory of that name may have been there, and what it held is not the session's.
func (c *Context) makes(out []string, e *Effect) []string {
	fetched := slices.ContainsFunc(c.Effects, func(n Effect) bool { return n.Kind == effect.Network && n.Program == e.Program })
	switch {
	case e.Zone == effect.ZoneTemp && (fetched || e.Program == "mkdir"):
		return with(out, e.Resource+"/")
	case e.Program == "mkdir" || fetched:
		return out
	case e.Zone == effect.ZoneTemp || e.Zone == effect.ZoneWorkspace:
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
