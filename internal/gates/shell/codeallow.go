package shell

import "github.com/gbt-policy/gbt/gates/effect"

// This file chooses what looks at the words of inline code. What the scan of
// dialects.go has found already stays as it is.

// asks says whether an effect since start is one that no reading of the code makes
// harmless again.
func (m *machine) asks(start int) bool {
	for _, e := range m.effects[min(start, len(m.effects)):] {
		if e.Kind == effect.Opaque || e.Kind == effect.Spawn && e.Op == effect.OpEscape {
			return true
		}
	}
	return false
}

// allow asks for the first word of the code that is not known to be harmless.
func (m *machine) allow(d *dialect, text string, py *pyReader) {
	switch d.name {
	case "python":
		m.allowPython(text, py)
	case "node":
		m.allowNode(text)
	case "perl":
		m.allowPerl(text)
	default:
		m.allowScript(d, text)
	}
}
