package shell

import "mvdan.cc/sh/v3/syntax"

// This file tells where a line is after "cd DIR && a; b": in DIR, where the host sees that it is
// there, whatever becomes of a.

// entered is the directory that the first command of an && or || list certainly changes to, empty
// if it may fail or is no such command. One that changes from outside of the workspace into it may
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
	if !ok || s.Negated || s.Background || len(call.Assigns) > 0 || len(call.Args) != 2 || call.Args[0].Lit() != "cd" || m.p.There == nil || !m.inWorkspace(cwd) {
		return ""
	}
	for _, f := range m.funcs {
		if f.name == "cd" {
			return ""
		}
	}
	word := call.Args[1]
	dir := word.Lit()
	if len(word.Parts) == 1 && dir == "" {
		switch q := word.Parts[0].(type) {
		case *syntax.SglQuoted:
			dir = q.Value
		case *syntax.DblQuoted:
			if len(q.Parts) == 1 {
				if lit, ok := q.Parts[0].(*syntax.Lit); ok {
					dir = lit.Value
				}
			}
		}
	}
	for _, r := range dir {
		if r < ' ' || r == '\\' || r == '*' || r == '?' || r == '[' || r == '{' {
			return ""
		}
	}
	if dir == "" || dir[0] == '-' {
		return ""
	}
	if full := m.p.Resolve(cwd, dir); m.p.There(full) {
		return full
	}
	return ""
}
