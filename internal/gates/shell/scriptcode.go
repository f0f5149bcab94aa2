package shell

import (
	"slices"
	"sort"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxCode bounds the scripts that Code reads.
const maxCode = 64 << 10

// Code is a script of a POSIX shell or bash without its comments and without the words that echo
// and printf print as they stand: two scripts with the same code do the same, but for what they say.
// Words that go into a file, a pipe or a variable are part of the code, and so are those in which a
// program might read an answer (JSON, escapes). ok is false for a text that cannot be read.
func Code(text string) (code string, ok bool) {
	if len(text) > maxCode || strings.Contains(text, "\r") || strings.Contains(text, "\x00") {
		return "", false
	}
	file, err := parse(text)
	if err != nil || file == nil {
		return "", false
	}
	w := saidWords{text: text}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Comment:
			if at := int(n.Pos().Offset()); at > 0 {
				w.comment(at, int(n.End().Offset()))
			}
		case *syntax.FuncDecl:
			w.other = w.other || saysWord(n.Name.Value)
		case *syntax.Stmt:
			w.other = w.other || movesOutput(n)
		}
		return true
	})
	if !w.other {
		w.statements(file.Stmts)
	}
	sort.Slice(w.cuts, func(i, j int) bool { return w.cuts[i][0] < w.cuts[j][0] })
	var b strings.Builder
	at := 0
	for _, c := range w.cuts {
		if c[0] >= at {
			b.WriteString(text[at:c[0]])
			at = c[1]
		}
	}
	b.WriteString(text[at:])
	return b.String(), true
}

// saidWords are the parts of a script that it only says.
type saidWords struct {
	text  string
	cuts  [][2]int
	other bool // something else may be meant by the words of echo
}

// comment cuts a comment with the blanks before it, and its line where there is nothing else.
func (w *saidWords) comment(from, to int) {
	for from > 0 && (w.text[from-1] == ' ' || w.text[from-1] == '\t') {
		from--
	}
	if (from == 0 || w.text[from-1] == '\n' && !strings.HasSuffix(w.text[:from-1], "\\")) && to < len(w.text) && w.text[to] == '\n' {
		to++
	}
	w.cuts = append(w.cuts, [2]int{from, to})
}

// saysWord says whether a command prints its words.
func saysWord(name string) bool { return name == "echo" || name == "printf" }

// movesOutput says whether a statement may give echo another meaning, or its output another place,
// for those that come after it (bash(1), Shell Builtin Commands).
func movesOutput(s *syntax.Stmt) bool {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	switch name := call.Args[0].Lit(); name {
	case "":
		return len(s.Redirs) > 0
	case ".", "source", "eval", "alias", "trap", "enable", "shopt", "builtin", "command":
		return true
	case "exec":
		return len(s.Redirs) > 0 || len(call.Args) == 1
	}
	return false
}

// statements cuts what the statements say where their output is the script's own.
func (w *saidWords) statements(list []*syntax.Stmt) {
	for _, s := range list {
		w.statement(s)
	}
}

// statement is statements of one.
func (w *saidWords) statement(s *syntax.Stmt) {
	if s.Background || slices.ContainsFunc(s.Redirs, func(r *syntax.Redirect) bool { return r.Op != syntax.DplOut || r.Word == nil || r.Word.Lit() != "2" }) {
		return
	}
	switch x := s.Cmd.(type) {
	case *syntax.CallExpr:
		w.call(x)
	case *syntax.Block:
		w.statements(x.Stmts)
	case *syntax.IfClause:
		for ; x != nil; x = x.Else {
			w.statements(x.Then)
		}
	case *syntax.ForClause:
		w.statements(x.Do)
	case *syntax.WhileClause:
		w.statements(x.Do)
	case *syntax.CaseClause:
		for _, i := range x.Items {
			w.statements(i.Stmts)
		}
	case *syntax.BinaryCmd:
		if x.Op == syntax.AndStmt || x.Op == syntax.OrStmt {
			w.statement(x.X)
			w.statement(x.Y)
		}
	}
}

// call cuts the words of an echo or a printf that prints them as they stand.
func (w *saidWords) call(x *syntax.CallExpr) {
	if len(x.Assigns) > 0 || len(x.Args) < 2 || !saysWord(x.Args[0].Lit()) || slices.ContainsFunc(x.Args[1:], func(a *syntax.Word) bool { return !plainlySaid(a) }) {
		return
	}
	w.cuts = append(w.cuts, [2]int{int(x.Args[1].Pos().Offset()), int(x.Args[len(x.Args)-1].End().Offset())})
}

// plainlySaid says whether a word is text alone, and no option or answer to a program.
func plainlySaid(word *syntax.Word) bool {
	var text strings.Builder
	for _, p := range word.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			if strings.ContainsAny(p.Value, "*?[~") {
				return false
			}
			text.WriteString(p.Value)
		case *syntax.SglQuoted:
			if p.Dollar {
				return false
			}
			text.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, in := range p.Parts {
				lit, ok := in.(*syntax.Lit)
				if !ok || p.Dollar {
					return false
				}
				text.WriteString(lit.Value)
			}
		default:
			return false
		}
	}
	said := text.String()
	return !strings.ContainsAny(said, "{\\$`") && !strings.HasPrefix(said, "-")
}
