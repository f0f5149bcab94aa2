package shell

import "mvdan.cc/sh/v3/syntax"

// Sure lists the commands of a line of which its own success shows that they succeeded:
// those of its last chain of && that no pipe, no || and nothing in the background hides.
func (l *Line) Sure() []string {
	f, ok := l.Syntax()
	if !ok || len(f.Stmts) == 0 {
		return nil
	}
	return l.sure(f.Stmts[len(f.Stmts)-1])
}

func (l *Line) sure(s *syntax.Stmt) []string {
	if s.Negated || s.Background || s.Coprocess {
		return nil
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		if len(c.Args) > 0 {
			return []string{l.Text[c.Pos().Offset():c.End().Offset()]}
		}
	case *syntax.BinaryCmd:
		switch c.Op {
		case syntax.AndStmt:
			return append(l.sure(c.X), l.sure(c.Y)...)
		case syntax.Pipe, syntax.PipeAll:
			return l.sure(c.Y)
		}
	}
	return nil
}

// assigns says whether a statement does nothing but give values to variables. A
// value whose command fails is assigned all the same (POSIX.1-2024, Shell
// Command Language 2.9.1); $IFS decides how words split and is kept out.
func assigns(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) > 0 || len(s.Redirs) > 0 || s.Negated || s.Background {
		return false
	}
	for _, a := range c.Assigns {
		if a.Name.Value == "IFS" {
			return false
		}
	}
	return len(c.Assigns) > 0
}
