package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// Line is a command line that has been parsed, once, as bash does. It is
// immutable and safe for concurrent use.
type Line struct {
	Text string

	file *syntax.File // nil where the text is beyond the parser's limits
	err  error        // why not all of it could be parsed
}

// Parse parses a command line. It never fails: what can't be parsed is found when
// the line is analysed.
func Parse(text string) *Line {
	l := &Line{Text: text}
	if parsable(text) {
		l.file, l.err = parse(text)
	}
	return l
}

// Syntax returns the parsed line; ok is false if not all of it could be parsed.
// It must not be changed. Not inlined, for the size of programs.
//
//go:noinline
func (l *Line) Syntax() (file *syntax.File, ok bool) { return l.file, l.file != nil && l.err == nil }

// Named is Syntax for naming what a line does, where nothing is decided: it also
// parses what is beyond the limits of the analysis (a carriage return in a
// here-document, a control character).
func (l *Line) Named() (file *syntax.File, ok bool) {
	if l.file != nil {
		return l.Syntax()
	}
	f, err := parse(l.Text)
	return f, err == nil && f != nil
}

// Analyze resolves the line into its effects, the files it writes whose
// contents are known or come over the network, the last write of each last, and
// the programs that it runs, in the order in which they start.
func (l *Line) Analyze(places *effect.Places) ([]effect.Effect, []effect.Written, []effect.Run) {
	does := l.Resolve(places)
	return does.Effects, does.Written, does.Runs
}

// Does is what a command line, or code, was resolved into.
type Does struct {
	Effects []effect.Effect
	Written []effect.Written
	Runs    []effect.Run
	Cells   []effect.Cell // the code that it hands to interpreters
}

// Resolve is Analyze, with the code that the line hands to interpreters.
func (l *Line) Resolve(places *effect.Places) Does {
	m := machine{p: places, cwd: places.Cwd, ifs: " \t\n"}
	m.effects = make([]effect.Effect, 0, 4)
	if l, in := m.begun(l); mark.Has(l.Text) {
		m.source(l.Text, in) // what is marked was never parsed
	} else {
		m.line(l, in, false)
	}
	m.deferAll()
	var out []effect.Written
	for _, f := range m.files {
		if f.made.known && !f.known && !f.net {
			f.text, f.known = f.made.text, true
		} else {
			f.made = made{}
		}
		if f.tail != "" && !f.known && !f.net {
			f.text, f.known, f.part = f.tail, true, true
			if f.made = joined(m.left(f.path), data{text: f.tail}); f.made.known {
				f.text = f.made.text
			}
		}
		if (f.known || f.net) && !mark.Has(f.path) && !strings.HasPrefix(f.path, "/dev/") {
			out = append(out, effect.Written{Path: f.path, Text: f.text, Known: f.known, Net: f.net, Part: f.part || f.made.known, Made: f.made.known, Perhaps: f.branch})
		}
	}
	return Does{m.effects, out, m.runs, m.cells}
}

// line analyses a parsed line.
func (m *machine) line(l *Line, in data, want bool) data {
	if l.file == nil {
		m.opaque(effect.OpUnparsed, "command line beyond the parser's limits")
		return unknown
	}
	if !m.enter() {
		return unknown
	}
	m.traces = m.traces || mayTrace(l.Text)
	m.unsettled = m.unsettled || !settled(l.file)
	m.unseen = m.unseen || !setsSeen(l.file)
	out := m.stmts(l.file.Stmts, in, want)
	if l.err != nil {
		m.opaque(effect.OpUnparsed, "not a valid command line: "+l.err.Error())
	}
	m.depth--
	return out
}
