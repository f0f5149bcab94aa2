package gates

import (
	"path"
	"slices"
	"sort"
	"strings"
)

// This file says, for people, where in a file of the session's the first thing stands that keeps
// it from running unasked.

// FirstDoubt is the first line of a file of a project's language that worksDaily objects to,
// counted from 1, and what it may do. The line is 0 where nobody knows what the file holds, in
// other languages, and where it is not one line that is objected to.
func (c *Context) FirstDoubt(file string) (line int, what string) {
	f := follower{c: c}
	text, ok := f.text(file)
	lang := languageFrom(file, text)
	if !ok || len(text) > maxPlain || !daily(lang) {
		return 0, ""
	}
	for _, doubt := range [...]struct {
		what string
		bad  func(string) bool
	}{
		{"names your home directory", func(t string) bool { return mentionsHome(withoutSetHome(t)) }},
		{"makes code out of text", func(t string) bool { return makesCode(lang, t) }},
		{"reaches the system by a name that is computed", func(t string) bool { return !reachesPlainly(lang, t) }},
		{"starts a program that gbt would ask about or cannot see", func(t string) bool { return !c.startsPlainly(lang, t) }},
		{"may speak to another machine", func(t string) bool { return !speaksHere(lang, t) }},
		{"may delete what it did not make", func(t string) bool { return !deletesPlainly(t) }},
		{"writes a file that something loads unasked", writesGuarded},
	} {
		if n := firstLine(text, doubt.bad); n > 0 && (line == 0 || n < line) {
			line, what = n, doubt.what
		}
	}
	return line, what
}

// firstLine is the line with which a text becomes bad, 0 if it never does.
func firstLine(text string, bad func(string) bool) int {
	if !bad(text) {
		return 0
	}
	lines := strings.SplitAfter(text, "\n")
	return 1 + sort.Search(len(lines)-1, func(n int) bool { return bad(strings.Join(lines[:n+1], "")) })
}

// LineOf is the line of a script's text, counted from 1, in which an effect of it plainly stands: the
// first that starts the program and, if one has it, its next word or what it is done to. 0 if none does.
func LineOf(text string, e *Effect) int {
	words := strings.Fields(e.Argv)
	if len(words) == 0 || words[0] == "" {
		words = []string{e.Program}
	}
	program := path.Base(words[0])
	if program == "." || program == "" || e.Deferred {
		return 0
	}
	next := append(slices.Clone(words[1:min(2, len(words))]), path.Base(e.Resource))
	best := 0
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") || !startsIn(line, program) {
			continue
		}
		if slices.ContainsFunc(next, func(w string) bool { return len(w) > 1 && strings.Contains(line, w) }) {
			return i + 1
		}
		if best == 0 {
			best = i + 1
		}
	}
	return best
}

// startsIn says whether a line of a script starts a program by its name: at its beginning, behind a sign or a
// word of the shell's, or behind a program that starts another one; by a path, where that ends with the name.
func startsIn(line, program string) bool {
	for at := nextWord(line, program, 0); at >= 0; at = nextWord(line, program, at+len(program)) {
		end := at + len(program)
		if end < len(line) && !strings.ContainsRune(" \t;|&)`\"'<>", rune(line[end])) {
			continue
		}
		words := strings.FieldsFunc(line[:at], func(r rune) bool { return r == ' ' || r == '\t' })
		if at > 0 && line[at-1] != ' ' && line[at-1] != '\t' { // the word goes on to the left: a path, or a sign of the shell's
			last := strings.TrimLeft(words[len(words)-1], "\"'")
			if shellSign(last) {
				return true
			}
			if last != "" && (!strings.HasSuffix(last, "/") || strings.Contains(last, "=")) {
				continue
			}
			words = words[:len(words)-1]
		}
		if len(words) == 0 {
			return true
		}
		switch last := words[len(words)-1]; {
		case shellSign(last), strings.HasSuffix(last, ")"):
			return true
		case slices.Contains([]string{"then", "do", "else", "if", "while", "until", "elif", "exec", "env", "nohup", "time", "command", "sudo", "nice", "xargs"}, last):
			return true
		case strings.Contains(last, "=") && !strings.HasPrefix(last, "-"):
			return true // an assignment before it
		}
	}
	return false
}

// shellSign says whether a word ends with a sign behind which a shell starts a program.
func shellSign(word string) bool {
	return word != "" && firstByte(";|&(`{!", word[len(word)-1]) >= 0
}
