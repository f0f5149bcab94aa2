package main

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// surface counts what an embedder sees of a half: package-level names and
// methods of exported types; fields of exported structs and methods of exported
// interfaces on their own.
type surface struct {
	Packages   int `json:"packages"`
	Names      int `json:"names"`
	Methods    int `json:"methods"`    // of Names
	Documented int `json:"documented"` // of Names
	Fields     int `json:"fields"`
}

// surfaces are the halves of what stands outside internal and main.
type surfaces struct {
	Total   surface `json:"total"`
	Runtime surface `json:"runtime"`
	Rest    surface `json:"rest"`
}

// The runtime half, and what below it belongs to the rest.
var (
	runtimeRooms = []string{"gates/...", "tree/...", "artifacts/...", "traverse/..."}
	notRuntime   = []string{"gates/learn/...", "gates/lang/...", "gates/content/...", "gates/reply/...", "tree/merge/...", "artifacts/review/..."}
)

func inRuntime(name string) bool {
	has := func(list []string) bool {
		return slices.ContainsFunc(list, func(p string) bool { return covers(p, name) })
	}
	return has(runtimeRooms) && !has(notRuntime)
}

func exported(s *source) (out surfaces) {
	seen := map[string]bool{}
	for _, f := range s.files {
		if f.ast.Name.Name == "main" || slices.Contains(strings.Split(f.room, "/"), "internal") {
			continue
		}
		half := &out.Rest
		if inRuntime(f.room) {
			half = &out.Runtime
		}
		if !seen[f.room] {
			seen[f.room] = true
			half.Packages++
		}
		for _, d := range f.ast.Decls {
			half.declared(d)
		}
	}
	a, b := out.Runtime, out.Rest
	out.Total = surface{a.Packages + b.Packages, a.Names + b.Names, a.Methods + b.Methods, a.Documented + b.Documented, a.Fields + b.Fields}
	return out
}

func (s *surface) declared(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil || ast.IsExported(receiver(d)) {
			before := s.Names
			if s.name(d.Name, d.Doc); d.Recv != nil {
				s.Methods += s.Names - before
			}
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				s.name(spec.Name, spec.Doc, d.Doc)
				if spec.Name.IsExported() {
					s.Fields += fieldsOf(spec.Type)
				}
			case *ast.ValueSpec:
				for _, n := range spec.Names {
					s.name(n, spec.Doc, spec.Comment, d.Doc)
				}
			}
		}
	}
}

func (s *surface) name(id *ast.Ident, docs ...*ast.CommentGroup) {
	if !id.IsExported() {
		return
	}
	s.Names++
	if slices.ContainsFunc(docs, func(g *ast.CommentGroup) bool { return g != nil }) {
		s.Documented++
	}
}

// receiver names a method's type.
func receiver(d *ast.FuncDecl) string {
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

func fieldsOf(t ast.Expr) (n int) {
	var list *ast.FieldList
	switch t := t.(type) {
	case *ast.StructType:
		list = t.Fields
	case *ast.InterfaceType:
		list = t.Methods
	default:
		return 0
	}
	for _, f := range list.List {
		for _, id := range f.Names {
			if id.IsExported() {
				n++
			}
		}
	}
	return n
}

// crowded are the names that too many types have.
var crowded = []string{"Call", "Verdict", "Result", "Env"}

// namedType is a type with a crowded name, in any letter case.
type namedType struct {
	Name  string `json:"name"` // as in crowded
	Type  string `json:"type"` // package and name as written
	At    string `json:"at"`
	Alias bool   `json:"alias"`
}

func namedTypes(s *source) []namedType {
	var out []namedType
	for i := range s.files {
		f := &s.files[i]
		ast.Inspect(f.ast, func(n ast.Node) bool {
			t, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if k := slices.IndexFunc(crowded, func(name string) bool { return strings.EqualFold(name, t.Name.Name) }); k >= 0 {
				out = append(out, namedType{crowded[k], f.ast.Name.Name + "." + t.Name.Name, s.at(f, t.Pos()), t.Assign != token.NoPos})
			}
			return true
		})
	}
	slices.SortStableFunc(out, func(a, b namedType) int {
		return slices.Index(crowded, a.Name) - slices.Index(crowded, b.Name)
	})
	return out
}
