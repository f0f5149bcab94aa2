package gates

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// This file follows the page that a browser of the session shows: what is clicked and
// typed on a page of this machine, which the session itself opened there, stays on this
// machine as what is sent to it by any other program does.

const (
	localPage = "local " // a page that was opened on this machine
	otherPage = "other " // any page, or nobody knows which
)

// page is what the browser shows after the call, with the server that the browser is of.
func (c *Context) page() string {
	switch {
	case c.Class.Family == call.FamilyUnknown && c.Flow.Page == localPage+browserOf(c.Tool):
		return otherPage + browserOf(c.Tool)
	case c.Class.Family != call.FamilyWeb, c.Class.Verb.Reads() && c.Class.Verb != effect.VerbNavigate:
		return c.Flow.Page
	}
	to := ""
	for i := range c.Effects {
		if e := &c.Effects[i]; e.Kind == effect.Network && e.Resource != "page element" {
			if to == otherPage || !loopback(e.Net) || controls(e) {
				to = otherPage
				continue
			}
			to = localPage
		}
	}
	switch {
	case to != "":
		return to + browserOf(c.Tool)
	case c.Class.Verb == effect.VerbExecute, c.Class.Verb == effect.VerbNavigate && slices.ContainsFunc(call.Words(c.Tool), leads):
		return otherPage + browserOf(c.Tool)
	}
	return c.Flow.Page
}

// leads says whether a word of a tool's name takes a browser to a page that is not named.
func leads(w string) bool {
	switch w {
	case "back", "forward", "tab", "tabs", "switch", "close", "select", "history":
		return true
	}
	return false
}

// browserOf is the server of a tool: another one has a browser of its own.
func browserOf(tool string) string {
	if i := strings.LastIndex(tool, "__"); i >= 0 && strings.HasPrefix(strings.ToLower(tool), "mcp__") {
		return strings.ToLower(tool[:i])
	}
	return ""
}

// onLocalPage says whether an effect acts on an element of a page of this machine, in a
// session that read no secrets.
func (c *Context) onLocalPage(e *Effect) bool {
	return e.Kind == effect.Network && e.Op == effect.OpSend && e.Resource == "page element" && e.Net == (effect.Net{}) &&
		c.Class.Family == call.FamilyWeb && c.Class.Verb == effect.VerbSend && c.Class.Resource == call.ResourceUI &&
		!c.Flow.SensitiveRead && c.Flow.Page == localPage+browserOf(c.Tool)
}
