package main

import (
	"bytes"
	"errors"
	"fmt"
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
)

// self is where this command stands in a checkout that has it.
const self = "internal/house"

// source is the product Go of a checkout, sorted by path.
type source struct {
	root   string
	module string // of go.mod
	fset   *token.FileSet
	files  []file
}

type file struct {
	room, path string // relative to the root, with slashes
	lines      int
	ast        *ast.File
}

// load parses the product Go below a directory.
func load(root string) (*source, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	s := &source{root: root, module: moduleOf(mod), fset: token.NewFileSet()}
	if s.module == "" {
		return nil, fmt.Errorf("%s: go.mod names no module", root)
	}
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			return skipDir(name, rel)
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") {
			return nil
		}
		return s.add(name, rel)
	})
	if err == nil && len(s.files) == 0 {
		err = errors.New("no product Go found")
	}
	return s, err
}

// skipDir leaves out what is no product: test data, hidden directories, modules
// of their own, and this command.
func skipDir(name, rel string) error {
	base := path.Base(rel)
	if rel == "." {
		return nil
	}
	if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil {
		return fs.SkipDir
	}
	if rel == self || base == "testdata" || base == "node_modules" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return fs.SkipDir
	}
	return nil
}

func (s *source) add(name, rel string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	tree, err := parser.ParseFile(s.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	s.files = append(s.files, file{room: path.Dir(rel), path: rel, lines: bytes.Count(text, []byte("\n")), ast: tree})
	return nil
}

func moduleOf(mod []byte) string {
	for line := range strings.Lines(string(mod)) {
		if name, ok := strings.CutPrefix(line, "module "); ok {
			return strings.TrimSpace(name)
		}
	}
	return ""
}

// plain is a room's or a file's name without "internal": the name by which the
// tables know it.
func plain(name string) string {
	parts := strings.Split(name, "/")
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "internal" }), "/")
}

// lines counts all lines.
func (s *source) lines() (n int) {
	for _, f := range s.files {
		n += f.lines
	}
	return n
}

// tally is a count with what it is of.
type tally struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// rooms lists the package directories with their lines.
func (s *source) rooms() []tally {
	var out []tally
	for _, f := range s.files {
		i := slices.IndexFunc(out, func(t tally) bool { return t.Name == f.room })
		if i < 0 {
			i, out = len(out), append(out, tally{Name: f.room})
		}
		out[i].Count += f.lines
	}
	slices.SortFunc(out, func(a, b tally) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// imports lists the rooms of this module that a file imports.
func (s *source) imports(f *file) []string {
	var out []string
	for _, spec := range f.ast.Imports {
		if name, err := strconv.Unquote(spec.Path.Value); err == nil {
			if rest, ok := strings.CutPrefix(name, s.module+"/"); ok {
				out = append(out, rest)
			}
		}
	}
	return out
}

// at is a place as people write it: file and line.
func (s *source) at(f *file, pos token.Pos) string {
	return fmt.Sprintf("%s:%d", f.path, s.fset.Position(pos).Line)
}
