package shell

import (
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

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

// handed notes code that is handed to an interpreter; text with a mark for what only the
// run time knows is not known.
func (m *machine) handed(lang, text string) {
	if m.quiet > 0 {
		return
	}
	c := effect.Cell{Lang: lang, Text: plain(text), Known: !mark.Has(plain(text))}
	if len(m.cells) == maxRuns { // the last one stands for the rest
		m.cells[maxRuns-1] = effect.Cell{Lang: lang}
		return
	}
	m.cells = append(m.cells, c)
}
