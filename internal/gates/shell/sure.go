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

// AllOrNothing says whether no command of a line runs after a cd that failed: the line is one chain
// of &&, or begins with set -e and has nothing in which that does not hold (bash(1), set -e). What
// becomes of the directory behind a chain is told by the analysis.
func AllOrNothing(text string) bool {
	f, ok := Parse(text).Syntax()
	if !ok || len(f.Stmts) == 0 {
		return false
	}
	if !stopsAtErrors(f.Stmts[0]) {
		return len(f.Stmts) == 1 && succeeded(f.Stmts[0])
	}
	simple := func(list ...*syntax.Stmt) bool {
		for _, s := range list {
			switch s.Cmd.(type) {
			case *syntax.CallExpr, *syntax.BinaryCmd, *syntax.TestClause:
			default:
				return false
			}
		}
		return true
	}
	first := f.Stmts[0].Cmd
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.FuncDecl:
			ok = false
		case *syntax.Stmt:
			ok = ok && !n.Negated && !n.Background
		case *syntax.CmdSubst:
			ok = ok && len(n.Stmts) < 2
		case *syntax.BinaryCmd:
			ok = ok && (n.Op != syntax.AndStmt && n.Op != syntax.OrStmt || simple(n.X, n.Y))
		case *syntax.IfClause:
			ok = ok && simple(n.Cond...)
		case *syntax.WhileClause:
			ok = ok && simple(n.Cond...)
		case *syntax.CallExpr:
			if len(n.Args) > 0 && syntax.Command(n) != first {
				name := n.Args[0].Lit()
				ok = ok && name != "set" && name != "eval" && name != "source" && name != "." && name != "trap"
			}
		}
		return ok
	})
	return ok
}

// stopsAtErrors says whether a statement is set -e, maybe with other options for errors alone.
func stopsAtErrors(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) < 2 || c.Args[0].Lit() != "set" || s.Negated || s.Background {
		return false
	}
	opts := c.Args[1].Lit()
	bundle := strings.HasPrefix(opts, "-") && strings.Contains(opts, "e") && strings.Trim(opts[1:], "euxo") == ""
	return bundle && (len(c.Args) == 2 || len(c.Args) == 3 && c.Args[2].Lit() == "pipefail")
}
