package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// sedOptions are those of sed(1). What skips a check stands last: a name cut
// short is never taken for it.
var sedOptions = getopt{
	valued: "efl", attached: "i",
	longs: "binary debug expression= file= follow-symlinks help in-place? line-length= null-data posix quiet regexp-extended separate silent unbuffered version zero-terminated sandbox",
}

// sed runs sed(1): scripts may run commands (e, s///e), read (r, R) and write
// (w, W, s///w) files; -i changes the operands (GNU sed manual, 3-4).
func (m *machine) sed(args []string, in data, want bool) data {
	m.spawn(effect.OpRun, "sed")
	opts, files := sedOptions.read(args)
	given, inPlace, sandbox, suffix := false, false, false, ""
	does := sedWork{spelled: true}
	for _, o := range opts {
		switch o.name {
		case "sandbox":
			sandbox = true
		case "e", "expression":
			m.sedScript(o.value)
			does.scripts = append(does.scripts, o.value)
			given = true
		case "f", "file":
			m.sedFile(o.value)
			given, does.spelled = true, false
		case "i", "in-place":
			inPlace, suffix = true, o.value
		case "n", "quiet", "silent":
			does.quiet = true
		case "E", "r", "regexp-extended":
			does.extended = true
		case "l", "line-length": // a flag in BSD's sed: then this is the script
			if strings.Trim(o.value, "0123456789") != "" {
				m.sedScript(o.value)
			}
		case "":
			m.opaque(effect.OpComputed, "computed option of sed")
		}
	}
	if inPlace && !does.quiet && suffix == "" && len(files) > 1 && files[0] == "" && emptySuffix(args) {
		files = files[1:]
		does.spelled = false // GNU's leaves the text as it is
	}
	if !given && len(files) > 0 {
		if !sandbox {
			m.sedScript(files[0])
		}
		does.scripts, files = files[:1], files[1:]
	}
	out := unknown
	if !inPlace {
		out.made = does.on(m.operandText(files, in))
	}
	for _, f := range files {
		will := does.on(m.contents(f))
		m.read(f)
		if inPlace {
			m.backup(f, suffix)
			m.write(f, effect.OpModify)
			if n := len(m.files); n > 0 {
				m.files[n-1].edit, m.files[n-1].made = strings.Join(args, "\n"), will
			}
		}
	}
	if want && len(files) == 0 && in.known() {
		return m.sedFold(args, in)
	}
	return out
}

// emptySuffix says whether an empty word stands behind -i: in BSD's sed the suffix of a copy, and
// none is kept. In GNU's it is the script, by which no file changes, if there is no other; else a
// file that cannot be read.
func emptySuffix(args []string) bool {
	for i, a := range args[:max(len(args)-1, 0)] {
		if len(a) > 1 && a[0] == '-' && strings.Trim(a[1:], "Ersuzi") == "" && a[len(a)-1] == 'i' {
			return args[i+1] == ""
		}
	}
	return false
}

// backup records the copy that sed -i keeps of a file, so that the line may remove it. A
// suffix with a star or a slash names a file in other ways.
func (m *machine) backup(file, suffix string) {
	if suffix == "" || strings.ContainsAny(suffix, "*/") || mark.Has(suffix) || mark.Has(file) {
		return
	}
	n := len(m.files)
	m.write(file+suffix, effect.OpCreate)
	if n < len(m.files) {
		m.files[n].fresh = true
	}
}

func (m *machine) sedFile(word string) {
	d := m.contents(word)
	m.read(word)
	m.programFile(word, d, m.sedScript)
}

// maxScript bounds sed scripts, whose bracket expressions are looked ahead for.
const maxScript = 16 << 10

// sedScript reads a sed script for the commands that reach outside.
func (m *machine) sedScript(text string) {
	text = plain(text)
	if firstByte(text, mark.Unknown) >= 0 || len(text) > maxScript {
		m.opaque(effect.OpComputed, "computed or very long sed script")
		return
	}
	s := sedReader{m: m, text: text}
	if !s.script() {
		m.opaque(effect.OpUnparsed, "sed script "+text)
	}
}

type sedReader struct {
	m    *machine
	text string
	pos  int
}

//go:noinline
func (s *sedReader) peek() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

func (s *sedReader) skip(set string) {
	for s.pos < len(s.text) && firstByte(set, s.text[s.pos]) >= 0 {
		s.pos++
	}
}

// until returns the text up to an unescaped delimiter, which it consumes.
func (s *sedReader) until(delim byte) (string, bool) {
	start := s.pos
	class := false
	for ; s.pos < len(s.text); s.pos++ {
		switch c := s.text[s.pos]; {
		case c == '\\':
			s.pos++
		case c == '[' && !class:
			class = s.pos+2 < len(s.text) && firstByte(s.text[s.pos+2:], ']') >= 0
		case c == ']':
			class = false
		case c == delim && !class:
			s.pos++
			return s.text[start : s.pos-1], true
		}
	}
	return "", false
}

func (s *sedReader) line() string {
	start := s.pos
	for s.pos < len(s.text) && s.text[s.pos] != '\n' {
		s.pos++
	}
	return strings.TrimSpace(s.text[start:s.pos])
}

func (s *sedReader) script() bool {
	for {
		s.skip(" \t\n;}")
		if s.pos >= len(s.text) {
			return true
		}
		if !s.address() || !s.command() {
			return false
		}
	}
}

func (s *sedReader) address() bool {
	for {
		s.skip(" \t,!~+0123456789$\x01\x05")
		switch s.peek() {
		case '/':
			s.pos++
			if _, ok := s.until('/'); !ok {
				return false
			}
			s.skip("IM")
		case '\\':
			s.pos += 2
			if s.pos > len(s.text) {
				return false
			}
			if _, ok := s.until(s.text[s.pos-1]); !ok {
				return false
			}
			s.skip("IM")
		default:
			return true
		}
	}
}

func (s *sedReader) command() bool {
	c := s.peek()
	s.pos++
	switch c {
	case 0:
		return s.pos > len(s.text)
	case '{', '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z', 'F':
		return true
	case '#', ':':
		s.line()
	case 'b', 't', 'T':
		for s.pos < len(s.text) && s.text[s.pos] != '\n' && s.text[s.pos] != ';' && s.text[s.pos] != '}' {
			s.pos++
		}
	case 'l', 'L', 'q', 'Q':
		s.skip(" 0123456789")
	case 'a', 'i', 'c':
		s.insert()
	case 'e':
		s.m.escapeLine("sed e", s.line())
	case 'r', 'R':
		s.m.read(s.line())
	case 'w', 'W':
		s.m.write(s.line(), effect.OpCreate)
	case 'v':
		s.line()
	case 's', 'y':
		return s.substitute(c == 's')
	default:
		return false
	}
	return true
}

// insert skips the text of a, i and c, whose lines end in a backslash.
func (s *sedReader) insert() {
	for s.pos < len(s.text) {
		i := firstByte(s.text[s.pos:], '\n')
		if i < 0 {
			s.pos = len(s.text)
			return
		}
		s.pos += i + 1
		if i == 0 || s.text[s.pos-2] != '\\' {
			return
		}
	}
}

func (s *sedReader) substitute(flags bool) bool {
	delim := s.peek()
	s.pos++
	if delim == 0 || delim == '\n' || delim == '\\' {
		return false
	}
	if _, ok := s.until(delim); !ok {
		return false
	}
	if _, ok := s.until(delim); !ok {
		return false
	}
	if !flags {
		return true
	}
	for s.pos < len(s.text) {
		switch c := s.peek(); {
		case c == 'w':
			s.pos++
			s.m.write(s.line(), effect.OpCreate)
			return true
		case c == 'e':
			s.m.escape("sed s///e")
			s.pos++
		case firstByte("gpiImM0123456789", c) >= 0:
			s.pos++
		default:
			return firstByte(" \t\n;}#", c) >= 0 || c <= mark.Inside
		}
	}
	return true
}

// escapeLine records a command line that a tool's own language runs.
func (m *machine) escapeLine(what, line string) {
	m.escape(what + " " + line)
	if line != "" {
		m.source(line, unknown)
	}
}

// sedFold folds a single plain substitution on known input.
func (m *machine) sedFold(args []string, in data) data {
	if len(args) != 1 || len(args[0]) < 4 || args[0][0] != 's' {
		return unknown
	}
	parts := strings.Split(args[0][2:], args[0][1:2])
	if len(parts) != 3 || parts[2] != "g" && parts[2] != "" || strings.ContainsAny(parts[0], `\.*[]^$`) || strings.ContainsAny(parts[1], `\&`) || parts[0] == "" {
		return unknown
	}
	n := 1
	if parts[2] == "g" {
		n = -1
	}
	out := strings.Replace(in.text, parts[0], parts[1], n)
	if len(out) > maxText || n == 1 && strings.Count(in.text, "\n") > 1 {
		return unknown
	}
	return data{text: out}
}
