package protocol

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestPure keeps the package to what a WebAssembly module has: no files, no
// network, no goroutines. What needs them is package serve's.
func TestPure(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			root, _, _ := strings.Cut(name, "/")
			if slices.Contains([]string{"os", "net", "log", "syscall"}, root) || strings.Contains(root, ".") && !strings.HasPrefix(name, "github.com/gbt-policy/gbt/") {
				t.Errorf("%s imports %s", file, name)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if _, ok := n.(*ast.GoStmt); ok {
				t.Errorf("%s starts a goroutine", file)
			}
			return true
		})
	}
}
