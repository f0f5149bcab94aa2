package shell

import (
	"mvdan.cc/sh/v3/syntax"
)

// This file is about commands of which not all run: lists, if and case. All of them are judged,
// and behind them things are as after any.

func (m *machine) binary(c *syntax.BinaryCmd, in data, want bool) data {
	if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
		m.follows()
		return m.hold(true, func() data { return m.pipe(c, in, want) })
	}
	k := m.save()
	dir := m.entered(c, k.cwd)
	if dir != "" {
		k.cwd = dir
	}
	out := m.chain(c, in, want, k)
	m.join(k)
	return out
}

// chain runs the parts of an && and || list. What follows && runs only after
// its left side has, so it sees that side's changes; what follows || may not.
// The command that stands first runs in any case: sure is moved behind it where
// it only assigns, so that its values hold whether or not the rest runs.
func (m *machine) chain(c *syntax.BinaryCmd, in data, want bool, sure *point) data {
	files := len(m.files)
	left := m.doubt(c.Op == syntax.OrStmt, func() data { return m.chainLeft(c.X, in, want, sure) })
	if c.Op == syntax.OrStmt || !succeeded(c.X) {
		m.stays()
	}
	if _, list := c.X.Cmd.(*syntax.BinaryCmd); list && c.Op == syntax.OrStmt {
		m.join(sure) // it may have ended anywhere
	}
	m.failed = ""
	k, done := m.save(), m.done
	if m.done = 0; c.Op == syntax.AndStmt && succeeded(c.X) {
		m.done = files + 1
	}
	right := m.doubt(c.Op == syntax.OrStmt, func() data {
		n := len(m.files)
		out := m.stmt(c.Y, in, want)
		m.branches(n)
		return out
	})
	m.done = done
	m.failed = "" // what comes behind the list may be where it was before
	if c.Op == syntax.OrStmt {
		m.join(k)
	}
	if !want || c.Op == syntax.OrStmt && isCall(c.X, "mktemp") && isCall(c.Y, "mktemp") { // BSD's needs a name
		return left
	}
	return either(left, right, c.Op == syntax.AndStmt)
}

// isCall says whether a statement is a plain call of a program.
func isCall(s *syntax.Stmt, name string) bool {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	word, _ := plainWord(call.Args[0])
	return word == name
}

// succeeded says whether all commands of a statement have succeeded where it has.
func succeeded(s *syntax.Stmt) bool {
	if s.Negated || s.Background {
		return false
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		return true
	case *syntax.BinaryCmd:
		return c.Op == syntax.AndStmt && succeeded(c.X) && succeeded(c.Y)
	}
	return false
}

func (m *machine) chainLeft(s *syntax.Stmt, in data, want bool, sure *point) data {
	b, ok := s.Cmd.(*syntax.BinaryCmd)
	if ok && len(s.Redirs) == 0 && !s.Background && (b.Op == syntax.AndStmt || b.Op == syntax.OrStmt) && m.enter() {
		out := m.chain(b, in, want, sure)
		m.depth--
		return out
	}
	out := m.stmt(s, in, want)
	if assigns(s) {
		sure.vars = len(m.vars)
	}
	return out
}

func (m *machine) ifClause(c *syntax.IfClause, in data, want bool) data {
	var out data
	for ; c != nil; c = c.Else {
		m.stmts(c.Cond, in, false)
		m.stays()
		k := m.save()
		n := len(m.files)
		o := m.stmts(c.Then, in, want)
		if c.Else != nil && len(c.Else.Cond) == 0 && len(c.Cond) > 0 {
			defer m.defines(k.funcs, len(m.funcs))
		}
		m.stays()
		m.branches(n)
		out = either(out, o, false)
		m.join(k)
	}
	return out
}

func (m *machine) caseClause(c *syntax.CaseClause, in data, want bool) data {
	m.value(c.Word)
	var out data
	for _, it := range c.Items {
		for _, p := range it.Patterns {
			m.value(p)
		}
		k := m.save()
		n := len(m.files)
		o := m.stmts(it.Stmts, in, want)
		m.stays()
		m.branches(n)
		out = either(out, o, it.Op != syntax.Break)
		m.join(k)
	}
	return out
}
