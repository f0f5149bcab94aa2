package main

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

const module = "github.com/gbt-policy/gbt/"

// importTable says which packages of this module each package may import
// (ARCHITECTURE.md draws it). A package inherits the row of the nearest folder
// above it, and may import what stands below that folder.
var importTable = map[string][]string{
	// The runtime half, which programs embed.
	"internal/gates/mark":            {},
	"internal/gates/names":           {"internal/gates/mark"},
	"internal/gates/names/namestest": {},
	"gates/effect":                   {"internal/gates/mark", "internal/gates/names"},
	"internal/gates/shell":           {"internal/gates/keeps", "gates/effect", "internal/gates/mark", "internal/gates/names"},
	"internal/gates/imports":         {"internal/gates/mark"},
	"internal/gates/keeps":           {},
	"internal/gates/source":          {"gates/effect"},
	"internal/gates/powershell":      {"gates/effect"},
	"internal/gates/class":           {"internal/gates/shell", "gates/effect", "internal/gates/names"},
	"gates/call":                     {"internal/gates/keeps", "internal/gates/shell", "internal/gates/class", "gates/effect", "internal/gates/mark", "internal/gates/names"},
	"internal/gates/origin":          {"gates/call", "gates/effect", "internal/gates/mark"},
	"internal/gates/program":         {"internal/gates/mark"},
	"gates":                          {"internal/gates/keeps", "gates/call", "internal/gates/shell", "internal/gates/imports", "gates/effect", "internal/gates/program", "internal/gates/class", "internal/gates/mark", "internal/gates/names"},
	"gates/wording":                  {"gates", "gates/call", "gates/effect", "internal/gates/class", "internal/gates/names"},
	"gates/orders":                   {},
	"gates/scope":                    {"internal/gates/keeps", "gates/orders", "gates", "gates/call", "gates/effect", "internal/gates/shell", "internal/gates/names", "internal/gates/class", "internal/gates/mark"},
	"gates/rules":                    {"gates", "gates/scope", "gates/call", "gates/effect", "internal/gates/shell", "internal/gates/names"},
	"gates/episode":                  {"gates", "gates/orders", "gates/scope", "internal/gates/shell", "gates/call", "gates/effect", "internal/gates/origin", "internal/gates/mark"},
	"tree":                           {"gates/effect"},
	"internal/artifacts/field":       {},
	"artifacts":                      {"internal/artifacts/field", "tree", "gates", "gates/call", "gates/effect"},
	"internal/artifacts/trust":       {"artifacts", "tree", "gates", "gates/call", "gates/effect"},
	"internal/traverse/cover":        {},
	"internal/traverse/constraint":   {},
	"internal/traverse/proof":        {"internal/traverse/cover", "internal/gates/origin", "tree", "gates/call", "gates/effect"},
	"internal/traverse/failure":      {"internal/traverse/proof", "internal/traverse/cover", "internal/gates/origin", "tree", "gates/call", "gates/effect"},
	"traverse":                       {"internal/traverse/failure", "internal/traverse/constraint", "internal/traverse/cover", "internal/traverse/proof", "artifacts", "tree", "gates/episode", "gates/scope", "gates", "gates/call", "gates/effect", "internal/gates/origin"},

	// The compiler half: the owner's rooms and what is theirs alone.
	"corpora":                   {},
	"internal/corpora":          {"corpora", "gates", "gates/call", "gates/effect", "internal/redact"},
	"segment":                   {"corpora", "gates", "gates/call", "gates/effect"},
	"internal/tree/merge":       {"segment", "corpora", "tree", "gates", "gates/call", "gates/effect"},
	"internal/gates/lang":       {"gates", "gates/call", "gates/effect", "internal/gates/program"},
	"internal/gates/reply":      {"gates", "gates/wording", "gates/effect"},
	"internal/gates/library":    {},
	"internal/gates/programs":   {},
	"internal/redact":           {"gates", "gates/call", "gates/effect", "internal/gates/names"},
	"internal/gates/content":    {"gates", "gates/call", "gates/effect", "internal/redact"},
	"internal/gates/learn":      {"segment", "corpora", "internal/corpora", "tree", "gates/episode", "gates", "gates/call", "gates/effect", "internal/gates/origin", "internal/gates/lang", "internal/gates/class", "internal/gates/library", "internal/redact"},
	"internal/artifacts":        {"internal/artifacts/field", "internal/gates/lang", "artifacts", "tree", "gates", "gates/call", "gates/effect"},
	"replay":                    {"corpora", "segment", "traverse", "artifacts", "tree", "gates/episode", "gates", "gates/call", "gates/effect", "internal/gates/origin", "internal/replay"},                              // segment: windows are mapped to macros (W2)
	"internal/replay":           {"replay", "corpora", "gates", "gates/call", "gates/effect", "internal/gates/mark", "internal/gates/shell"},                                                                              // shell: which program of a line its exit status speaks of
	"internal/replay/interrupt": {"internal/gates/powershell", "internal/gates/source", "gates/orders", "corpora", "gates/episode", "gates/scope", "gates/rules", "gates/wording", "gates", "gates/call", "gates/effect"}, // gates/episode: a session is remembered as hosts do
	"internal/replay/beside":    {"corpora"},
	"internal/replay/place":     {"replay", "corpora", "gates", "gates/call", "gates/effect"},
	"internal/replay/suite":     {"internal/corpora", "internal/redact", "artifacts", "tree", "gates", "gates/call", "gates/effect"},
	"distill":                   {"corpora", "internal/corpora", "segment", "internal/tree/merge", "tree", "gates", "gates/call", "gates/effect", "internal/gates/lang", "internal/gates/learn", "internal/gates/library", "internal/gates/content", "internal/conditions", "replay", "internal/replay", "artifacts", "internal/artifacts", "internal/redact", "internal/gates/mark", "internal/completion/mine", "internal/completion/fixes"}, // replay: its windows are the positives that gates are learned from
	"internal/evolve":           {"tree"},
	"evolve":                    {"internal/evolve", "distill", "replay", "segment", "internal/tree/merge", "internal/gates/learn", "corpora", "internal/corpora", "traverse", "artifacts", "tree", "gates", "gates/call", "gates/effect", "internal/completion/mine", "internal/completion/fixes"},

	// What people read of gates, and decide about them.
	"internal/gates/card":     {"artifacts", "tree", "segment", "corpora", "internal/corpora", "gates", "gates/call", "gates/effect", "internal/gates/lang", "internal/gates/learn", "internal/gates/library", "internal/redact"}, // segment: gates of nodes are tried on logs
	"internal/gates/approval": {"artifacts", "tree", "gates", "gates/call", "gates/effect", "internal/gates/lang", "internal/gates/learn", "internal/gates/library"},

	// What successful runs always had.
	"internal/conditions": {"corpora", "internal/gates/learn", "gates/episode", "gates", "gates/call", "gates/effect"},

	// How runs end.
	"internal/completion/mine":    {"corpora", "segment", "internal/tree/merge", "internal/gates/learn", "internal/redact", "internal/traverse/cover", "internal/traverse/proof", "tree", "gates", "gates/call", "gates/effect"},
	"internal/completion/fixes":   {"corpora", "segment", "internal/tree/merge", "internal/gates/learn", "internal/traverse/failure", "tree", "gates", "gates/call", "gates/effect"},
	"internal/completion/clauses": {"traverse", "artifacts", "tree", "gates", "gates/call", "gates/effect"},
	"internal/completion/opinion": {"internal/completion", "internal/redact", "traverse", "artifacts", "tree", "gates", "gates/call", "gates/effect"},
	"internal/completion/draft":   {"internal/completion", "internal/redact", "internal/traverse/cover", "traverse", "artifacts", "tree", "gates", "gates/call", "gates/effect"},
	"internal/completion":         {"internal/redact", "internal/traverse/cover", "traverse", "artifacts", "tree", "gates", "gates/call", "gates/effect"},

	// Front ends and commands.
	"internal/mcpproxy":  {"traverse", "artifacts", "tree", "gates/episode", "gates/scope", "gates", "gates/wording", "gates/call", "gates/effect", "internal/gates/origin", "internal/gates/mark"},
	"internal/regions":   {},
	"internal/runner":    {"internal/completion", "internal/regions", "internal/redact", "replay", "internal/replay", "corpora", "traverse", "artifacts", "tree", "gates", "gates/wording", "gates/call", "gates/effect", "internal/tasks", "internal/receipts"},
	"internal/hosts":     {"gates", "gates/wording", "gates/call", "gates/effect", "internal/gates/names"},
	"internal/acp":       {"gates/episode", "gates/scope", "gates"},
	"internal/approvals": {},
	"internal/decisions": {"gates", "gates/scope", "gates/rules", "gates/wording", "gates/effect"},
	"internal/rulebook":  {"gates/rules"},
	"internal/processes": {"gates", "gates/effect", "internal/gates/mark", "internal/gates/shell"}, // shell: what a pipe passes on of numbers
	"internal/stores":    {},
	"internal/gitread":   {},
	"internal/undo":      {},
	"internal/protocol":  {"internal/gates/reply", "traverse", "artifacts", "tree", "gates/episode", "gates", "gates/wording", "gates/call", "gates/effect"},
	"internal/serve":     {"docs", "internal/stores", "internal/tasks", "internal/receipts", "internal/protocol", "internal/gates/reply", "gates/episode", "traverse", "artifacts", "tree", "gates", "gates/wording", "gates/call", "gates/effect"},
	"internal/house":     {},
	"cmd/gbt":            {"*"},
	"cmd/gbt-hook":       {"internal/gates/powershell", "internal/gates/keeps", "internal/gates/source", "gates/orders", "internal/gitread", "internal/hosts", "internal/processes", "internal/decisions", "internal/rulebook", "gates/rules", "gates/scope", "internal/undo", "internal/receipts", "internal/approvals", "internal/artifacts/trust", "artifacts", "tree", "gates/episode", "gates", "gates/wording", "gates/call", "gates/effect", "internal/gates/origin", "traverse", "internal/gates/reply", "internal/gates/mark"},
	"docs":               {},

	// Runs that outlive their process.
	"internal/receipts":    {},
	"internal/tasks":       {"internal/receipts", "internal/stores", "internal/redact"},
	"internal/tasks/crash": {"internal/tasks", "internal/receipts", "internal/stores", "traverse", "artifacts", "tree", "gates"},
}

// runtimeHalf are the rows whose packages programs embed.
var (
	runtimeHalf   = []string{"internal/gates/mark", "internal/gates/keeps", "internal/gates/names", "gates/effect", "internal/gates/shell", "internal/gates/imports", "internal/gates/class", "gates/call", "internal/gates/origin", "gates/orders", "gates/scope", "gates/rules", "gates/episode", "internal/gates/program", "gates", "gates/wording", "tree", "internal/artifacts/field", "artifacts", "internal/traverse/constraint", "internal/traverse/cover", "internal/traverse/proof", "internal/traverse/failure", "traverse"}
	runtimeMay    = []string{"github.com/vmihailenco/msgpack/v5", "github.com/vmihailenco/msgpack/v5/msgpcode", "mvdan.cc/sh/v3/syntax"}
	runtimeMayNot = []string{"os", "net", "log", "math/rand", "crypto/rand", "syscall", "os/exec", "net/http", "io/ioutil", "testing"}
)

type sourceFile struct {
	dir, file string
	ast       *ast.File
}

// sources parses every file that is no test, below the module's root. It reads
// the source itself: a test that runs `go list` is served from the test cache.
func sources(t *testing.T) []sourceFile {
	t.Helper()
	root := filepath.Join("..", "..")
	var out []sourceFile
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, name)
		base := filepath.Base(name)
		if d.IsDir() {
			if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil && rel != "." {
				return fs.SkipDir // a module of its own
			}
			if base == "testdata" || base == "node_modules" || strings.HasPrefix(base, ".") && rel != "." || strings.HasPrefix(base, "_") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		out = append(out, sourceFile{dir: path.Dir(filepath.ToSlash(rel)), file: filepath.ToSlash(rel), ast: f})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// row returns the table row that a package belongs to.
func row(dir string) (string, bool) {
	for d := dir; d != "."; d = path.Dir(d) {
		if _, ok := importTable[d]; ok {
			return d, true
		}
	}
	return "", false
}

// outside are folders that stand beside the packages of the table and are
// programs of their own.
func outside(dir string) bool {
	return slices.Contains([]string{"examples", "integrations", "bench", "docs"}, strings.SplitN(dir, "/", 2)[0])
}

func TestImportTable(t *testing.T) {
	files, checked := sources(t), 0
	for _, s := range files {
		if outside(s.dir) {
			continue
		}
		mine, ok := row(s.dir)
		if !ok {
			t.Errorf("%s: package is missing from the import table", s.file)
			continue
		}
		for _, spec := range s.ast.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			rest, ok := strings.CutPrefix(imported, module)
			if !ok {
				continue
			}
			checked++
			if theirs, ok := row(rest); !ok || !mayImport(mine, theirs) {
				t.Errorf("%s: %s must not import %s", s.file, mine, rest)
			}
		}
	}
	if checked < 20 {
		t.Errorf("only %d imports checked: the guard matched next to nothing", checked)
	}
}

func mayImport(mine, theirs string) bool {
	allowed := importTable[mine]
	return mine == theirs || slices.Contains(allowed, "*") || slices.Contains(allowed, theirs)
}

// TestRuntimeHalf holds the runtime half to the standard library and two
// packages, and keeps it from files, the network, clocks, chance and goroutines.
func TestRuntimeHalf(t *testing.T) {
	checked := 0
	for _, s := range sources(t) {
		mine, ok := row(s.dir)
		if !ok || !slices.Contains(runtimeHalf, mine) {
			continue
		}
		checked++
		for _, spec := range s.ast.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			if slices.Contains(runtimeMayNot, imported) {
				t.Errorf("%s: the runtime half must not import %s", s.file, imported)
			}
			if thirdParty(imported) && !slices.Contains(runtimeMay, imported) {
				t.Errorf("%s: the runtime half must not import %s", s.file, imported)
			}
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			if bad := forbidden(n); bad != "" {
				t.Errorf("%s: the runtime half must not use %s", s.file, bad)
			}
			return true
		})
	}
	if checked < 20 {
		t.Errorf("only %d files checked: the guard matched next to nothing", checked)
	}
}

func thirdParty(imported string) bool {
	return strings.Contains(strings.SplitN(imported, "/", 2)[0], ".") && !strings.HasPrefix(imported, module)
}

func forbidden(n ast.Node) string {
	switch n := n.(type) {
	case *ast.GoStmt:
		return "goroutines"
	case *ast.FuncDecl:
		if n.Name.Name == "init" && n.Recv == nil {
			return "init functions"
		}
	case *ast.SelectorExpr:
		if x, ok := n.X.(*ast.Ident); ok {
			switch x.Name + "." + n.Sel.Name {
			case "time.Now", "time.Since", "time.Sleep", "fmt.Print", "fmt.Println", "fmt.Printf":
				return x.Name + "." + n.Sel.Name
			}
		}
	}
	return ""
}
