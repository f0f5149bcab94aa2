package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about connections after an earlier call of the episode read secrets.
// People agreed to that read, so the session must not end there: where the call says
// exactly where it goes, they are asked whether that may be. It is rejected where they
// could not answer for it: the place is known only at run time or came out of a result,
// or what was written since the read is sent to a place that no configuration names.

// tainted judges the connections of a call in such an episode.
func (c *Context) tainted(d *Decision) {
	asked := -1
	for i := range c.Effects {
		e := &c.Effects[i]
		switch {
		case e.Kind != effect.Network || e.Op == effect.OpProbe || loopback(e.Net) || c.carriesNothing(i):
		case e.Named || c.fixed(e) && !c.sendsDerived():
			asked = i
		default:
			d.add("flow/exfiltration", Rejected, i, e)
			return
		}
	}
	if asked >= 0 {
		d.add("flow/secret", ApprovedWithConstraints, asked, &c.Effects[asked])
	}
}

// carriesNothing says whether a connection reads from where the workspace's own
// configuration says, by words that were known before and hold no credential.
func (c *Context) carriesNothing(i int) bool {
	e := &c.Effects[i]
	return e.Named && e.Op == effect.OpFetch && e.Payload.Known && e.Payload.Len == 0 && !isAmong(c.Content, "credentials") && c.saysNothing(i)
}

// fixed says whether a call names the place that it connects to itself: an address or a
// repository that stands in it and that no result brought in.
func (c *Context) fixed(e *Effect) bool {
	if e.Op != effect.OpFetch && e.Op != effect.OpSend {
		return false // what goes through an open connection nobody sees
	}
	switch host := e.Net.Domain + e.Net.IP; {
	case host != "":
		return !c.steered(host) && !c.steered(e.Resource)
	case e.Deed != "" && e.Ref != "*" && !strings.Contains(e.Resource, " "):
		at, _, _ := cutAt(e.Resource, "/")
		return e.Resource != e.Program && !c.steered(e.Resource) && (at == effect.HomeHost || !c.steered(at))
	}
	return e.Op == effect.OpFetch && ownAccount(e) && !c.computes(e.Program)
}

// computes says whether a run of a program has words that only the run time knows: what was read
// may be among them.
func (c *Context) computes(program string) bool {
	return slices.ContainsFunc(c.runs, func(r effect.Run) bool {
		return path.Base(r.Words[0]) == program && slices.ContainsFunc(r.Words, mark.Has)
	})
}

// ownAccount says whether a connection is a cloud's program's to its vendor, by the login that the
// user gave it. An address that the call names instead is a connection of its own.
func ownAccount(e *Effect) bool {
	rest, ok := cutPrefix(e.Resource, e.Program)
	return ok && effect.Vendor(e.Program) != "" && (rest == "" || strings.HasPrefix(rest, " as ") && !mark.Has(rest))
}

// steered says whether a value came out of a result. Where nobody knows where values come
// from, people are asked who see it.
func (c *Context) steered(value string) bool {
	if c.origins == nil {
		return false
	}
	origin, _, _ := c.origins.Find(value)
	return origin != call.OriginAgent.String() && origin != call.OriginTask.String()
}

// sendsDerived says whether the call reads a file that was written since the secrets were
// read, and so may hold them. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) sendsDerived() bool {
	for i := range c.Effects {
		e := &c.Effects[i]
		if e.Kind == effect.Read && slices.ContainsFunc(c.Flow.Derived, func(file string) bool {
			return file == "/" || e.Resource == file || strings.HasPrefix(file, trimSuffix(e.Resource, "/")+"/")
		}) {
			return true
		}
	}
	return false
}

// searchesWeb says whether a call hands words to a service that searches the web: they go to
// whoever runs it. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) searchesWeb() bool {
	return c.Class.Family == call.FamilyWeb && c.Class.Verb == effect.VerbSearch
}
