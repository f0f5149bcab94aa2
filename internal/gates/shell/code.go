package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// code judges inline code by its tokens: names that reach the system, and
// constant strings that are paths or URLs. It does not run the code: a name on
// the language's list makes it an escape, and a language without a list is one.
func (m *machine) code(lang, text string, in data, want bool) data {
	lang = strings.TrimRight(lang, "0123456789.-")
	m.printsEnviron(text)
	switch lang {
	case "sh", "bash", "dash", "zsh", "ksh", "ash", "source":
		return m.sourceOut(text, in, want)
	case "awk", "gawk", "mawk":
		m.awkProgram(text)
		return unknown
	case "sed":
		m.sedScript(text)
		return unknown
	case "nodejs":
		lang = "node"
	}
	if !m.alone {
		m.handed(lang, text)
	}
	if lang == "php" && m.asksComposer(text) {
		return unknown
	}
	d := dialectOf(lang)
	if d == nil {
		m.escape("inline code of " + lang)
		return unknown
	}
	if mark.Has(text) {
		text = plain(text)
	}
	if firstByte(text, mark.Unknown) >= 0 {
		m.opaque(effect.OpComputed, "computed code for "+lang)
		return unknown
	}
	if len(m.files) > 0 && (strings.Contains(text, "import") || strings.Contains(text, "require")) {
		m.judgeWritten(false)
	}
	given := len(m.starts)
	if m.p.Words != nil {
		text = m.p.Words(m, lang, text)
	}
	text = m.inOtherWords(lang, m.withReads(lang, m.withOwn(lang, text)))
	start, linked := len(m.effects), m.linked
	m.exhausts(text)
	s := scanner{m: m, d: d, text: text, fs: lang == "node" && strings.Contains(text, "fs") && fsOnly(text)}
	if lang == "python" {
		s.path = strings.Contains(text, "sys.path")
		if s.py = m.readPython(text); s.py != nil {
			s.py.touches()
		}
		m.linked = linked // what it starts may be code, too
	}
	if lang == "node" && s.fs {
		if s.node = m.readNode(text); s.node != nil {
			s.node.touches()
		}
	}
	s.still = lang == "node" && s.nodeStill(text)
	s.scan(text)
	if d.regex && !d.quotesCertain(text) || d.hidesQuotes(text) {
		s.names(text)
	}
	if !m.asks(start) {
		m.allow(d, text, s.py)
	}
	s.settle(start)
	m.startsLate(given)
	if linked != nil && linked.asked(text) {
		return unknown
	}
	m.spawn(effect.OpRunCode, lang)
	return unknown
}

// quotesCertain says whether quotes in code can only start and end strings: it
// has no regular expression, no other form of literal, and no quote that belongs
// to a name or a variable.
func (d *dialect) quotesCertain(text string) bool {
	if d.name == "lua" {
		return !strings.Contains(text, "[[") && !strings.Contains(text, "[=") && !strings.Contains(text, "--")
	}
	node := d.name == "node"
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '/', !node && firstByte("%?`=<#", c) >= 0:
			return false
		case firstByte(d.quotes, c) >= 0:
			if !node && i > 0 && (firstByte("$@&:", text[i-1]) >= 0 || isNameByte(text[i-1]) && !printsBefore(text[:i])) {
				return false
			}
			n, ok := d.literal(text, i, 0, nil)
			if !ok {
				return false
			}
			i += n
		case isNameByte(c):
			n := nameLen(text[i:])
			switch text[i : i+n] {
			case "q", "qq", "qw", "qx", "qr", "m", "s", "tr", "y", "__END__", "__DATA__":
				if !node {
					return false
				}
			}
			i += n
		default:
			i++
		}
	}
	return true
}

// printsBefore says whether text ends with a word that takes a string.
func printsBefore(text string) bool {
	return strings.HasSuffix(text, "print") || strings.HasSuffix(text, "puts") || strings.HasSuffix(text, "say")
}

// dialect is what the scanner knows of a language.
type dialect struct {
	name     string
	comment  string // starts of line comments: '#', '/' for //, '-' for --
	quotes   string // string delimiters
	format   bool   // strings may hold code: f"{...}", `${...}`, "#{...}"
	denied   string // names that reach the system, sorted, blank-separated
	runs     string // functions whose constant argument is a command line, blank-separated
	deniedAt string // characters and pairs that run commands, blank-separated
	names    bool   // dollar signs start variables (perl, php)
	regex    bool   // quotes may stand inside other literals, see names
}

//go:noinline
func dialectOf(name string) *dialect {
	for i := range dialects {
		if dialects[i].name == name {
			return &dialects[i]
		}
	}
	return nil
}

type scanner struct {
	m     *machine
	d     *dialect
	text  string
	prev  string // the last name
	prev2 string
	depth int
	named bool // names has run over all of it
	path  bool // the code of python may change where modules come from
	fs    bool // the code of node uses fs in plain sight only, see fsOnly
	py    *pyReader
	node  *nodeReader
	still bool     // no constant is a path, see nodeStill
	held  []string // constants that count only if the code asks
}

// top says whether a text is all of the code and no part of it.
func (s *scanner) top(text string) bool { return len(text) == len(s.text) }

// nodeFs judges the names of code that uses fs in plain sight.
func (s *scanner) nodeFs(w, rest string) bool {
	switch _, ok := nodeFile(w); {
	case ok && (s.prev == "fs" || s.prev == "require"):
		s.nodePath(w, rest)
		return true
	case w == "fs":
		return true
	case w == "require":
		mod, _, ok := required(rest)
		return ok && (mod == "fs" || mod == "node:fs")
	}
	return false
}

func (s *scanner) scan(text string) {
	if s.depth++; s.depth > 8 {
		s.m.opaque(effect.OpUnparsed, "code nested in strings")
		return
	}
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '#' && firstByte(s.d.comment, '#') >= 0 && !(s.d.names && i > 0 && text[i-1] == '$') && !(s.d.name == "php" && strings.HasPrefix(text[i:], "#[")):
			i = skipLine(text, i)
		case c == '/' && firstByte(s.d.comment, '/') >= 0 && strings.HasPrefix(text[i:], "//"):
			i = skipLine(text, i)
		case c == '-' && firstByte(s.d.comment, '-') >= 0 && strings.HasPrefix(text[i:], "--") && !strings.HasPrefix(text[i:], "--[["):
			i = skipLine(text, i)
		case firstByte(s.d.quotes, c) >= 0:
			i += s.string(text, i)
		case c >= 0x80:
			s.m.escape("inline code with names outside ASCII")
			i++
			for i < len(text) && text[i] >= 0x80 {
				i++
			}
		case isNameByte(c):
			n := nameLen(text[i:])
			s.name(text, i, i+n)
			i += n
		default:
			s.mark(text, i)
			i++
		}
	}
	s.depth--
}

// names looks at every name, also in strings and comments: where regular
// expressions and other literals may hold an odd quote, a scan that honours
// quotes can be led to take code for a string.
func (s *scanner) names(text string) {
	if s.named {
		return
	}
	s.named = true
	s.prev, s.prev2 = "", ""
	for i := 0; i < len(text); {
		if !isNameByte(text[i]) {
			s.mark(text, i)
			i++
			continue
		}
		n := nameLen(text[i:])
		s.name(text, i, i+n)
		i += n
	}
}

//go:noinline
func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= '0' && c <= '9'
}

// nameLen is the length of the name that a text begins with. Not inlined, for the size of programs.
//
//go:noinline
func nameLen(s string) int {
	n := 0
	for n < len(s) && isNameByte(s[n]) {
		n++
	}
	return n
}

func (s *scanner) mark(text string, i int) {
	for _, d := range strings.Fields(s.d.deniedAt) {
		if strings.HasPrefix(text[i:], d) {
			s.m.escape("inline code of " + s.d.name + " uses " + d)
		}
	}
	if s.d.name == "node" && strings.HasPrefix(text[i:], "](") && i > 0 && isNameByte(text[i-1]) && (text[i-1] < '0' || text[i-1] > '9') {
		s.m.escape("inline code of node calls what a variable names")
	}
	if c := text[i]; c == ';' || c == '\n' {
		s.prev, s.prev2 = "", ""
	}
}

func (s *scanner) name(text string, from, to int) {
	w := text[from:to]
	defer func() { s.prev2, s.prev = s.prev, w }()
	if s.depth == 1 && s.py.knows(from) {
		return
	}
	if s.d.names && from > 0 && text[from-1] == '$' {
		if s.d.name == "php" && strings.HasPrefix(strings.TrimLeft(text[to:], " "), "(") {
			s.m.escape("inline code calls a function by a variable")
		}
		if s.d.name == "perl" && w == "ENV" {
			s.perlEnviron(text[to:])
			return
		}
		if !mark.Among(s.d.denied, "$"+strings.ToLower(w)) {
			return
		}
	}
	if s.depth == 1 && bringsPlainly(s.d.name, w, text[to:]) {
		return
	}
	if w == "open" && s.d.name != "node" && s.d.name != "lua" {
		s.open(text[to:])
		return
	}
	if s.d.name == "python" && (s.prev == "def" || s.pythonName(text, from, to)) {
		return // a name that is given to something does nothing
	}
	if s.d.name == "node" && s.fs && (s.top(text) && s.node.knows(from) || s.nodeFs(w, text[to:])) {
		return
	}
	key := w
	if s.d.name == "php" {
		key = strings.ToLower(w)
	}
	if s.d.names && from > 0 && text[from-1] == '$' {
		key = "$" + strings.ToLower(w)
	}
	if !mark.Among(s.d.denied, key) || s.d.name == "node" && s.nodeName(w, text[to:]) {
		return
	}
	at := from
	if s.depth > 1 || s.d.name != "python" {
		at = -1
	}
	s.m.escape("inline code of " + s.d.name + " uses " + w + s.m.sourceOf(text, at))
	if strings.Contains(" "+s.d.runs+" ", " "+w+" ") {
		if line, ok := s.firstString(text[to:]); ok {
			s.m.source(line, unknown)
		}
	}
}

// pythonName lets attributes through that share a name with a system call but
// belong to other types: str.replace, list.remove, re.compile.
func (s *scanner) pythonName(text string, from, to int) bool {
	w := text[from:to]
	dotted := from > 0 && text[from-1] == '.'
	switch w {
	case "remove", "rename", "replace", "kill", "link", "abort", "chmod":
		return dotted && s.prev != "os" && s.prev != "shutil" && !strings.Contains(s.text, "pathlib") && !strings.Contains(s.text, "import os as") && !strings.Contains(s.text, "from os")
	case "compile":
		return dotted && s.prev == "re"
	case "invoke": // click's and typer's runner of a command whose code stands in the text
		return dotted && s.m.linked != nil && strings.Contains(s.text, "CliRunner")
	case "run":
		if s.prev == "profile" || s.prev == "Trace" {
			s.m.escape("inline code of python runs code in a string")
		}
	case "docker", "kubernetes", "pip", "pwn", "sh", "wget":
		if s.prev == "import" || s.prev == "from" {
			s.m.escape("inline code of python imports " + w)
		}
	case "environ", "getenv":
		if names.SecretVariable(text[to:min(len(text), to+60)]) || w == "environ" && s.wholeEnviron(text[to:]) {
			s.m.environ("environ")
		}
		return true
	case "load", "loads":
		return hasWord("json plistlib toml tomllib", s.prev)
	}
	return false
}

// wholeEnviron says whether os.environ is used as a whole, or by a name that is
// not constant. Looping over it and membership give names only.
func (s *scanner) wholeEnviron(rest string) bool {
	rest = strings.TrimLeft(rest, " ")
	before := s.prev
	if before == "os" {
		before = s.prev2
	}
	switch {
	case before == "import":
		return strings.HasPrefix(rest, "as ")
	case before == "in":
		return strings.HasPrefix(rest, ".")
	case rest == "":
		return true
	case rest[0] == '[':
		_, ok := s.firstString(rest)
		return !ok
	case strings.HasPrefix(rest, ".get("), strings.HasPrefix(rest, ".pop("), strings.HasPrefix(rest, ".setdefault("):
		_, ok := s.firstString(rest[firstByte(rest, '('):])
		return !ok
	case strings.HasPrefix(rest, ".keys("), strings.HasPrefix(rest, ".update("):
		return false
	}
	return true
}

// perlEnviron judges $ENV{NAME}: a secret, or a name that is not constant.
func (s *scanner) perlEnviron(rest string) {
	name := strings.TrimLeft(trimPrefix(rest, "{"), "\"'")
	n := nameLen(name)
	if n == 0 || names.SecretVariable(name[:n]) {
		s.m.environ("%ENV")
	}
}

// nodeReads are members of process that only tell something, and nodeModules
// are modules of Node.js that only compute. Both sorted.
var (
	nodeReads   = "arch argv cwd exit exitCode hrtime memoryUsage nextTick pid platform release stderr stdout title uptime version versions"
	nodeModules = "assert buffer crypto events node:assert node:crypto node:path node:url node:util path querystring semver string_decoder url util"
)

// nodeName lets process.version and require of a file of the workspace or of a
// computing module through.
func (s *scanner) nodeName(w, rest string) bool {
	switch w {
	case "process":
		rest = strings.TrimLeft(rest, " ")
		if !strings.HasPrefix(rest, ".") {
			return false
		}
		return mark.Among(nodeReads, rest[1:1+nameLen(rest[1:])])
	case "require":
		mod, ok := s.firstString(rest)
		return ok && (requirable(mod) || s.m.requiresData(mod))
	case "atob", "fromCharCode", "fromCodePoint":
		return !strings.Contains(s.text, "./") // what only computes makes nothing of a text that it could not make anyhow
	case "exec":
		return strings.HasPrefix(rest, "(") && s.prev != "child_process" && !strings.Contains(s.text, "child_process") && strings.Contains(s.text, "/.exec(")
	}
	return false
}

// firstString returns the constant first argument of a call.
func (s *scanner) firstString(rest string) (string, bool) {
	rest = strings.TrimLeft(rest, " \t([")
	if rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return "", false
	}
	v, n := quotedString(rest, rest[0])
	after := strings.TrimLeft(rest[n:], " \t\n")
	if after != "" && firstByte(",)];}", after[0]) < 0 {
		return "", false // "a" + b, "a" "b", "a" % b, "a".f()
	}
	return v, true
}

// open judges a call of open by its constant arguments.
func (s *scanner) open(rest string) {
	if s.prev == "def" || s.d.name == "node" {
		return
	}
	body := strings.TrimLeft(rest, " \t")
	if s.d.name == "perl" || s.d.name == "ruby" || s.d.name == "php" {
		s.m.escape("inline code of " + s.d.name + " opens files")
		return
	}
	if !strings.HasPrefix(body, "(") {
		return
	}
	path, ok := s.firstString(body)
	end := firstByte(body, ')')
	call := body
	if end > 0 {
		call = body[:end]
	}
	write := false
	for _, q := range []string{`"w`, `'w`, `"a`, `'a`, `"x`, `'x`, `+"`, `+'`, `"r+`, `'r+`, `+b`} {
		i := strings.LastIndex(call, q)
		write = write || i > 0 && lastByte(call[:i], ',') >= 0
	}
	switch {
	case !ok && write:
		s.m.write(unknown.text, effect.OpCreate)
	case !ok:
		s.m.read(unknown.text)
	case write:
		s.m.write(path, effect.OpCreate)
	default:
		s.m.read(path)
	}
}

// string judges a constant string, scans the code in it, and returns its length.
// Where its end is not plain, every name of the text counts.
func (s *scanner) string(text string, i int) int {
	q := text[i]
	runs := false
	n, ok := s.d.literal(text, i, 0, func(code string) { runs = true; s.scan(code) })
	if !ok && s.d.coded(text, i) || s.d.name == "perl" && q == '"' && perlSubscript(text[i:i+n]) {
		prev, prev2 := s.prev, s.prev2
		s.names(s.text)
		s.prev, s.prev2 = prev, prev2
	}
	if runs {
		return n
	}
	if s.d.name == "python" && strings.HasPrefix(text[i:], strings.Repeat(string(rune(q)), 3)) {
		s.hold(i, trimSuffix(text[min(i+3, len(text)):i+n], text[i:i+3]))
		return n
	}
	v, _ := quotedString(text[i:i+n], q)
	s.reached(text, i, v)
	if s.d.name == "php" && strings.HasPrefix(strings.TrimLeft(text[i+n:], " )"), "(") {
		s.m.escape("inline code calls a function by a string")
	}
	s.hold(i, v)
	if s.d.name == "python" && strings.HasPrefix(v, "/") && s.path {
		if z, _, _ := s.m.p.Where(s.m.p.Resolve(s.m.cwd, v)); z != effect.ZoneWorkspace {
			s.m.escape("inline code of python imports from " + v)
		}
	}
	return n
}
