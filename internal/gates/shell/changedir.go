package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// This file has the builtins that change the directory and the aliases, outputs that are one or the other, and
// connections.

func (m *machine) chdir(name string, args []string) {
	dir, other, was, lost := "", "", false, name == "popd"
	for _, a := range args {
		switch {
		case a == "-P" || a == "-L" || a == "--" || a == "-e":
		case a == "-n" || a == "-" || strings.HasPrefix(a, "+"):
			lost = true
		default:
			if was { // bash takes no second one, dash the first
				other = m.p.Resolve(m.cwd, dir)
				m.failed = m.cwd
			}
			dir, was = a, true
		}
	}
	from := m.cwd
	switch {
	case lost || name == "pushd" && !was:
		m.cwd = unknown.text
	case dir == "":
		home := from // where an empty word leaves it
		if !was {
			home, _ = m.variable("HOME")
			m.alt = nil
		}
		m.cwd = m.p.Home
		m.alsoIn(home)
	default:
		m.cwd = m.p.Resolve(m.cwd, dir)
		alt := m.alt
		m.alt = nil
		for _, d := range alt {
			m.alsoIn(m.p.Resolve(d, dir))
		}
	}
	if mark.Has(m.cwd) {
		m.alt = nil
	}
	if m.p.There != nil && m.p.There(other) {
		m.alsoIn(other)
	}
	if m.cwd != from && m.p.There != nil && !mark.Has(m.cwd) && !m.p.There(m.cwd) && !m.madeDir(m.cwd) {
		m.failed = from
	}
	m.moved()
}

func (m *machine) alias(args []string) {
	for _, a := range args {
		if n, v, ok := cutAt(a, "="); ok {
			m.aliases = append(m.aliases, binding{name: n, value: v})
		}
	}
}

// either is the output of commands that is one or the other, or, with both, the first or the two after
// each other. Of outputs that nobody knows it is all of it: what they may be has its mark. Of two that
// are known it is the one that may be more than a plain name below the working directory; both where
// both may be.
func either(a, b data, both bool) data {
	switch {
	case a.text == "" || a.text == b.text && !both:
		return b
	case b.text == "":
		return a
	case mark.Has(a.text) || mark.Has(b.text):
		return concat(a, b)
	case both && !strings.HasSuffix(a.text, "\n"):
		return unknown
	case both:
		return concat(a, b)
	}
	switch x, y := plainLine(a.text), plainLine(b.text); {
	case x && y:
		return data{text: string(rune(mark.Inside))}
	case x:
		return b
	case y:
		return a
	}
	return concat(a, b)
}

// plainLine says whether an output is one name below the working directory that is no secret's, no
// option and no program.
func plainLine(s string) bool {
	s = trimSuffix(s, "\n")
	return localLines(s) && s[0] != '-' && s[0] != '.' && !names.Sensitive(s) && !isProgram(s)
}

// localLines says whether an output is a name below the working directory.
func localLines(s string) bool { return localName(trimSuffix(s, "\n")) }

func concat(a, b data) data {
	switch {
	case a.text == "":
		return b
	case b.text == "":
		return a
	case len(a.text)+len(b.text) > maxText:
		return unknown
	}
	return data{text: a.text + b.text, made: joined(a, b)}
}

func (m *machine) net(op effect.Op, n effect.Net) {
	host := n.Domain
	if host == "" {
		host = n.IP
	}
	m.record(effect.Effect{Kind: effect.Network, Op: op, Net: n, Resource: show(host)})
}

// url records a network effect on a URL or host word.
func (m *machine) url(op effect.Op, word, scheme string) {
	word = plain(word) // the brackets of an IPv6 address are no pattern
	n, ok := effect.ParseURL(word, scheme)
	e := effect.Effect{Kind: effect.Network, Op: op, Net: n, Resource: show(word)}
	if !ok {
		e.Net = effect.Net{Scheme: n.Scheme, Port: n.Port}
	}
	m.record(e)
}
