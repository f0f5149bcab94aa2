package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// This file is about variables that a script takes from a file of constants at its start, where the
// run says what that holds (effect.Script.Settings): `. ./.env`, `source "$ROOT/.env"`, behind a
// test that the file is there, and `export $(grep -v '^#' .env | xargs)`.

// sourcing says whether a call may take such a file in; all that do must be found again by settings.
func (t *takes) sourcing(name string, args []*syntax.Word) bool {
	if name != "." && name != "source" || len(args) != 1 || t.script == nil || t.script.Settings == nil {
		return false
	}
	t.sources++
	return true
}

// exporting says whether a declaration exports the words of a file.
func (t *takes) exporting(d *syntax.DeclClause) bool {
	if t.script == nil || t.script.Settings == nil || wordsExported(d) == nil {
		return false
	}
	t.sources++
	return true
}

// wordsExported is the substitution that is all of an export.
func wordsExported(d *syntax.DeclClause) *syntax.Word {
	if d.Variant.Value != "export" || len(d.Args) != 1 || d.Args[0].Name != nil || d.Args[0].Value == nil {
		return nil
	}
	if file, _ := fileOfWords(d.Args[0].Value); file == nil {
		return nil
	}
	return d.Args[0].Value
}

// topStmts are the statements that run whatever else is: those at the top, and those behind a test
// that a file is there.
func (t *takes) topStmts() []*syntax.Stmt {
	var out []*syntax.Stmt
	for _, s := range t.file.Stmts {
		out = append(out, s)
		if c, ok := s.Cmd.(*syntax.IfClause); ok && bareStmt(s) && c.Else == nil && len(c.Cond) == 1 && isThere(c.Cond[0]) {
			out = append(out, c.Then...)
		}
	}
	return out
}

// isThere says whether a statement tests that a file is there: one that is taken in behind it is.
func isThere(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	return ok && bareStmt(s) && len(c.Assigns) == 0 && len(c.Args) == 4 && c.Args[0].Lit() == "[" && slices.Contains([]string{"-e", "-f", "-r", "-s"}, c.Args[1].Lit())
}

// settings are the variables that a statement takes from a file, as NAME=value; ok is false where it takes none.
func (t *takes) settings(s *syntax.Stmt) (list []string, ok bool) {
	var file *syntax.Word
	words, comments := false, false
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		if len(c.Args) != 2 || len(c.Assigns) > 0 || c.Args[0].Lit() != "." && c.Args[0].Lit() != "source" {
			return nil, false
		}
		file = c.Args[1]
	case *syntax.DeclClause:
		w := wordsExported(c)
		if w == nil {
			return nil, false
		}
		file, comments = fileOfWords(w)
		words = true
	}
	if file == nil || !bareStmt(s) {
		return nil, false
	}
	name, ok := t.value(file)
	if !ok || !words && !strings.Contains(name, "/") || !strings.HasPrefix(name, "/") && t.moves { // by its name alone it is looked for on PATH
		return nil, false
	}
	held := t.script.Settings(name)
	if !Constants(held) {
		return nil, false
	}
	if words {
		if held, ok = exportedLines(held, comments); !ok {
			return nil, false
		}
	}
	for line := range strings.Lines(held) {
		name, value, ok := strings.Cut(trimPrefix(strings.TrimSpace(line), "export "), "=")
		if ok && name[0] != '#' {
			list = append(list, name+"="+strings.Trim(value, `"'`))
		}
	}
	return list, true
}

// quietly says whether a statement changes no file: it assigns, tests, prints and asks where it is.
func quietly(s *syntax.Stmt) bool {
	ok := !s.Background
	syntax.Walk(s, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.FuncDecl:
			return false // what it is called by, counts
		case *syntax.Redirect:
			ok = ok && (n.Op == syntax.DplOut || n.Word != nil && n.Word.Lit() == "/dev/null")
		case *syntax.ProcSubst, *syntax.CoprocClause:
			ok = false
		case *syntax.CallExpr:
			if len(n.Args) == 0 {
				return ok
			}
			name, plain := plainWord(n.Args[0])
			ok = ok && plain && hasWord(". : [ basename cat cd dirname echo exit export false grep printf pwd readlink realpath return set shift source test true umask xargs", name)
		}
		return ok
	})
	return ok
}

// taken notes the variables that the script takes from files; ok is false where it may take others.
func (t *takes) taken(set map[string]int, named map[string]bool, s *syntax.Stmt, found *int) {
	list, ok := t.settings(s)
	if !ok {
		return
	}
	*found++
	given := map[string]bool{}
	for _, e := range list {
		name, value, _ := strings.Cut(e, "=")
		if set[name] == 0 && !named[name] && !ofShells(name) {
			t.known[name] = fixed{value: value, from: s.End().Offset()}
		} else {
			delete(t.known, name)
			named[name] = true
		}
		given[name] = true
	}
	for name := range given {
		set[name]++ // of another file it would be another value
	}
}
