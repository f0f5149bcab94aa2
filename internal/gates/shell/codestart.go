package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file judges programs that inline JavaScript, Perl and Ruby start with words that stand in
// the code: as the commands that they are, as pystart.go does for Python. The call is taken out of
// the code, and what is left is judged as ever, with something in its place that is not known. A
// call of which anything is not known stays where it is, and asks.

// codeStart is a call of inline code that starts programs, or asks a server of this machine.
type codeStart struct {
	from, to int    // where it stands in the code
	instead  string // what stands there afterwards
	env      []string
	pyStart  // no lines where the call is only a name's declaration
}

// withStarts is code without its calls that start something known, and what they start.
func (m *machine) withStarts(lang, text string) (string, []pyStart) {
	var calls []codeStart
	if m.cell && !m.whole || lang != "node" && inPieces(m.argv) {
		return text, nil
	}
	switch lang {
	case "node":
		calls = append(nodeStarts(text), nodeFetches(text)...)
	case "perl":
		calls = perlStarts(text)
	case "ruby":
		calls = rubyStarts(text)
	}
	slices.SortFunc(calls, func(a, b codeStart) int { return a.from - b.from })
	var b strings.Builder
	var started []pyStart
	at := 0
	for _, c := range calls {
		if c.from < at {
			continue // within one that is taken out already
		}
		b.WriteString(text[at:c.from])
		b.WriteString(c.instead)
		if at = c.to; len(c.lines) > 0 {
			started = append(started, c.pyStart)
		}
	}
	if len(started) == 0 {
		return text, nil
	}
	b.WriteString(text[at:])
	m.exhausts(b.String()) // a word of what it starts ends no loop
	return b.String(), started
}

// inPieces says whether options of Perl or Ruby give the code in several pieces, of which each may
// go on with what the one before it calls, or let it change the files that it reads.
func inPieces(args []string) bool {
	pieces := 0
	for _, a := range args {
		if len(a) < 2 || a[0] != '-' || a[1] == '-' || strings.IndexByte("MmIrC", a[1]) >= 0 {
			continue
		}
		if strings.ContainsAny(a, "eE") {
			pieces++
		}
		if strings.Contains(a, "i") {
			return true
		}
	}
	return pieces > 1
}

// runStarted judges what code starts. Functions and aliases of the line's shell are none of a
// program's.
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

// startable says whether a list of words starts a program by its name.
func startable(words []string) bool {
	return len(words) > 0 && words[0] != "" && words[0][0] != '-' && !strings.Contains(words[0], "=") && !mark.Has(words[0])
}
