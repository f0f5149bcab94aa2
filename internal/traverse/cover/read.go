package cover

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Reading is a command line as the audit has it.
type Reading struct {
	Text     string   // the parts that the exit status depends on, divided by line breaks
	Programs []string // programs and modules that these parts start
	Why      string   // why the status depends on nothing, if so
}

// maxCommand bounds a command line, in bytes.
const maxCommand = 64 << 10

// Read reads a command line. One that cannot be parsed, or that ends with 0 whatever
// is there, decides nothing.
func Read(command string) Reading {
	if len(command) > maxCommand {
		return Reading{Why: "it is too long to be read"}
	}
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
	if err != nil {
		return Reading{Why: "it is no command line"}
	}
	r := &reader{src: command}
	if !r.list(f.Stmts) {
		return Reading{Why: "it cannot fail"}
	}
	slices.Sort(r.programs)
	return Reading{Text: strings.Join(r.parts, "\n"), Programs: slices.Compact(r.programs)}
}

type reader struct {
	src      string
	parts    []string
	programs []string
	pipefail bool
	depth    int
}

// maxDepth bounds shells within shells.
const maxDepth = 8

// list reads statements one after the other: without set -e the last one decides, with
// what it takes from those before. It reports whether the list can fail.
func (r *reader) list(stmts []*syntax.Stmt) bool {
	strict := false
	for i, s := range stmts {
		if words := r.words(s); len(words) > 0 && words[0] == "set" {
			for _, w := range words[1:] {
				short := strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--")
				strict = strict || short && strings.Contains(w, "e") || w == "errexit"
				r.pipefail = r.pipefail || w == "pipefail"
			}
		}
		if words := r.words(s); len(words) > 0 && (words[0] == "exit" || words[0] == "exec") {
			stmts = stmts[:i+1] // what stands behind it is never reached
			break
		}
	}
	if len(stmts) == 0 {
		return false
	}
	can, before, last := false, len(r.parts), len(stmts)-1
	for i, s := range stmts {
		if strict || i == last || givesUp(s) {
			can = r.stmt(s) || can
		}
	}
	if can && !strict {
		r.feeds(stmts[:last], strings.Join(r.parts[before:], "\n"))
	}
	return can
}

// givesUp says whether a statement can end the whole line with another status than 0.
func givesUp(s *syntax.Stmt) bool {
	found := false
	syntax.Walk(s, func(n syntax.Node) bool {
		if _, ok := n.(*syntax.Subshell); ok {
			return false
		}
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) == 2 && c.Args[0].Lit() == "exit" && c.Args[1].Lit() != "0" {
			found = true
		}
		return true
	})
	return found
}

// feeds adds earlier statements whose result the deciding one takes: a variable that
// they set, a file that they write, a directory that they go to.
func (r *reader) feeds(stmts []*syntax.Stmt, deciding string) {
	for i := len(stmts) - 1; i >= 0; i-- {
		s := stmts[i]
		if !r.feedsInto(s, deciding) {
			continue
		}
		text := r.text(s)
		r.parts = append(r.parts, text)
		r.start(r.words(s))
		deciding += "\n" + text
	}
}

func (r *reader) feedsInto(s *syntax.Stmt, deciding string) bool {
	for _, d := range s.Redirs {
		if d.Word != nil && writes(d.Op) && mentioned(deciding, r.text(d.Word)) {
			return true
		}
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		for _, a := range c.Assigns {
			if a.Name != nil && strings.Contains(deciding, "$"+a.Name.Value) || a.Name != nil && strings.Contains(deciding, "${"+a.Name.Value) {
				return true
			}
		}
		words := r.words(s)
		if len(words) == 0 {
			return false
		}
		switch words[0] {
		case "cd", "pushd":
			return true
		case "cp", "mv", "tee", "gcc", "cc", "g++", "clang", "javac", "go", "rustc", "make", "cmake":
			return slices.ContainsFunc(words[1:], func(w string) bool { return len(w) > 1 && mentioned(deciding, w) })
		}
	case *syntax.FuncDecl:
		return mentioned(deciding, c.Name.Value)
	}
	return false
}

func writes(op syntax.RedirOperator) bool {
	return op == syntax.RdrOut || op == syntax.AppOut || op == syntax.RdrAll || op == syntax.AppAll || op == syntax.RdrClob
}

func mentioned(text, word string) bool {
	word = strings.Trim(word, `"'`)
	return word != "" && slices.Contains(fileWords(text), path.Clean(word))
}

// stmt reads one statement, and reports whether it can fail.
func (r *reader) stmt(s *syntax.Stmt) bool {
	if s.Background || s.Coprocess {
		return false
	}
	mark, programs := len(r.parts), len(r.programs)
	can := r.command(s)
	if !can {
		r.parts, r.programs = r.parts[:mark], r.programs[:programs]
		return false
	}
	if s.Negated {
		r.parts = append(r.parts, "!")
	}
	for _, d := range s.Redirs {
		if d.Hdoc != nil {
			r.parts = append(r.parts, r.text(d.Hdoc))
		}
		if d.Word != nil && !writes(d.Op) {
			r.parts = append(r.parts, r.text(d.Word))
		}
	}
	return true
}

func (r *reader) command(s *syntax.Stmt) bool {
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		return r.call(c)
	case *syntax.BinaryCmd:
		return r.binary(c)
	case *syntax.Subshell:
		return r.list(c.Stmts)
	case *syntax.Block:
		return r.list(c.Stmts)
	case *syntax.IfClause:
		return r.branch(c)
	case *syntax.ForClause:
		if !r.list(c.Do) {
			return false
		}
		r.parts = append(r.parts, r.text(c.Loop))
		return true
	case *syntax.WhileClause:
		return r.list(c.Do)
	case *syntax.TestClause:
		return r.keep(c, !constant(r.text(c)))
	case *syntax.ArithmCmd:
		return r.keep(c, strings.Contains(r.text(c), "$"))
	case *syntax.TimeClause:
		return c.Stmt != nil && r.stmt(c.Stmt)
	}
	return false // declarations and what this does not know
}

func (r *reader) keep(n syntax.Node, can bool) bool {
	if can {
		r.parts = append(r.parts, r.text(n))
	}
	return can
}

func (r *reader) binary(c *syntax.BinaryCmd) bool {
	switch c.Op {
	case syntax.AndStmt:
		x := r.stmt(c.X)
		return r.stmt(c.Y) || x
	case syntax.OrStmt:
		if words := r.words(c.Y); len(words) > 0 && words[0] == "exit" && !slices.Equal(words, []string{"exit", "0"}) {
			return r.stmt(c.X)
		}
		mark := len(r.parts)
		if !r.stmt(c.Y) { // whatever X says, Y makes it good
			return false
		}
		if !r.stmt(c.X) {
			r.parts = r.parts[:mark]
			return false
		}
		return true
	}
	if r.pipefail {
		x := r.stmt(c.X)
		return r.stmt(c.Y) || x
	}
	if words := r.words(c.Y); len(words) > 0 && slices.Contains(consumers, program(words[0])) {
		return false
	}
	if !r.stmt(c.Y) {
		return false
	}
	r.parts = append(r.parts, r.text(c.X)) // what it prints decides
	r.started(c.X)
	return true
}

// branch reads an if: one without an else, or with parts that cannot fail, is no check.
func (r *reader) branch(c *syntax.IfClause) bool {
	mark := len(r.parts)
	can := r.list(c.Then)
	if c.Else != nil {
		if len(c.Else.Cond) > 0 {
			can = r.branch(c.Else) || can
		} else {
			can = r.list(c.Else.Then) || can
		}
	}
	if !can {
		r.parts = r.parts[:mark]
		return false
	}
	for _, s := range c.Cond {
		r.parts = append(r.parts, r.text(s))
		r.started(s)
	}
	return true
}

// started notes the programs of a statement that is not read for its status.
func (r *reader) started(s *syntax.Stmt) {
	syntax.Walk(s, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok {
			r.start(r.args(c))
		}
		return true
	})
}

// The programs by their part in a check. inert ones end with 0 whatever is there, or make
// themselves what they should find; consumers do so with whatever they read; wrappers run
// what stands behind them.
var (
	inert     = []string{"echo", "printf", "true", ":", "sleep", "touch", "tee", "export", "unset", "set", "shopt", "alias", "yes", "date", "pwd", "whoami", "clear", "wait", "trap", "umask"}
	consumers = []string{"cat", "tail", "head", "tee", "wc", "sort", "uniq", "tr", "cut", "less", "more", "nl", "rev", "tac", "column", "fold", "true", ":", "echo", "printf"}
	wrappers  = []string{"env", "timeout", "time", "nice", "nohup", "stdbuf", "sudo", "command", "exec", "xvfb-run", "poetry", "uv", "pipenv", "hatch", "run", "npx", "bundle"}
	shells    = []string{"bash", "sh", "dash", "zsh", "ksh"}
)

func (r *reader) call(c *syntax.CallExpr) bool {
	words := r.args(c)
	if len(words) == 0 {
		return r.keep(c, hasSubstitution(c))
	}
	words = unwrapped(words)
	name := program(words[0])
	switch {
	case slices.Contains(inert, name), name == "exit" || name == "return", name == "mkdir" && slices.Contains(words, "-p"), name == "rm" && hasShort(words, 'f'):
		exits := name == "exit" && len(words) > 1 && words[1] != "0"
		return exits
	case slices.Contains(shells, name):
		if code, ok := after(words, "-c"); ok && r.depth < maxDepth {
			return r.shell(code)
		}
	case (name == "test" || name == "[") && constant(r.text(c)):
		return false
	case strings.HasPrefix(name, "python"):
		if code, ok := after(words, "-c"); ok && printsOnly(code) {
			return false
		}
	}
	r.parts = append(r.parts, uncommented(r.text(c)))
	r.start(words)
	return true
}

func (r *reader) shell(code string) bool {
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(code), "")
	if err != nil {
		return false
	}
	in := &reader{src: code, depth: r.depth + 1}
	if !in.list(f.Stmts) {
		return false
	}
	r.parts, r.programs = append(r.parts, in.parts...), append(r.programs, in.programs...)
	return true
}

// start notes what a command starts: its program, the module of -m, and the word that a
// tool runs things by.
func (r *reader) start(words []string) {
	if words = unwrapped(words); len(words) == 0 {
		return
	}
	r.programs = append(r.programs, program(words[0]))
	if m, ok := after(words, "-m"); ok {
		m, _, _ = strings.Cut(m, ".")
		r.programs = append(r.programs, m)
	}
}

func program(word string) string { return path.Base(word) }

// unwrapped leaves out programs that run what stands behind them, with their options
// and settings.
func unwrapped(words []string) []string {
	for len(words) > 1 && slices.Contains(wrappers, program(words[0])) {
		timed := program(words[0]) == "timeout"
		rest := words[1:]
		for len(rest) > 1 && (strings.HasPrefix(rest[0], "-") || strings.Contains(rest[0], "=")) {
			rest = rest[1:]
		}
		if timed && len(rest) > 1 {
			rest = rest[1:]
		}
		words = rest
	}
	return words
}

func after(words []string, option string) (string, bool) {
	i := slices.Index(words, option)
	if i < 0 || i+1 >= len(words) {
		return "", false
	}
	return words[i+1], true
}

func hasShort(words []string, letter rune) bool {
	return slices.ContainsFunc(words[1:], func(w string) bool {
		return len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.ContainsRune(w, letter)
	})
}

func hasSubstitution(c *syntax.CallExpr) bool {
	found := false
	syntax.Walk(c, func(n syntax.Node) bool {
		if _, ok := n.(*syntax.CmdSubst); ok {
			found = true
		}
		return true
	})
	return found
}

var (
	fileTest   = regexp.MustCompile(`(^|\s)-([a-hkprstuwxGLNOS]|nt|ot|ef)\s`)
	onlyPrints = regexp.MustCompile(`^\s*(?:(?:pass|print\((?:"[^"]*"|'[^']*'|[0-9]+)?\))\s*(?:;|\n|$)\s*)+$`)
	inlineNote = regexp.MustCompile(`(?m)(^|[\s;])#[^"'\n]*$`)
)

// constant says whether a test compares nothing but what stands in it.
func constant(test string) bool {
	return !strings.ContainsAny(test, "$`") && !fileTest.MatchString(test)
}

// printsOnly says whether Python code does nothing that can fail.
func printsOnly(code string) bool {
	return onlyPrints.MatchString(inlineNote.ReplaceAllString(code, "$1"))
}

// uncommented leaves out comments of code within a command.
func uncommented(text string) string { return inlineNote.ReplaceAllString(text, "$1") }

func (r *reader) text(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from < 0 || to > len(r.src) || from > to {
		return ""
	}
	return r.src[from:to]
}

// words are the words of a simple command, with quotes taken off.
func (r *reader) words(s *syntax.Stmt) []string {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok {
		return nil
	}
	return r.args(c)
}

func (r *reader) args(c *syntax.CallExpr) []string {
	var out []string
	for _, w := range c.Args {
		var b strings.Builder
		r.value(&b, w.Parts)
		out = append(out, b.String())
	}
	return out
}

func (r *reader) value(b *strings.Builder, parts []syntax.WordPart) {
	for _, p := range parts {
		switch x := p.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(x.Value, `\`, ""))
		case *syntax.SglQuoted:
			b.WriteString(x.Value)
		case *syntax.DblQuoted:
			r.value(b, x.Parts)
		default:
			b.WriteString(r.text(p))
		}
	}
}
