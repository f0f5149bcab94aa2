package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestWordsAreSorted: every text of words that mark.Among bisects is sorted, has one blank between two
// words and no word twice. One out of its order would not be found.
func TestWordsAreSorted(t *testing.T) {
	texts, used := map[string]string{}, map[string]string{}
	var dirs []string
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			dirs = append(dirs, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	for _, dir := range dirs {
		names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
		for _, name := range names {
			f, err := parser.ParseFile(files, name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.ValueSpec:
					for i, id := range n.Names {
						if i < len(n.Values) {
							if text, ok := textOf(n.Values[i]); ok {
								texts[dir+"."+id.Name] = text
							}
						}
					}
				case *ast.CallExpr:
					if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Among" {
						if id, ok := n.Args[0].(*ast.Ident); ok {
							used[dir+"."+id.Name] = files.Position(n.Pos()).String()
						}
					}
				}
				return true
			})
		}
	}
	checked := 0
	for name, at := range used {
		text, ok := texts[name]
		if !ok {
			continue // a parameter, or put together
		}
		checked++
		words := strings.Split(text, " ")
		if !slices.IsSorted(words) || slices.Contains(words, "") || len(slices.Compact(slices.Clone(words))) != len(words) {
			t.Errorf("%s: %s is not sorted, or has a word twice or a blank too many", at, name)
		}
	}
	if checked < 50 {
		t.Errorf("only %d lists were found", checked)
	}
}

// textOf is the text of a constant that is put together of literals.
func textOf(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		a, ok := textOf(e.X)
		b, both := textOf(e.Y)
		return a + b, ok && both
	}
	return "", false
}
