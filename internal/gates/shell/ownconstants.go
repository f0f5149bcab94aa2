package shell

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/keeps"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about files of constants that the session spelled out: where the host sees that one still holds
// what was written, a line that takes its variables in is judged with their values.

// OwnConstants is effect.Places.Constants of hosts that let files be read.
func OwnConstants() any { return ownConstants{} }

type ownConstants struct{}

// constants is what a file holds that an earlier call spelled out, where the host sees that it still holds
// that, nothing of the line may have changed it, and it has nothing but constants.
func (ownConstants) constants(m *machine, full string) (text string, ok bool) {
	left := m.left(full).made
	if !left.known || m.p.TextOf == nil || m.paths && m.wroteAny(path.Base(full)) {
		return "", false
	}
	if _, wrote := m.written(full); wrote {
		return "", false
	}
	if slices.ContainsFunc(m.runs, Changes) {
		return "", false
	}
	for i := range m.effects {
		e := &m.effects[i]
		switch {
		case e.Kind == effect.Opaque, e.Kind == effect.Spawn && e.Op != effect.OpRun && e.Program != "source":
			return "", false // it may have changed any
		case e.Kind != effect.Write && e.Kind != effect.Delete:
		case mark.Under(full, e.Resource) && e.Program != "mkdir", mark.Under(e.Resource, full), strings.ContainsAny(e.Resource, "*?[…"):
			return "", false
		}
	}
	now, seen := m.p.TextOf(full)
	return now, seen && now == left.text && Constants(now)
}

// surely says whether a file that the line wrote holds that where it is taken in: it was written however the line
// went, and nothing since may have changed it.
func (ownConstants) surely(m *machine, full string, f *file) bool {
	if f.maybe || slices.ContainsFunc(m.runs[min(f.at[1], len(m.runs)):], Changes) || len(m.moves) > 0 {
		return false
	}
	for i := min(f.at[0], len(m.effects)); i < len(m.effects); i++ {
		e := &m.effects[i]
		switch {
		case e.Kind == effect.Opaque, e.Kind == effect.Spawn && e.Program != "source" && (e.Op != effect.OpRun || !keeps.Program(e.Program, keeps.Modules)):
			return false
		case e.Kind != effect.Write && e.Kind != effect.Delete:
		case e.Resource != full && mark.Under(full, e.Resource) && e.Program != "mkdir", strings.ContainsAny(e.Resource, "*?[…"):
			return false
		}
	}
	return true
}

// forget takes for unknown what a line took from a file that may hold other values now than a text says.
func (ownConstants) forget(m *machine, text string) {
	for line := range strings.Lines(text) {
		if name, _, ok := cutAt(trimPrefix(line, "export "), "="); ok {
			if _, bound := m.lookup(name); bound {
				m.assign(name, unknown.text)
			}
		}
	}
}

// Changes says whether a run may change files that its effects do not name: git brings in another tree.
func Changes(r effect.Run) bool {
	return len(r.Words) > 0 && isAmong([]string{"git", "gh", "hg", "jj"}, path.Base(r.Words[0])) && (len(r.Words) < 2 || !keeps.Git(r.Words[1], keeps.GitTree))
}

// Constants says whether a text is a file of variables with nothing but constants.
func Constants(text string) bool {
	return text != "" && !slices.ContainsFunc(strings.Split(text, "\n"), func(l string) bool { return !plainVariable.MatchString(l) })
}

// wordVariable is a line of a file of variables that stays what it is as a word of the shell.
var wordVariable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=[A-Za-z0-9_./:@%+,=&-]*$`)

// exported is what export does with a word that is no assignment as it stands: those of a file of constants that the
// session spelled out, $(cat F) and $(grep -v '^#' F), also with xargs behind them, and several that a substitution
// makes. done is false for another one, with its value.
func (o ownConstants) exported(m *machine, w *syntax.Word) (value string, done bool) {
	if text, ok := o.words(m, w); ok {
		m.source(text, data{})
		return "", true
	}
	value = m.value(w)
	if len(w.Parts) != 1 || !isSubst(w.Parts[0]) || !strings.ContainsAny(value, " \t\n") {
		return value, false
	}
	for _, v := range strings.Fields(value) {
		n, val, ok := cutAt(v, "=")
		if m.varName(n); ok {
			m.exported(n, val)
			m.assign(n, val)
		}
	}
	m.arithText(value)
	return value, true
}

// words are the lines by which a shell exports what the words of such a file are.
func (o ownConstants) words(m *machine, w *syntax.Word) (text string, ok bool) {
	named, comments := fileOfWords(w)
	if named == nil {
		return "", false
	}
	full := m.p.Resolve(m.cwd, m.value(named))
	held, ok := o.constants(m, full)
	if f, wrote := m.written(full); wrote { // surely, where what wrote it has ended well
		held, ok = f.text, f.known && !f.net && m.done > 0 && slices.ContainsFunc(m.files[m.done-1:], func(w file) bool { return w.path == full })
	}
	if !ok {
		return "", false
	}
	return exportedLines(held, comments)
}

// exportedLines are the lines by which a shell exports what such words are.
func exportedLines(held string, comments bool) (text string, ok bool) {
	for line := range strings.Lines(held) {
		line = trimSuffix(line, "\n")
		switch {
		case wordVariable.MatchString(line):
			text += "export " + line + "\n"
		case strings.TrimSpace(line) != "" && !(comments && line[0] == '#'):
			return "", false
		}
	}
	return text, true
}

// fileOfWords is the file whose words a substitution is; comments says that lines of comments are left out.
func fileOfWords(w *syntax.Word) (file *syntax.Word, comments bool) {
	if len(w.Parts) != 1 {
		return nil, false
	}
	sub, ok := w.Parts[0].(*syntax.CmdSubst)
	if !ok || len(sub.Stmts) != 1 || !bareStmt(sub.Stmts[0]) {
		return nil, false
	}
	cmd := sub.Stmts[0].Cmd
	if b, ok := cmd.(*syntax.BinaryCmd); ok {
		y, ok := b.Y.Cmd.(*syntax.CallExpr)
		if !ok || b.Op != syntax.Pipe || !bareStmt(b.X) || !bareStmt(b.Y) || len(y.Assigns) > 0 || len(y.Args) != 1 || y.Args[0].Lit() != "xargs" {
			return nil, false
		}
		cmd = b.X.Cmd
	}
	c, ok := cmd.(*syntax.CallExpr)
	if !ok || len(c.Assigns) > 0 {
		return nil, false
	}
	switch len(c.Args) {
	case 2:
		if c.Args[0].Lit() == "cat" {
			return c.Args[1], false
		}
	case 4:
		if pattern, ok := plainWord(c.Args[2]); ok && pattern == "^#" && c.Args[0].Lit() == "grep" && c.Args[1].Lit() == "-v" {
			return c.Args[3], true
		}
	}
	return nil, false
}

// bareStmt says whether a statement is its command and nothing else.
func bareStmt(s *syntax.Stmt) bool {
	return !s.Background && !s.Negated && !s.Coprocess && !s.Disown && len(s.Redirs) == 0
}
