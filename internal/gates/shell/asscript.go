package shell

import (
	"path"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about a line that is all of a script, as something runs it: under its name,
// with its arguments and the variables that it is given.

// begun is the line as it is run, and what it reads: of what a script is given to read, nobody
// knows anything.
func (m *machine) begun(l *Line) (*Line, data) {
	s := m.p.Script
	if s == nil {
		return l, data{tty: true}
	}
	m.self = s.Name
	if !s.Run {
		return l, data{tty: true}
	}
	m.args, m.hasArgs = s.Args, true
	for _, set := range s.Env {
		name, value, _ := strings.Cut(set, "=")
		m.exports = append(m.exports, name)
		m.assign(name, value)
	}
	if _, ok := l.Syntax(); !ok || s.Narrow == nil {
		return l, unknown
	}
	out := Parse(l.Text)
	s.Narrow(out.file)
	return out, unknown
}

// shift takes arguments away (POSIX, shift): by a count that nobody knows, any.
func (m *machine) shift(args []string) {
	n := 1
	if len(args) > 0 {
		var err error
		if n, err = strconv.Atoi(args[0]); err != nil || n < 0 {
			m.lost = true
			return
		}
	}
	if n <= len(m.args) {
		m.args = m.args[n:]
	}
}

// namesOption says whether a word of set is followed by an option's name: -o, +o, -euo.
func namesOption(w string) bool {
	return len(w) > 1 && (w[0] == '-' || w[0] == '+') && strings.HasSuffix(w, "o")
}

// ownPlace is where a script lies by modifiers of zsh's: ${0:A:h} is the directory of its file
// (zshexpn(1), Modifiers), which bash's syntax has as a slice. ok is false for all other expansions.
func (m *machine) ownPlace(e *syntax.ParamExp) (place string, ok bool) {
	if m.p.Script == nil || m.p.Script.Shell != "zsh" || e.Param == nil || e.Param.Value != "0" || e.Slice == nil || e.Length || e.Excl || e.Index != nil {
		return "", false
	}
	place = m.self
	for _, x := range [...]syntax.ArithmExpr{e.Slice.Offset, e.Slice.Length} {
		if x == nil {
			break
		}
		w, isWord := x.(*syntax.Word)
		if !isWord {
			return "", false
		}
		switch w.Lit() {
		case "a", "A", "P":
			place = m.p.Resolve(m.cwd, place)
		case "h":
			place = path.Dir(place)
		case "t":
			place = baseName(place)
		default:
			return "", false
		}
	}
	return place, !mark.Has(place)
}
