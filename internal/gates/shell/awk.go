package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// awkOptions are those of gawk(1) and of mawk(1), which has -W.
var awkOptions = getopt{
	valued: "FfveEilW", attached: "dDpoL", first: true, apart: true,
	longs: "assign= bignum characters-as-bytes copyright csv debug? dump-variables? exec= field-separator= file= gen-pot help include= lint? lint-old load= no-optimize non-decimal-data optimize posix pretty-print? profile? re-interval sandbox source= traditional trace use-lc-numeric version",
}

// awk runs awk(1): programs may run commands (system, pipes), read and write
// files and open connections (gawk manual, 4.10, 5.6, 12.4).
func (m *machine) awk(args []string, in data, want bool) data {
	m.spawn(effect.OpRun, m.prog)
	opts, rest := awkOptions.read(args)
	given, library, inPlace := false, false, false
	for _, o := range opts {
		if awkDoubtful(&o) {
			m.escape("awk " + o.word)
		}
		switch o.name {
		case "f", "file", "E", "exec":
			m.awkFile(o.value)
			given = true
		case "i", "include": // a library: the program itself is still to come
			m.awkFile(o.value)
			library = true
			inPlace = inPlace || strings.HasPrefix(o.value, "inplace")
		case "e", "source":
			m.awkProgram(o.value)
			given = true
		case "l", "load", "D", "debug", "W", "p", "profile", "o", "pretty-print", "d", "dump-variables":
			m.escape("awk " + o.name + " " + o.value) // loads code, or writes a file
		case "":
			m.opaque(effect.OpComputed, "computed option of awk")
		}
	}
	if !given && len(rest) > 0 {
		m.awkProgram(rest[0])
		if library {
			m.read(rest[0]) // an awk without -i took the library for the program
		}
		rest = rest[1:]
	}
	for _, f := range rest {
		if j := firstByte(f, '='); j <= 0 || firstByte(f[:j], '/') >= 0 {
			m.read(f)
			if inPlace {
				m.write(f, effect.OpModify)
			}
		}
	}
	if want && !in.tty && strings.Contains(in.text, "\x01") && !strings.Contains(in.text, "\x00") {
		return data{text: "\x01"}
	}
	return unknown
}

// awkDoubtful says whether each awk reads an option in a way of its own: letters
// that stand together, a long name cut short, and code behind its letter. One
// skips the word and takes the next for the program.
func awkDoubtful(o *option) bool {
	if strings.HasPrefix(o.word, "--") {
		return !strings.HasPrefix(o.word, "--"+o.name)
	}
	return len(o.name) > 1 || o.word != "-"+o.name && (o.name == "e" || o.name == "E")
}

func (m *machine) awkFile(word string) {
	m.programFile(word, m.contents(word), m.awkProgram)
}

// programFile evaluates a file of the line's own, with d in it, by which a program is told what to
// do, and asks about any other.
func (m *machine) programFile(word string, d data, evaluate func(text string)) {
	if m.isInput(word) {
		d = m.inputText(word)
	}
	if text := d.best(); text.known {
		evaluate(text.text)
	}
	if !d.known() {
		m.settings(word)
		m.runsProgram(word)
	}
}

// maxParens bounds the parentheses that are open at a time.
const maxParens = 64

// awkProgram judges a program: what its text says as a whole, and its tokens.
func (m *machine) awkProgram(text string) {
	m.printsEnviron(text)
	m.exhausts(text)
	text = plain(text)
	if firstByte(text, mark.Unknown) >= 0 {
		m.opaque(effect.OpComputed, "computed awk program")
		return
	}
	if strings.Contains(text, "system") && !awkCertain(text) {
		m.escape("awk system") // also where an odd quote in a pattern hides it, or it is called by its name (gawk manual, 9.3)
	}
	if names, ok := variableNames(text, "ENVIRON[\""); !ok || secretAmong(names) {
		m.environ("ENVIRON")
	}
	m.awkTokens(text)
}

// awkTokens scans a program's tokens for what reaches outside.
func (m *machine) awkTokens(text string) {
	operand := false  // the last token was an operand: a slash divides
	printing := false // inside print or printf: > redirects
	before := ""      // the last token where that was a name
	alone := ""       // the last token where that was a string with nothing put before it
	var conditions [maxParens]bool
	parens, prints := 0, 0 // open now, and where the last print began
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == ' ' || c == '\t' || c == '\\':
			i++
			continue
		case c == '(' && parens == maxParens:
			m.escape("awk program nested too deeply")
			return
		case c == '(':
			conditions[parens] = before == "if" || before == "while" || before == "for"
			parens++
			operand = false
			i++
		case c == ')':
			parens = max(parens-1, 0)
			operand = !conditions[parens] // a pattern may follow the condition of an if
			i++
		case operand && (strings.HasPrefix(text[i:], "++") || strings.HasPrefix(text[i:], "--")):
			i += 2
		case c == '\n' || c == ';' || c == '{' || c == '}' || c == ',':
			operand = false
			printing = printing && c == ','
			i++
		case c == '#':
			i = skipLine(text, i)
		case c == '"':
			s, n := quotedString(text[i:], '"')
			m.awkString(s)
			i += n
			if alone = ""; !operand && !printing && before == "" {
				alone = s
			}
			operand, before = true, ""
			continue
		case c == '/' && !operand:
			i += max(regexLen(text[i:]), 1)
			operand = true
		case isWordByte(c):
			n := wordLen(text[i:])
			operand = m.awkWord(text[i:i+n], text[i+n:], text)
			if w := text[i : i+n]; w == "print" || w == "printf" {
				printing, prints = true, parens
			}
			before, alone = text[i:i+n], ""
			i += n
			continue
		case c == '|':
			if rest := strings.TrimLeft(trimPrefix(text[i:], "|"), " \t"); alone != "" && strings.HasPrefix(rest, "getline") && wordLen(rest) == len("getline") {
				m.awkRuns("awk pipe", alone, text, unknown) // reads what awk itself reads
				i++
				operand = false
				break
			}
			i += m.awkBar(text[i:], text)
			operand = false
		case c == '>' && printing && parens <= prints: // compares in parentheses
			i += m.awkRedirect(text[i:])
			operand = false
		default:
			operand = c == ']'
			i++
		}
		before, alone = "", ""
	}
}

// awkRuns judges a command that a program starts: one that is all constant as the line of the
// shell that it is, any other asks. Changes of ENVIRON are handed on (gawk manual, 7.5.2).
func (m *machine) awkRuns(what, line, program string, in data) {
	if line == "" || strings.Contains(program, "ENVIRON") || !awkCertain(program) { // an odd quote in a pattern may hide what it is
		m.escapeLine(what, line)
		return
	}
	m.child(func() { m.run([]string{"sh", "-c", line}, in, false) })
}

// child runs what a program starts by itself: functions and aliases of the line's shell are none
// of its.
func (m *machine) child(f func()) {
	funcs, aliases, k := m.funcs, m.aliases, m.save()
	m.funcs, m.aliases = nil, nil
	m.doubt(true, func() data { return m.hold(true, func() data { f(); return unknown }) })
	m.vars, m.cwd, m.ifs = m.vars[:k.vars], k.cwd, k.ifs
	m.funcs, m.aliases = funcs, aliases
}

//go:noinline
func skipLine(text string, i int) int {
	for i < len(text) && text[i] != '\n' {
		i++
	}
	return i
}

// quotedString reads a string with backslash escapes from its opening quote
// and returns its value and length.
func quotedString(text string, quote byte) (string, int) {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			return ansiC(text[1:i]), i + 1
		}
	}
	return ansiC(text[1:]), len(text)
}

// regexLen is the length of the pattern between slashes that a text begins with, 0 if it does not
// end in its line.
func regexLen(text string) int {
	class := false
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '\n':
			return 0
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			return i + 1
		}
	}
	return 0
}

//go:noinline
func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c == '@' || c == '.'
}

func wordLen(text string) int {
	n := 0
	for n < len(text) && isWordByte(text[n]) {
		n++
	}
	return n
}

// awkWord judges a name and reports whether it is an operand.
func (m *machine) awkWord(w, rest, program string) bool {
	switch w {
	case "system":
		arg := strings.TrimLeft(rest, " \t(")
		line, whole := awkConstant(arg)
		if !whole {
			m.escapeLine("awk system", line)
			break
		}
		m.awkRuns("awk system", line, program, unknown)
	case "getline":
		if r := strings.TrimLeft(rest, " \tabcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$[]"); strings.HasPrefix(r, "<") {
			m.awkRead(strings.TrimLeft(r[1:], " \t("))
		}
	case "@load", "@include", "@namespace", "extension":
		m.escape("awk " + w)
	case "ENVIRON":
		if names.SecretVariable(rest[:min(len(rest), 40)]) {
			m.record(effect.Effect{Kind: effect.Read, Op: effect.OpEnv, Zone: effect.ZoneCaller, Sensitive: true, Resource: "ENVIRON"})
		}
	case "print", "printf", "return", "in", "if", "else", "while", "do", "for":
		return false
	}
	if strings.HasPrefix(w, "@") && w != "@load" && w != "@include" {
		m.escape("awk indirect call " + w)
	}
	return true
}

func (m *machine) awkRead(arg string) {
	if strings.HasPrefix(arg, `"`) {
		s, _ := quotedString(arg, '"')
		m.read(s)
		return
	}
	m.read(unknown.text)
}

func (m *machine) awkString(s string) {
	if strings.HasPrefix(s, "/inet") {
		m.record(effect.Effect{Kind: effect.Network, Op: effect.OpConnect, Resource: s})
	}
}

// awkConstant is the string at the beginning of what stands behind a call or a bar; whole says
// that nothing is put to it.
func awkConstant(arg string) (line string, whole bool) {
	if !strings.HasPrefix(arg, `"`) {
		return "", false
	}
	line, n := quotedString(arg, '"')
	after := strings.TrimLeft(arg[n:], " \t)") // what follows a parenthesis is put behind it, too
	return line, after == "" || firstByte(";}\n", after[0]) >= 0
}

// awkBar judges | and |&: a pipe to or from a command, but not ||.
func (m *machine) awkBar(text, program string) int {
	if strings.HasPrefix(text, "||") {
		return 2
	}
	n := 1
	if strings.HasPrefix(text, "|&") {
		n = 2
	}
	arg := strings.TrimLeft(text[n:], " \t(")
	line, whole := awkConstant(arg)
	if whole && n == 1 {
		m.awkRuns("awk pipe", line, program, unknown)
		return n
	}
	if !whole {
		line += unknown.text // something is put behind it
	}
	switch line {
	case "sort", "cat", "cat 1>&2", "cat >&2", "sort -n", "sort -rn", "sort -nr", "sort -u":
		return n
	}
	m.escapeLine("awk pipe", line)
	return n
}

// awkRedirect judges > and >> after print: to a constant name or to one that is
// made up as the program runs.
func (m *machine) awkRedirect(text string) int {
	n := 1
	if strings.HasPrefix(text, ">>") {
		n = 2
	}
	arg := strings.TrimLeft(text[n:], " \t(")
	if !strings.HasPrefix(arg, `"`) {
		m.write(unknown.text, effect.OpCreate)
		return n
	}
	s, used := quotedString(arg, '"')
	after := strings.TrimLeft(arg[used:], " \t")
	if after != "" && firstByte(";}\n)", after[0]) < 0 {
		s += unknown.text
	}
	m.write(s, effect.OpCreate)
	return n
}
