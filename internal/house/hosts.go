package main

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
)

// hostNames are the agents that the product speaks to.
var hostNames = []string{"claude-code", "codex", "copilot", "cursor", "droid", "gemini", "opencode", "openhands"}

// arms counts where code asks which host it has: case clauses that name one,
// comparisons with a name, and map literals with names as keys. A constant that
// holds a name counts as the name.
type arms struct {
	Cases       int     `json:"cases"`
	Comparisons int     `json:"comparisons"`
	MapKeys     int     `json:"mapKeys"`
	Files       []tally `json:"files"` // with the arms of each
}

// Total is all three together.
func (a arms) Total() int { return a.Cases + a.Comparisons + a.MapKeys }

func hostArms(s *source) (out arms) {
	names := hostConstants(s)
	for _, f := range s.files {
		before := out.Total()
		ast.Inspect(f.ast, func(n ast.Node) bool {
			out.look(n, names)
			return true
		})
		if n := out.Total() - before; n > 0 {
			out.Files = append(out.Files, tally{f.path, n})
		}
	}
	return out
}

func (a *arms) look(n ast.Node, names map[string]bool) {
	isHost := func(x ast.Expr) bool { return namesHost(x, names) }
	switch n := n.(type) {
	case *ast.CaseClause:
		if slices.ContainsFunc(n.List, isHost) {
			a.Cases++
		}
	case *ast.BinaryExpr:
		if (n.Op == token.EQL || n.Op == token.NEQ) && (isHost(n.X) || isHost(n.Y)) {
			a.Comparisons++
		}
	case *ast.CompositeLit:
		for _, x := range n.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok && isHost(kv.Key) {
				a.MapKeys++
			}
		}
	}
}

func namesHost(x ast.Expr, names map[string]bool) bool {
	switch x := x.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(x.Value)
		return err == nil && x.Kind == token.STRING && slices.Contains(hostNames, s)
	case *ast.Ident:
		return names[x.Name]
	case *ast.SelectorExpr:
		return names[x.Sel.Name]
	}
	return false
}

// hostConstants are the names of constants that hold a host's name.
func hostConstants(s *source) map[string]bool {
	out := map[string]bool{}
	for _, f := range s.files {
		for _, d := range f.ast.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, spec := range g.Specs {
				v := spec.(*ast.ValueSpec)
				for i, x := range v.Values {
					if namesHost(x, nil) && i < len(v.Names) {
						out[v.Names[i].Name] = true
					}
				}
			}
		}
	}
	return out
}
