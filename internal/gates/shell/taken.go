package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file leaves out of a script what a run of it does not reach: branches of if, case, && and
// || behind tests of arguments and variables that the run says. A variable counts where all of
// the script shows that nothing else gives it a value: it is assigned at most once, at the top,
// and no other word is its name. What is not plainly so is left as it is, and all branches are
// judged.

// Narrow is what leaves such branches out of a script's text as it is run (effect.Script.Narrow).
// It is handed over and not called where it is used: programs that never ask for it are smaller.
func Narrow(s *effect.Script) func(file any) {
	return func(file any) {
		f, ok := file.(*syntax.File)
		if !ok || s.Shell == "zsh" {
			return
		}
		t := takes{script: s, file: f, known: map[string]fixed{}}
		if t.plainScript() && t.variables() {
			t.stmts(f.Stmts)
		}
	}
}

// takes is one look for branches.
type takes struct {
	script *effect.Script
	file   *syntax.File
	known  map[string]fixed
	shifts uint // where the first argument may be another one
	ifs    bool // where words end may be another place
	moves  bool // it may go to another directory

	sources int // files that it takes in
	spans   []span
}

// fixed is the value of a variable behind a place in the text.
type fixed struct {
	value string
	from  uint
}

// span is the text of a function, whose arguments are others.
type span struct{ from, to uint }

// quietBuiltins are the builtins of bash, dash and ksh that a script may use here; those of the rest
// set variables whose names may be computed, or run text (bash(1), Shell Builtin Commands).
const quietBuiltins = ": [ break cd continue dirs echo exec exit false kill popd printf pushd pwd return set shift test times trap true type ulimit umask wait"

// shellBuiltins are all of them. Sorted.
const shellBuiltins = ". : [ alias bg bind break builtin caller cd chdir command compgen complete compopt continue declare dirs disown echo enable eval exec exit export false fc fg getopts hash " +
	"help history jobs kill let local logout mapfile popd print printf pushd pwd read readarray readonly return select set shift shopt source suspend test times trap true type " +
	"typeset ulimit umask unalias unset vared wait whence"

// setFlags are options of set under which words mean what they mean without.
var setFlags = [...]string{"errexit", "nounset", "pipefail", "xtrace", "noclobber"}

// plainScript says whether nothing in the script runs text as commands, sets variables whose names
// are computed, or makes a test mean something else. It notes functions and the first shift.
func (t *takes) plainScript() bool {
	ok := true
	t.shifts = ^uint(0)
	syntax.Walk(t.file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.WhileClause:
			t.shiftsIn(n)
		case *syntax.FuncDecl:
			ok = ok && n.Name != nil && !mark.Among(shellBuiltins, n.Name.Value)
			t.spans = append(t.spans, span{n.Pos().Offset(), n.End().Offset()})
		case *syntax.CallExpr:
			ok = ok && (len(n.Args) == 0 || t.plainCall(n))
		case *syntax.DeclClause:
			ok = ok && (plainDeclaration(n) || t.exporting(n))
		case *syntax.Redirect:
			ok = ok && (n.N == nil || !strings.HasPrefix(n.N.Value, "{"))
		case *syntax.ForClause:
			_, words := n.Loop.(*syntax.WordIter)
			ok = ok && words && !n.Select
			t.shiftsIn(n)
		case *syntax.ParamExp:
			ok = ok && plainExpansion(n)
		case *syntax.Assign:
			ok = ok && n.Index == nil
			t.ifs = t.ifs || n.Name != nil && n.Name.Value == "IFS"
		case *syntax.ArrayElem:
			ok = ok && n.Index == nil // which is arithmetic
		case *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.LetClause, *syntax.CoprocClause, *syntax.TestDecl:
			ok = false
		case *syntax.BinaryTest: // whose numbers are arithmetic
			ok = ok && (n.Op < syntax.TsEql || n.Op > syntax.TsGtr)
		case *syntax.UnaryTest:
			ok = ok && n.Op != syntax.TsVarSet && n.Op != syntax.TsRefVar
		}
		return ok
	})
	return ok
}

// plainCall says whether a command is a program's, a function's, or one of quietBuiltins.
func (t *takes) plainCall(c *syntax.CallExpr) bool {
	name, ok := plainWord(c.Args[0])
	if !ok {
		return isPath(c.Args[0]) // which is no builtin's name
	}
	if name != "[" && isPattern(c.Args[0]) {
		return false // it may be more words
	}
	args := c.Args[1:]
	t.moves = t.moves || name == "cd" || name == "pushd" || name == "popd"
	switch {
	case t.sourcing(name, args):
		return true
	case !mark.Among(shellBuiltins, name):
		return true
	case name == "command" && len(args) > 0 && args[0].Lit() == "-v":
	case !mark.Among(quietBuiltins, name):
		return false
	case name == "printf" && len(args) > 0:
		format, ok := plainWord(args[0])
		return ok && !strings.HasPrefix(format, "-") || literalStart(args[0])
	case name == "shift":
		t.shifts = min(t.shifts, c.Pos().Offset())
	case name == "wait":
		return len(args) == 0
	case name == "test" || name == "[":
		return plainTest(args)
	case name == "trap":
		for i, a := range args {
			if w, ok := plainWord(a); !ok || i == 0 && !t.handler(w) {
				return false
			}
		}
	case name == "set":
		for i, a := range args {
			w, ok := plainWord(a)
			option := i > 0 && slices.Contains(setFlags[:], w)
			if before, _ := plainWord(c.Args[i]); option && !namesOption(before) {
				return false
			}
			if !ok || !option && (len(w) < 2 || w[0] != '-' && w[0] != '+' || strings.Trim(w[1:], "aeuxfCo") != "") {
				return false
			}
		}
	}
	return true
}

// shiftsIn notes a loop that takes arguments away: from its second round on, they are others.
func (t *takes) shiftsIn(loop syntax.Node) {
	syntax.Walk(loop, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 {
			if name, _ := plainWord(c.Args[0]); name != "shift" {
				return true
			}
			t.shifts = min(t.shifts, loop.Pos().Offset())
		}
		return true
	})
}

// handler says whether what a trap runs, at any place, is a command with plain words. Where it
// takes arguments away, no argument is known.
func (t *takes) handler(text string) bool {
	f, ok := Parse(text).Syntax()
	h := takes{file: f}
	if !ok || !h.plainScript() {
		return false
	}
	if h.shifts != ^uint(0) {
		t.shifts = 0
	}
	t.ifs = t.ifs || h.ifs
	return true
}

// plainTest says whether a test's words hold no operator that evaluates the subscript of a name: -v,
// -R (bash(1), Conditional Expressions).
func plainTest(args []*syntax.Word) bool {
	for i, a := range args {
		switch w, ok := plainWord(a); {
		case ok && (w == "-v" || w == "-R"), isPattern(a):
			return false
		case ok || i+1 == len(args):
		default:
			if next, _ := plainWord(args[i+1]); next != "]" && next != "=" && next != "==" && next != "!=" && !comparesNumbers(next) {
				return false // it may be an operator itself
			}
		}
		for _, p := range a.Parts {
			if e, ok := p.(*syntax.ParamExp); ok && (e.Param == nil || e.Param.Value != "#" && e.Param.Value != "?") || !ok && isSubst(p) {
				return false // may be more words than one
			}
		}
	}
	return true
}

func isSubst(p syntax.WordPart) bool { _, ok := p.(*syntax.CmdSubst); return ok }

// isPath says whether the first word of a command is one word, with a slash that no expansion gives.
func isPath(w *syntax.Word) (slash bool) {
	for i, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			slash = slash || strings.Contains(p.Value, "/")
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				switch q := q.(type) {
				case *syntax.Lit:
					slash = slash || strings.Contains(q.Value, "/")
				case *syntax.ParamExp:
					if !slash && (q.Param == nil || q.Param.Value == "@" || q.Index != nil) { // may be more words
						return false
					}
				}
			}
		default:
			if i == 0 || !slash {
				return false
			}
		}
	}
	return slash && !isPattern(w)
}

// isPattern says whether a word has a brace or a pattern's character that is not quoted.
func isPattern(w *syntax.Word) bool {
	return slices.ContainsFunc(w.Parts, func(p syntax.WordPart) bool {
		l, ok := p.(*syntax.Lit)
		return ok && strings.ContainsAny(l.Value, "{*?[")
	})
}

// literalStart says whether a word begins with a character that is no dash and no expansion's.
func literalStart(w *syntax.Word) bool {
	parts := w.Parts
	if q, ok := parts[0].(*syntax.DblQuoted); ok && len(q.Parts) > 0 {
		parts = q.Parts
	}
	l, ok := parts[0].(*syntax.Lit)
	return ok && l.Value != "" && l.Value[0] != '-' && l.Value[0] != '\\' && l.Value[0] != '~'
}

// plainDeclaration says whether a declaration only assigns, exports or keeps its names, which
// stand there.
func plainDeclaration(d *syntax.DeclClause) bool {
	for _, a := range d.Args {
		if a.Name == nil {
			flag, ok := "", a.Value != nil
			if ok {
				flag, ok = plainWord(a.Value)
			}
			if !ok || len(flag) < 2 || flag[0] != '-' || strings.Trim(flag[1:], "grxa") != "" {
				return false
			}
		}
	}
	return d.Variant.Value != "nameref"
}

// plainExpansion says whether an expansion reads a variable by its name, and no text in it is
// evaluated.
func plainExpansion(e *syntax.ParamExp) bool {
	if e.Excl || e.Slice != nil || e.NestedParam != nil || e.Flags != nil || e.Width || e.Exp != nil && e.Exp.Op == syntax.OtherParamOps {
		return false
	}
	w, ok := e.Index.(*syntax.Word)
	return e.Index == nil || ok && (w.Lit() == "@" || w.Lit() == "*" || w.Lit() != "" && strings.Trim(w.Lit(), "0123456789") == "")
}

// ofShells says whether shells give a variable a value themselves, or take it for something of
// their own (the manuals of bash, dash and ksh, their variables).
func ofShells(name string) bool {
	if hasWord("_ ARGV0 CDPATH COLUMNS COPROC DIRSTACK ENV EUID EXECIGNORE FCEDIT FIGNORE FUNCNAME FUNCNEST GLOBIGNORE GLOBSORT GROUPS HOME HOSTFILE HOSTNAME HOSTTYPE IFS IGNOREEOF INPUTRC INSIDE_EMACS LANG LINENO LINES LOGNAME MACHTYPE MAILCHECK MAILPATH MAIL MAPFILE OLDPWD OPTARG OPTERR OPTIND OSTYPE PATH PIPESTATUS PPID PWD RANDOM REPLY SECONDS SHELL SHELLOPTS SHLVL SRANDOM TIMEFORMAT TMOUT TMPDIR UID USER", name) {
		return true
	}
	for _, start := range [...]string{"BASH", "COMP", "EPOCH", "HIST", "KSH", "LC_", "POSIX", "PROMPT", "PS", "READLINE", "ZSH", "auto_"} {
		if strings.HasPrefix(name, start) {
			return true
		}
	}
	return false
}

// variables notes the variables whose values the run says: those that it is given and that the
// script never assigns, and those that are assigned once, at the top, from what is known.
func (t *takes) variables() bool {
	set := map[string]int{}    // how often a name is assigned
	named := map[string]bool{} // what else stands there and may be a name
	syntax.Walk(t.file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name != nil {
				set[n.Name.Value]++
				if n.Append || n.Naked || n.Array != nil {
					named[n.Name.Value] = true
				}
			}
		case *syntax.ParamExp:
			if n.Exp != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) && n.Param != nil {
				named[n.Param.Value] = true
			}
		case *syntax.WordIter:
			named[n.Name.Value] = true
		case *syntax.CallExpr:
			if len(n.Args) > 0 && n.Args[0].Lit() != "echo" {
				named = namesIn(named, n.Args)
			}
		case *syntax.DeclClause:
			for _, a := range n.Args {
				if a.Name == nil && a.Value != nil {
					named = namesIn(named, []*syntax.Word{a.Value})
				}
			}
		}
		return true
	})
	for _, e := range t.script.Env {
		name, value, _ := strings.Cut(e, "=")
		if set[name] == 0 && !named[name] && !ofShells(name) {
			t.known[name] = fixed{value: value}
		}
	}
	found, quiet := 0, true
	for _, s := range t.topStmts() {
		if quiet = quiet && quietly(s); quiet {
			t.taken(set, named, s, &found)
		}
		for _, a := range topAssigns(s) {
			name := a.Name.Value
			if set[name] != 1 || named[name] || ofShells(name) || a.Value == nil {
				continue
			}
			if v, ok := t.value(a.Value); ok {
				t.known[name] = fixed{value: v, from: a.End().Offset()}
			}
		}
	}
	return found == t.sources
}

// namesIn adds the names in literal text of words.
func namesIn(named map[string]bool, words []*syntax.Word) map[string]bool {
	add := func(s string) {
		for _, n := range strings.FieldsFunc(s, func(r rune) bool { return r > 127 || !isNameByte(byte(r)) }) {
			named[n] = true
		}
	}
	for _, w := range words {
		syntax.Walk(w, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.ParamExp, *syntax.CmdSubst:
				return false
			case *syntax.Lit:
				add(n.Value)
			case *syntax.SglQuoted:
				add(n.Value)
			}
			return true
		})
	}
	return named
}

// topAssigns are the assignments that a statement is, all of it.
func topAssigns(s *syntax.Stmt) []*syntax.Assign {
	if s.Background || s.Negated || s.Coprocess || s.Disown || len(s.Redirs) > 0 {
		return nil
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		if len(c.Args) == 0 {
			return c.Assigns
		}
	case *syntax.DeclClause:
		if c.Variant.Value == "export" || c.Variant.Value == "readonly" {
			return slices.DeleteFunc(slices.Clone(c.Args), func(a *syntax.Assign) bool { return a.Name == nil })
		}
	}
	return nil
}

// value is the text that a word is in this run; ok is false where it is not known, or may be
// more words than one.
func (t *takes) value(w *syntax.Word) (string, bool) {
	if w == nil {
		return "", true
	}
	return t.parts(w.Parts, false)
}

// parts is the value of parts of a word, in quotation marks or not.
func (t *takes) parts(parts []syntax.WordPart, quoted bool) (string, bool) {
	var b strings.Builder
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			if strings.ContainsAny(p.Value, "\\~") || !quoted && strings.ContainsAny(p.Value, "*?[{}=") {
				return "", false
			}
			b.WriteString(p.Value)
		case *syntax.SglQuoted:
			if p.Dollar {
				return "", false
			}
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			s, ok := t.parts(p.Parts, true)
			if !ok || p.Dollar {
				return "", false
			}
			b.WriteString(s)
		case *syntax.ParamExp:
			s, ok := t.param(p)
			if !ok || !quoted && (s == "" || t.ifs || strings.ContainsAny(s, " \t\n*?[\\~")) {
				return "", false
			}
			b.WriteString(s)
		default:
			return "", false
		}
	}
	return b.String(), true
}

// param is what a parameter is in this run.
func (t *takes) param(e *syntax.ParamExp) (string, bool) {
	if e.Param == nil || e.Length || e.Repl != nil || e.Index != nil || len(e.Modifiers) > 0 || e.IsSet {
		return "", false
	}
	v, set, ok := t.lookup(e.Param.Value, e.Pos().Offset())
	if !ok {
		return "", false
	}
	if e.Exp == nil {
		return v, true
	}
	switch e.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull:
		if !set || v == "" && e.Exp.Op == syntax.DefaultUnsetOrNull {
			return t.value(e.Exp.Word)
		}
		return v, true
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if !set || v == "" && e.Exp.Op == syntax.AlternateUnsetOrNull {
			return "", true
		}
		return t.value(e.Exp.Word)
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return v, set
	}
	return "", false
}

// lookup is a variable or an argument at a place in the text.
func (t *takes) lookup(name string, at uint) (value string, set, ok bool) {
	n, err := strconv.Atoi(name)
	if err != nil && name != "#" {
		k, ok := t.known[name]
		return k.value, ok, ok && at >= k.from
	}
	if at >= t.shifts || slices.ContainsFunc(t.spans, func(s span) bool { return at >= s.from && at < s.to }) || name == "0" {
		return "", false, false
	}
	if name == "#" {
		return strconv.Itoa(len(t.script.Args)), true, true
	}
	if n > len(t.script.Args) {
		return "", false, true
	}
	return t.script.Args[n-1], true, !mark.Has(t.script.Args[n-1])
}
