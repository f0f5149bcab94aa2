package shell

import "strings"

// This file asks for what inline Python runs of the workspace's own modules, where the host follows
// them (pylinks.go), and says where a line of it comes from.

// linkedCode is what is known of code that is put together with such modules.
type linkedCode struct {
	where    func(line int) string           // where a line comes from, counted from 0; empty for the call's own
	member   func(mod, name string) bool     // members of modules that may be used beside those of inline code
	method   func(p *pythonCode, i int) bool // methods that may be
	record   func(p *pythonCode, i int) bool // attributes that only read records
	calls    func(p *pythonCode, i int) bool // names that call no value
	asked    func(text string) bool          // it is judged by itself, and asks for what it runs
	declares func(mod, name string) bool     // members of packages that only declare tables of databases
}

// linkPython is inline Python with what it runs of them.
func (m *machine) linkPython(text string) string {
	if m.linked = nil; m.p.Link != nil && !m.alone && !m.cell && !m.served && strings.Contains(text, "import") {
		text = m.p.Link(m, text)
	}
	return text
}

// sourceOf says where the code at a place of a text comes from, if it is a module's. Not inlined, for
// the size of programs.
//
//go:noinline
func (m *machine) sourceOf(text string, at int) string {
	if m.linked == nil || at < 0 || at > len(text) {
		return ""
	}
	return m.linked.where(strings.Count(text[:at], "\n"))
}
