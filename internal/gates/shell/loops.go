package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file runs the bodies of loops.

// loop runs a body that may run any number of times: once with the state at
// its start and, if it changed a variable, once with what the change may make.
func (m *machine) loop(want bool, body func() data) data {
	k := m.save()
	out := body()
	m.join(k)
	m.breaks = k.breaks
	for m.changed(k) && m.step() { // until another round brings nothing new
		k = m.save()
		body()
		m.join(k)
		m.breaks = k.breaks
	}
	if want && out.text != "" {
		out = data{text: blur(out.text)}
	}
	return out
}

// changed says whether the state is another one than it was.
func (m *machine) changed(k *point) bool {
	return len(m.vars) > k.vars || m.cwd != k.cwd || m.lost != k.lost || !slices.Equal(m.alt, k.alt)
}

// blur is what repeating an output makes of it: markers stay, known text that
// may come any number of times is unknown.
func blur(s string) string {
	if mark.Has(s) {
		return worst(s)
	}
	return string(rune(mark.Unknown))
}

// maxRounds is how many constant items a for loop is unrolled for.
const maxRounds = 32

func (m *machine) forClause(c *syntax.ForClause, in data, want bool) data {
	switch rounds := countless(c); {
	case rounds >= hugeBytes:
		return m.unending(c.Do, func() data { return m.rounds(c, in, want) })
	case rounds >= manyRounds:
		m.spins(c.Do)
	}
	return m.rounds(c, in, want)
}

func (m *machine) rounds(c *syntax.ForClause, in data, want bool) data {
	w, ok := c.Loop.(*syntax.WordIter)
	if !ok {
		if l, ok := c.Loop.(*syntax.CStyleLoop); ok {
			for _, x := range [...]syntax.ArithmExpr{l.Init, l.Cond, l.Post} {
				m.arithm(x)
			}
		}
		return m.loop(want, func() data { return m.stmts(c.Do, in, want) })
	}
	items := m.args
	if w.InPos.IsValid() {
		items = nil
		for _, word := range w.Items {
			items = m.fields(items, word)
		}
	} else if !m.hasArgs {
		items = []string{string(rune(mark.Caller))}
	}
	if m.lost && !w.InPos.IsValid() {
		items = []string{unknown.text}
	}
	if len(items) > maxRounds {
		items = []string{joinAll(items)}
	}
	var out data
	args := m.args
	defer func() { m.lost = m.lost || !slices.Equal(args, m.args) }() // a round may be left before
	breaks := m.breaks
	var left []*point
	for _, it := range items {
		k := m.save()
		m.assign(w.Name.Value, it)
		switch {
		case mark.Has(it):
			out = concat(out, m.loop(want, func() data { return m.stmts(c.Do, in, want) }))
			m.join(k) // it may be no word
		case c.Select:
			out = concat(out, m.loop(want, func() data { return m.stmts(c.Do, in, want) }))
			m.join(k)
		default:
			out = concat(out, m.stmts(c.Do, in, want))
		}
		if m.stopped {
			return unknown
		}
		if m.breaks != breaks { // the next rounds may not be
			m.breaks = breaks
			left = append(left, m.save())
		}
	}
	for i := len(left) - 1; i >= 0; i-- {
		m.join(left[i])
	}
	return out
}
