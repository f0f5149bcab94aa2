package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

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

// AllOrNothing says whether no command of a line runs after one that failed: the line is one chain
// of &&, or begins with set -e, whose commands stand by themselves or in such chains. A failed
// command of a chain that is not its last one ends no such line, so only plain commands and whole
// chains at its end count there.
func AllOrNothing(text string) bool {
	f, ok := Parse(text).Syntax()
	if !ok || len(f.Stmts) == 0 {
		return false
	}
	stmts := f.Stmts
	if c, ok := stmts[0].Cmd.(*syntax.CallExpr); ok && len(c.Args) == 2 && c.Args[0].Lit() == "set" {
		opts := c.Args[1].Lit()
		if strings.HasPrefix(opts, "-") && strings.Contains(opts, "e") && strings.Trim(opts[1:], "eux") == "" {
			stmts = stmts[1:]
			for len(stmts) > 1 {
				if c, ok := stmts[0].Cmd.(*syntax.CallExpr); !ok || stmts[0].Negated || stmts[0].Background || len(c.Args) > 0 && c.Args[0].Lit() == "set" {
					return false
				}
				stmts = stmts[1:]
			}
		}
	}
	return len(stmts) == 1 && succeeded(stmts[0])
}
