package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file puts the branch that a run takes in the place of all (taken.go).

// stmts leaves branches out of statements and of all that they hold.
func (t *takes) stmts(list []*syntax.Stmt) {
	for _, s := range list {
		syntax.Walk(s, func(n syntax.Node) bool {
			if s, ok := n.(*syntax.Stmt); ok {
				for t.stmt(s) {
				}
			}
			return true
		})
	}
}

// stmt puts the branch that is taken in a statement's place; done says whether it did.
func (t *takes) stmt(s *syntax.Stmt) (done bool) {
	switch c := s.Cmd.(type) {
	case *syntax.IfClause:
		is, ok := t.all(c.Cond)
		switch {
		case !ok:
			return false
		case is:
			s.Cmd = &syntax.Block{Lbrace: c.Pos(), Rbrace: c.End(), Stmts: c.Then}
		case c.Else == nil:
			s.Cmd = &syntax.Block{Lbrace: c.Pos(), Rbrace: c.End()}
		case len(c.Else.Cond) == 0:
			s.Cmd = &syntax.Block{Lbrace: c.Pos(), Rbrace: c.End(), Stmts: c.Else.Then}
		default:
			s.Cmd = c.Else
		}
		return true
	case *syntax.CaseClause:
		return t.caseClause(s, c)
	case *syntax.BinaryCmd:
		is, ok := t.test(c.X)
		if !ok || c.Op != syntax.AndStmt && c.Op != syntax.OrStmt {
			return false
		}
		if is == (c.Op == syntax.AndStmt) {
			s.Cmd = &syntax.Block{Lbrace: c.Pos(), Rbrace: c.End(), Stmts: []*syntax.Stmt{c.Y}}
		} else {
			s.Cmd = &syntax.Block{Lbrace: c.Pos(), Rbrace: c.End()}
		}
		return true
	}
	return false
}

// caseClause leaves out the branches of a case that are not taken.
func (t *takes) caseClause(s *syntax.Stmt, c *syntax.CaseClause) bool {
	v, ok := t.parts(c.Word.Parts, true)
	if !ok {
		return false
	}
	for _, it := range c.Items {
		for _, p := range it.Patterns {
			glob, ok := t.pattern(p)
			if !ok || it.Op != syntax.Break {
				return false
			}
			is := mark.Match(glob, v)
			if is != mark.Match(strings.ToLower(glob), strings.ToLower(v)) {
				return false // some shells can be told to take capitals for small letters
			}
			if is {
				s.Cmd = &syntax.Block{Lbrace: c.Pos(), Rbrace: c.End(), Stmts: it.Stmts}
				return true
			}
		}
	}
	s.Cmd = &syntax.Block{Lbrace: c.Pos(), Rbrace: c.End()}
	return true
}

// pattern is a pattern of stars and question marks alone, marked.
func (t *takes) pattern(w *syntax.Word) (string, bool) {
	var b strings.Builder
	for _, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok {
			if strings.ContainsAny(l.Value, "[\\(|~{") {
				return "", false
			}
			b.WriteString(strings.NewReplacer("*", string(rune(mark.Star)), "?", string(rune(mark.One))).Replace(l.Value))
			continue
		}
		s, ok := t.parts([]syntax.WordPart{p}, false)
		if _, quoted := p.(*syntax.ParamExp); !ok || quoted {
			return "", false
		}
		b.WriteString(s)
	}
	return b.String(), true
}
