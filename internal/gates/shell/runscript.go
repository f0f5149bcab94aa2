package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// script runs a file with the current program as its interpreter.
func (m *machine) script(word string) {
	if m.isInput(word) {
		m.runsInput()
		return
	}
	if elsewhere(word) {
		if n, ok := effect.ParseURL(word, ""); ok && (n.Domain == "localhost" || loopbackIP(n.IP)) {
			m.url(effect.OpFetch, word, "") // more often the server that tests talk to
			return
		}
		m.escape(m.prog + " " + word)
		return
	}
	full := m.p.Resolve(m.cwd, word)
	if f, ok := m.written(full); ok && m.prog == "java" && f.built && m.onlyBuilt(full) { // a jar
		m.runWritten(f, full, data{}, false)
		return
	}
	if f, ok := m.ownCode(full, m.prog); ok {
		if !f.known || f.net {
			m.handed(m.prog, unknown.text)
			m.opaque(effect.OpComputed, "a file this line wrote and runs: "+full)
			return
		}
		s := starterOf(m.prog, full, m.argv)
		if s != nil && s.reader != "" && m.readScript(s.reader, f.text) {
			return
		}
		if s == nil && (m.prog != "go" || !strings.HasSuffix(full, ".go")) || !m.computes(full, f.text) {
			m.code(languageRun(m.prog, full), f.text, unknown, false)
			return
		}
	}
	z, _, _ := m.p.Where(full)
	m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Resource: show(full)})
}

// languageRun is the language in which a program runs a file: pytest imports modules of
// Python (pytest documentation, Conventions for Python test discovery).
func languageRun(prog, full string) string {
	if (prog == "pytest" || prog == "py.test") && strings.HasSuffix(full, ".py") {
		return "python"
	}
	return prog
}
