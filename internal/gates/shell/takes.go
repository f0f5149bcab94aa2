package shell

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about variables that a line takes from a file: what they say nobody knows, so an
// address that one of them names is any.

// plainVariable is a line of such a file that says what its variable is: a constant.
var plainVariable = regexp.MustCompile(`^(?:(?:export )?[A-Za-z_][A-Za-z0-9_]*=(?:[A-Za-z0-9_./:@%+,?&=-]*|"[A-Za-z0-9_./:@%+,?&= -]*"|'[^']*')|\s*#.*|\s*)$`)

// takes notes that the line takes variables from a file. Those of one that git holds, that is as it was
// before the session and that has nothing but constants are known.
func (m *machine) takes(full string, in data) {
	if strings.HasSuffix(full, "/bin/activate") { // of a virtual environment
		return
	}
	if m.p.Tracked != nil && m.p.SettledText != nil && m.settled(full) && m.p.Tracked(full) {
		text := m.p.SettledText(full)
		if Constants(text) {
			m.source(text, in)
			return
		}
	}
	if text, ok := m.ownConstants(full); ok {
		m.source(text, in)
		return
	}
	for line := range strings.Lines(m.left(full).made.text) { // what it was says no more
		if name, _, ok := cutAt(strings.TrimPrefix(line, "export "), "="); ok {
			if _, bound := m.lookup(name); bound {
				m.assign(name, unknown.text)
			}
		}
	}
	m.took = full
}

// ownConstants is what a file holds that an earlier call spelled out, where the host sees that it still holds
// that, nothing of the line may have changed it, and it has nothing but constants.
func (m *machine) ownConstants(full string) (text string, ok bool) {
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

// keepingTree are subcommands of git that leave the files of a work tree as they are (git(1)).
var keepingTree = [...]string{"add", "branch", "commit", "diff", "fetch", "log", "ls-files", "push", "remote", "rev-parse", "show", "status", "tag"}

// Changes says whether a run may change files that its effects do not name: git brings in another tree.
func Changes(r effect.Run) bool {
	return len(r.Words) > 0 && isAmong([]string{"git", "gh", "hg", "jj"}, path.Base(r.Words[0])) && (len(r.Words) < 2 || !slices.Contains(keepingTree[:], r.Words[1]))
}

// Constants says whether a text is a file of variables with nothing but constants.
func Constants(text string) bool {
	return text != "" && !slices.ContainsFunc(strings.Split(text, "\n"), func(l string) bool { return !plainVariable.MatchString(l) })
}

// wordsOf are the words that a substitution without quotes around it makes of its text.
func wordsOf(w *syntax.Word, text string) []string {
	if len(w.Parts) == 1 && isSubst(w.Parts[0]) && strings.ContainsAny(text, " \t\n") {
		return strings.Fields(text)
	}
	return []string{text}
}

// wordVariable is a line of a file of variables that stays what it is as a word of the shell.
var wordVariable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=[A-Za-z0-9_./:@%+,=&-]*$`)

// exportedFile is what export does with the words of a file of constants that the session spelled out:
// $(cat F) and $(grep -v '^#' F), also with xargs behind them.
func (m *machine) exportedFile(w *syntax.Word) (text string, ok bool) {
	named, comments := fileOfWords(w)
	if named == nil {
		return "", false
	}
	full := m.p.Resolve(m.cwd, m.value(named))
	held, ok := m.ownConstants(full)
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
		line = strings.TrimSuffix(line, "\n")
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

// othersFile says whether a file of variables is, by its name, not that of development and tests, as
// .env, .env.local and dev.env are: one of variables with another word, or one that names production.
func othersFile(file string) bool {
	words := strings.FieldsFunc(strings.ToLower(path.Base(file)), separates)
	odd := mark.Has(file) || slices.ContainsFunc(words, func(w string) bool {
		return !developing(w) && !hasWord("env envrc sh bash zsh example sample default defaults", w)
	})
	return odd && ContainsAny(words, "env", "envrc", "live", "prod", "production", "release", "remote", "staging")
}
