package gates

import (
	"path"
	"slices"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about what an agent notes for itself: texts in a directory of its host's
// (effect.Kept, Notes) that it is told in later sessions of the same project. The host tells it to
// write them, so a write of the agent's own words passes. What strangers wrote must not get
// there, where it would be followed again and again: so it asks once texts of theirs may have come
// in, and it does so to the end of the session, for the agent goes on reading them.

// turnHeard is the entry of Flow.Turned for texts of strangers that came back. No later call
// goes by it but such notes, so that nothing is tainted by it.
const turnHeard = "heard"

// Noting is State.Noting. To overwrite a note that is there loses what an earlier session noted.
func Noting(c *Context, e *Effect) bool {
	switch {
	case !c.places.Notes():
		return false
	case e == nil:
		return !c.heardBefore() && c.hears()
	case c.Elsewhere != "" || e.Glob || e.Deferred || c.exists == nil || c.Flow.Tainted() || c.heardBefore() || c.hears():
		return false
	}
	there := c.exists(e.Resource)
	switch {
	case e.Op == effect.OpCreate && e.Program == "mkdir":
		return c.places.Noted(path.Join(e.Resource, "x.md"))
	case !c.places.Noted(e.Resource) || e.Op != effect.OpCreate && e.Op != effect.OpModify || e.Op == effect.OpCreate && there:
		return false
	}
	found := false
	for i := range c.written {
		w := &c.written[i]
		if w.Path != e.Resource {
			continue
		}
		if !w.Known || w.Net {
			return false
		}
		found = true
	}
	return found
}

// heardBefore says whether texts of strangers came back earlier in the session.
func (c *Context) heardBefore() bool {
	return slices.ContainsFunc(c.Flow.Turned, func(s string) bool { return turnOf(s).kind == turnHeard })
}

// hears says whether texts of strangers may come back with the call's result: over the network,
// from a tool that gbt does not know, and out of packages that were installed.
func (c *Context) hears() bool {
	if c.Class.Basis != call.BasisBuiltin || c.Class.Family == call.FamilyWeb {
		return true
	}
	return slices.ContainsFunc(c.Effects, func(e Effect) bool {
		switch e.Kind {
		case effect.Network:
			return !loopback(e.Net)
		case effect.Opaque:
			return true
		case effect.Read:
			return e.Zone != effect.ZoneWorkspace && e.Zone != effect.ZoneTemp && e.Zone != effect.ZoneStream && !(e.Zone == effect.ZoneKept && c.places.Own(e.Resource)) || installedUnder(e.Resource+"/")
		}
		return false
	})
}
