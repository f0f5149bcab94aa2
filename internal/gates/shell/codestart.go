package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// runStarted judges what inline code starts. Functions and aliases of the line's shell are none of
// a program's.
func (m *machine) runStarted(started []pyStart) {
	for _, s := range started {
		m.child(func() {
			if s.cwd != "" {
				m.list(s.cwd)
				m.cwd = m.p.Resolve(m.cwd, s.cwd)
			}
			for _, words := range s.lines {
				m.run(words, s.in, false)
			}
		})
	}
}

// startsLate judges what code starts of which only its words told, behind all that it does to files.
func (m *machine) startsLate(given int) {
	late := m.starts[given:]
	m.starts = m.starts[:given]
	m.runStarted(late)
}

// startable says whether a list of words starts a program by its name.
func startable(words []string) bool {
	return len(words) > 0 && words[0] != "" && words[0][0] != '-' && !strings.Contains(words[0], "=") && !mark.Has(words[0])
}
