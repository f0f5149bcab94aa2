package shell

import (
	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file tells where a line is after "cd DIR && a; b": in DIR, where the host sees that it is
// there, whatever becomes of a.

// entered is the directory that the first command of an && or || list certainly changes to, empty
// if it may fail, for the line may have taken the directory away before, or is no such command, and
// where what follows may change to another unseen. One that changes from outside of the workspace into it may
// fail where the host took a file for a directory.
func (m *machine) entered(c *syntax.BinaryCmd, cwd string) string {
	s := c.X
	for {
		b, ok := s.Cmd.(*syntax.BinaryCmd)
		if !ok || s.Negated || s.Background || len(s.Redirs) > 0 || b.Op != syntax.AndStmt && b.Op != syntax.OrStmt {
			break
		}
		s = b.X
	}
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || s.Negated || s.Background || len(call.Assigns) > 0 || len(call.Args) != 2 || call.Args[0].Lit() != "cd" || m.p.There == nil || !m.inWorkspace(cwd) || !m.onlyRead() || readsCode(c) {
		return ""
	}
	for _, f := range m.funcs {
		if f.name == "cd" {
			return ""
		}
	}
	for _, a := range m.aliases {
		if a.name == "cd" || a.name == "" {
			return ""
		}
	}
	word := call.Args[1]
	dir := Literal(word)
	for _, r := range dir {
		if r < ' ' || r == '\\' || r == '*' || r == '?' || r == '[' || r == '{' {
			return ""
		}
	}
	if dir == "" || dir[0] == '-' || dir[0] == '~' && word.Lit() == "" {
		return ""
	}
	if full := m.p.Resolve(cwd, dir); m.p.There(full) {
		return full
	}
	return ""
}

// onlyRead says whether the line has only read, and written by redirections, until now.
func (m *machine) onlyRead() bool {
	for i := range m.effects {
		if e := &m.effects[i]; e.Kind != effect.Read && e.Kind != effect.List && !(e.Kind == effect.Write && e.Program == "") {
			return false
		}
	}
	return true
}

// readsCode says whether a list has a command that reads more commands, which may change the
// directory.
func readsCode(c *syntax.BinaryCmd) bool {
	found := false
	syntax.Walk(c, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 {
			switch call.Args[0].Lit() {
			case "", ".", "source", "eval", "builtin", "command", "trap":
				found = true
			}
		}
		return !found
	})
	return found
}
