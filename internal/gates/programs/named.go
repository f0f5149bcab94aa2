package programs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strconv"
	"strings"
)

// Named counts the lines of a package's Go, tests and generated files left out,
// with a text that is the name of a program in list or begins with one and a
// blank.
func Named(dir fs.FS, list []Program) (lines map[string]int, err error) {
	names := map[string]bool{}
	for _, p := range list {
		names[p.Name] = true
		for _, a := range p.Also {
			names[a.Name] = true
		}
	}
	files, err := fs.Glob(dir, "*.go")
	if err != nil {
		return nil, err
	}
	lines = map[string]int{}
	for _, file := range files {
		text, err := fs.ReadFile(dir, file)
		if err != nil {
			return nil, err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(file, "_test.go") || ast.IsGenerated(f) {
			continue
		}
		if n := namedIn(fset, f, names); n > 0 {
			lines[file] = n
		}
	}
	return lines, nil
}

func namedIn(fset *token.FileSet, f *ast.File, names map[string]bool) int {
	found := map[int]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if _, ok := n.(*ast.ImportSpec); ok {
			return false
		}
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(lit.Value)
		first, _, _ := strings.Cut(text, " ")
		if err == nil && names[first] {
			found[fset.Position(lit.Pos()).Line] = true
		}
		return true
	})
	return len(found)
}
