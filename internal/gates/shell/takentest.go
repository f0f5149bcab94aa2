package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// This file evaluates tests of shells over what is known of a run (taken.go).

// all says whether a condition holds, where it is one test.
func (t *takes) all(cond []*syntax.Stmt) (is, ok bool) {
	if len(cond) != 1 {
		return false, false
	}
	return t.test(cond[0])
}

// test says whether a test holds: [ and [[ with texts, their negations, and lists of them.
func (t *takes) test(s *syntax.Stmt) (is, ok bool) {
	if s.Background || s.Coprocess || s.Disown || len(s.Redirs) > 0 {
		return false, false
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		is, ok = t.bracket(c)
	case *syntax.TestClause:
		if is, ok = t.double(c.X); t.script.Shell != "bash" && is {
			ok = false // not every shell has it: then the other branch is taken
		}
		if s.Negated && t.script.Shell != "bash" {
			ok = false
		}
	case *syntax.BinaryCmd:
		x, okX := t.test(c.X)
		y, okY := t.test(c.Y)
		switch {
		case c.Op == syntax.AndStmt && (okX && !x || okX && okY):
			is, ok = x && y, true
		case c.Op == syntax.OrStmt && (okX && x || okX && okY):
			is, ok = x || y, true
		}
	}
	return is != s.Negated, ok
}

// bracket evaluates test(1) with one, two or three arguments (POSIX, test).
func (t *takes) bracket(c *syntax.CallExpr) (is, ok bool) {
	if len(c.Assigns) > 0 || len(c.Args) < 2 {
		return false, false
	}
	args := c.Args[1:]
	switch c.Args[0].Lit() {
	case "test":
	case "[":
		if args[len(args)-1].Lit() != "]" {
			return false, false
		}
		args = args[:len(args)-1]
	default:
		return false, false
	}
	not := len(args) > 1 && args[0].Lit() == "!"
	if not {
		args = args[1:]
	}
	words := make([]string, len(args))
	for i, a := range args {
		if op := a.Lit(); i == len(args)-2 && (op == "=" || op == "==" || op == "!=") {
			words[i] = op
			continue
		}
		if words[i], ok = t.value(a); !ok {
			return false, false
		}
	}
	is, ok = compared(words)
	if len(words) == 3 && words[1] == "==" && (is || not) {
		ok = false // dash has no such operator
	}
	return is != not, ok
}

// compared evaluates the words of a test.
func compared(words []string) (is, ok bool) {
	switch {
	case len(words) == 2 && words[0] == "-n":
		return words[1] != "", true
	case len(words) == 2 && words[0] == "-z":
		return words[1] == "", true
	case len(words) == 3 && (words[1] == "=" || words[1] == "=="):
		return words[0] == words[2], true
	case len(words) == 3 && words[1] == "!=":
		return words[0] != words[2], true
	case len(words) == 3 && comparesNumbers(words[1]):
		a, errA := strconv.Atoi(words[0])
		b, errB := strconv.Atoi(words[2])
		if errA != nil || errB != nil {
			return false, false
		}
		switch words[1] {
		case "-eq":
			return a == b, true
		case "-ne":
			return a != b, true
		case "-lt":
			return a < b, true
		case "-le":
			return a <= b, true
		case "-gt":
			return a > b, true
		}
		return a >= b, true
	}
	return false, false
}

// double evaluates [[ ]] with texts in which no character is a pattern's.
func (t *takes) double(x syntax.TestExpr) (is, ok bool) {
	switch x := x.(type) {
	case *syntax.ParenTest:
		return t.double(x.X)
	case *syntax.UnaryTest:
		if x.Op == syntax.TsNot {
			is, ok = t.double(x.X)
			return !is, ok
		}
		w, isWord := x.X.(*syntax.Word)
		if !isWord || x.Op != syntax.TsEmpStr && x.Op != syntax.TsNempStr {
			return false, false
		}
		v, ok := t.parts(w.Parts, true)
		return (v == "") == (x.Op == syntax.TsEmpStr), ok
	case *syntax.BinaryTest:
		a, isWord := x.X.(*syntax.Word)
		b, isWord2 := x.Y.(*syntax.Word)
		if !isWord || !isWord2 || x.Op != syntax.TsMatch && x.Op != syntax.TsMatchShort && x.Op != syntax.TsNoMatch {
			return false, false
		}
		v, ok := t.parts(a.Parts, true)
		p, ok2 := t.value(b)
		if !ok || !ok2 || strings.ContainsAny(p, "*?[(|\\") {
			return false, false
		}
		return (v == p) == (x.Op != syntax.TsNoMatch), v == p || !strings.EqualFold(v, p)
	}
	return false, false
}
