package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
)

// meter is the room of the counters in an instrumented copy.
const meter = "internal/housemeter"

// syntaxPackage is whose parser is counted.
const syntaxPackage = "mvdan.cc/sh/v3/syntax"

// readers are the methods of its parser that take text to parse, first.
var readers = []string{"Parse", "Stmts", "StmtsSeq", "Interactive", "InteractiveSeq", "Words", "WordsSeq", "Document", "Arithmetic"}

// insertion is text to put at an offset of a file.
type insertion struct {
	at   int
	text string
}

// instrument writes the product's files into a copy such that functions tell
// when they are entered and left, and parses are counted. It inserts on the
// lines there are, so that comments and build constraints stay where they were.
func (s *source) instrument(dir string) (parsers int, err error) {
	for i := range s.files {
		f := &s.files[i]
		if f.ast.Name.Name == "main" {
			continue // neither program of package driver runs it
		}
		list, n := s.insertions(f)
		parsers += n
		if len(list) == 0 {
			continue
		}
		head := fmt.Sprintf("; import housemeter %q", s.module+"/"+meter)
		list = append(list, insertion{s.offset(f.ast.Name.End()), head})
		if err := apply(filepath.Join(s.root, f.path), filepath.Join(dir, f.path), list); err != nil {
			return 0, err
		}
	}
	return parsers, nil
}

func (s *source) insertions(f *file) (list []insertion, parsers int) {
	parses := parserCalls(f.ast)
	for _, d := range f.ast.Decls {
		name := f.path
		if d, ok := d.(*ast.FuncDecl); ok {
			if name = d.Name.Name; d.Recv != nil {
				name = receiver(d) + "." + name
			}
		}
		enter := fmt.Sprintf(" defer housemeter.Enter(%q, %q)();", f.room, name)
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Body != nil {
					list = append(list, insertion{s.offset(n.Body.Lbrace) + 1, enter})
				}
			case *ast.FuncLit:
				list = append(list, insertion{s.offset(n.Body.Lbrace) + 1, enter})
			case *ast.CallExpr:
				if parses(n) {
					parsers++
					arg := n.Args[0]
					list = append(list, insertion{s.offset(arg.Pos()), fmt.Sprintf("housemeter.Parsed(%q, ", f.room)}, insertion{s.offset(arg.End()), ")"})
				}
			}
			return true
		})
	}
	return list, parsers
}

// parserCalls tells the calls of a shell parser in a file: methods named as in
// readers, of anything but an imported package.
func parserCalls(f *ast.File) func(*ast.CallExpr) bool {
	imported, uses := map[string]bool{}, false
	for _, spec := range f.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		uses = uses || name == syntaxPackage
		if name = path.Base(name); spec.Name != nil {
			name = spec.Name.Name
		}
		imported[name] = true
	}
	return func(c *ast.CallExpr) bool {
		sel, ok := c.Fun.(*ast.SelectorExpr)
		if !ok || !uses || len(c.Args) == 0 || !slices.Contains(readers, sel.Sel.Name) {
			return false
		}
		x, ok := sel.X.(*ast.Ident)
		return !ok || !imported[x.Name]
	}
}

func apply(from, to string, list []insertion) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	slices.SortStableFunc(list, func(a, b insertion) int { return a.at - b.at })
	var out bytes.Buffer
	last := 0
	for _, in := range list {
		out.Write(text[last:in.at])
		out.WriteString(in.text)
		last = in.at
	}
	out.Write(text[last:])
	return os.WriteFile(to, out.Bytes(), 0o644)
}
