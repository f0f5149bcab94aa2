package shell

import "strings"

// This file asks for what inline Python runs of the workspace's own modules, where the host follows
// them (pylinks.go), and says where a line of it comes from.

// linkPython is inline Python with what it runs of them.
func (m *machine) linkPython(text string) string {
	if m.where = nil; m.p.Link != nil && !m.cell && !m.served && strings.Contains(text, "import") {
		text, m.where = m.p.Link(m, text)
	}
	return text
}

// sourceOf says where the code at a place of a text comes from, if it is a module's. Not inlined, for
// the size of programs.
//
//go:noinline
func (m *machine) sourceOf(text string, at int) string {
	if m.where == nil || at < 0 || at > len(text) {
		return ""
	}
	return m.where(strings.Count(text[:at], "\n"))
}
