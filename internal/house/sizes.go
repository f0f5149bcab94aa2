package main

import (
	"go/ast"
	"slices"
	"strings"
)

// sized is a function or file with its lines.
type sized struct {
	name  string
	lines int
}

// sizes are figures of many of them, in lines.
type sizes struct {
	Count   int    `json:"count"`
	Median  int    `json:"median"`
	P95     int    `json:"p95"`
	Longest int    `json:"longest"`
	Which   string `json:"which"` // the longest
}

func (s *source) functions() (out []sized) {
	for i := range s.files {
		f := &s.files[i]
		for _, d := range f.ast.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				n := s.fset.Position(d.End()).Line - s.fset.Position(d.Pos()).Line + 1
				out = append(out, sized{s.at(f, d.Pos()) + " " + d.Name.Name, n})
			}
		}
	}
	return out
}

func (s *source) fileLines() (out []sized) {
	for _, f := range s.files {
		out = append(out, sized{f.path, f.lines})
	}
	return out
}

func sizesOf(list []sized) sizes {
	if len(list) == 0 {
		return sizes{}
	}
	slices.SortFunc(list, func(a, b sized) int {
		if a.lines != b.lines {
			return a.lines - b.lines
		}
		return strings.Compare(b.name, a.name)
	})
	at := func(percent int) int { return list[(len(list)*percent+99)/100-1].lines }
	last := list[len(list)-1]
	return sizes{len(list), at(50), at(95), last.lines, last.name}
}
