package hosts

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// logLayouts name the agents that write them, which some hosts are; a layout may
// say its name, and nothing may ask for it.
const logLayouts = "internal/corpora/logs"

// TestNobodyAsksForAName: what differs between hosts is in the value of each,
// so the product's source holds a host's name in that host's file and nowhere
// else, and least of all in a comparison.
func TestNobodyAsksForAName(t *testing.T) {
	root := filepath.Join("..", "..")
	homes, files := map[string]string{}, productSource(t, root)
	for _, file := range files {
		at := filepath.ToSlash(file.name)
		for _, l := range file.literals(t) {
			if !slices.Contains(Names(), l.text) {
				continue
			}
			home := homes[l.text]
			switch {
			case l.asked:
				t.Errorf("%s:%d asks whether something is %q; give Host a field or a function for it", at, l.line, l.text)
			case strings.HasPrefix(at, logLayouts+"/"), strings.HasPrefix(at, "internal/house/"): // which counts them
			case path.Dir(at) == "internal/hosts" && (home == "" || home == at):
				homes[l.text] = at
			default:
				t.Errorf("%s:%d holds the name of the host %q, whose place is one file of internal/hosts", at, l.line, l.text)
			}
		}
	}
	owner := map[string]string{"": "nobody"}
	for _, name := range Names() {
		if other := owner[homes[name]]; other != "" {
			t.Errorf("%s has no file of its own: %q is that of %s", name, homes[name], other)
		}
		owner[homes[name]] = name
	}
	if len(files) < 300 {
		t.Errorf("only %d files were read", len(files))
	}
}

// TestAskingIsSeen: each way to ask for a name that the test above must find.
func TestAskingIsSeen(t *testing.T) {
	for _, body := range []string{
		`return x == "n"`, `return "n" != x`, `switch x { case "m", "n": }; return false`, `return map[string]bool{"n": true}[x]`,
		`return y["n"]`, `return strings.EqualFold(x, "n")`, `return slices.Contains([]string{"m", "n"}, x)`, `return x == ("n")`,
		`return strings.HasPrefix(x, "n")`,
	} {
		n := 0
		for _, l := range parsed(t, "x.go", "package p\nfunc f(x string) bool { "+body+" }").literals(t) {
			if l.text == "n" && l.asked {
				n++
			}
		}
		if n != 1 {
			t.Errorf("found %d times in %s", n, body)
		}
	}
	for _, body := range []string{`Host{Name: "n"}`, `f("n")`, `"n"`} {
		for _, l := range parsed(t, "x.go", "package p\nvar x = "+body).literals(t) {
			if l.asked {
				t.Errorf("taken for a question: %s", body)
			}
		}
	}
}

type sourceFile struct {
	name string // below the module's root
	set  *token.FileSet
	ast  *ast.File
}

// literal is a string in a source file.
type literal struct {
	text  string
	line  int
	asked bool // something is compared with it, or looked up by it
}

func parsed(t *testing.T, name string, src any) sourceFile {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return sourceFile{name, set, f}
}

// productSource parses every file below root that is no test.
func productSource(t *testing.T, root string) []sourceFile {
	t.Helper()
	var out []sourceFile
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		out = append(out, parsed(t, rel, src))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// literals returns the strings of a file but those of imports and tags.
func (f sourceFile) literals(t *testing.T) []literal {
	t.Helper()
	asked := map[ast.Node]bool{}
	var out []literal
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				mark(asked, n.X, n.Y)
			}
		case *ast.CaseClause:
			mark(asked, n.List...)
		case *ast.IndexExpr:
			mark(asked, n.Index)
		case *ast.KeyValueExpr:
			mark(asked, n.Key)
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && asks(s) {
				mark(asked, n.Args...)
			}
		case *ast.BasicLit:
			if s, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil {
				out = append(out, literal{s, f.set.Position(n.Pos()).Line, asked[n]})
			}
		}
		return true
	})
	return out
}

// asks says whether a call is one of the standard library's questions.
func asks(s *ast.SelectorExpr) bool {
	pkg, ok := s.X.(*ast.Ident)
	return ok && (pkg.Name == "strings" || pkg.Name == "slices" || pkg.Name == "cmp")
}

// mark notes the strings in expressions, but not those in calls in them.
func mark(asked map[ast.Node]bool, list ...ast.Expr) {
	for _, e := range list {
		ast.Inspect(e, func(n ast.Node) bool {
			if _, ok := n.(*ast.CallExpr); ok {
				return false
			}
			if n != nil {
				asked[n] = true
			}
			return true
		})
	}
}
