package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// fields appends what a word expands to (POSIX 2.6): brace, tilde, parameter,
// command and arithmetic expansion, field splitting, quote removal. Globs are
// not looked up but marked.
func (m *machine) fields(dst []string, w *syntax.Word) []string {
	if len(w.Parts) == 1 {
		switch p := w.Parts[0].(type) {
		case *syntax.Lit:
			if isPlainLit(p.Value) {
				return append(dst, p.Value)
			}
		case *syntax.SglQuoted:
			if !p.Dollar && !fishQuote(p) {
				return append(dst, p.Value)
			}
		}
	}
	if !m.step() {
		return append(dst, unknown.text)
	}
	if hasBrace(w) {
		return m.braced(dst, w)
	}
	m.otherWords(w)
	return m.splitFields(dst, w)
}

// isPlainLit says that a literal stands for itself.
func isPlainLit(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\', '*', '?', '[', '{', '~':
			return s == "["
		}
	}
	return !zshPath(s)
}

// tilde says whether a leading tilde is a directory: its name must be literal
// up to a slash or the end of the word (POSIX 2.6.1).
func tilde(w *syntax.Word) bool {
	l, ok := w.Parts[0].(*syntax.Lit)
	return ok && (len(w.Parts) == 1 || firstByte(l.Value, '/') > 0)
}

// splitter collects the fields of one word.
type splitter struct {
	m    *machine
	dst  []string
	cur  []byte
	open bool // cur is a field, even if empty
}

func (m *machine) splitFields(dst []string, w *syntax.Word) []string {
	s := splitter{m: m, dst: dst}
	for i, p := range w.Parts {
		s.part(p, i == 0 && tilde(w))
		if len(s.cur) > maxText || len(s.dst)-len(dst) > maxFields {
			m.opaque(effect.OpComputed, "expansion of too much text")
			return append(dst, unknown.text)
		}
	}
	if s.open {
		s.dst = append(s.dst, string(s.cur))
	}
	return s.dst
}

//go:noinline
func (s *splitter) quoted(text string) {
	s.cur = append(s.cur, text...)
	s.open = true
}

// split adds the text of an unquoted expansion: fields end at IFS characters,
// and globs in it are live.
func (s *splitter) split(text string) {
	ifs := s.m.ifs
	if mark.Has(ifs) || ifs != " \t\n" && firstByte(text, mark.Unknown) >= 0 { // what is not known may hold one of them
		s.quoted(unknown.text)
		return
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case firstByte(ifs, c) >= 0:
			if s.open {
				s.dst = append(s.dst, string(s.cur))
				s.cur, s.open = s.cur[:0], false
			}
			if len(s.dst) > maxFields {
				return
			}
		case c == '*':
			s.cur, s.open = append(s.cur, mark.Star), true
		case c == '?':
			s.cur, s.open = append(s.cur, mark.One), true
		default:
			s.cur, s.open = append(s.cur, c), true
		}
	}
}

func (s *splitter) part(p syntax.WordPart, first bool) {
	m := s.m
	switch p := p.(type) {
	case *syntax.Lit:
		s.literal(p.Value, first)
	case *syntax.SglQuoted:
		if fishQuote(p) {
			m.otherwise("fish ends this string elsewhere: " + p.Value)
		}
		s.quoted(sglText(p))
	case *syntax.DblQuoted:
		s.double(p)
	case *syntax.ParamExp:
		if list, ok := m.listExp(p); ok {
			for i, v := range list {
				if i > 0 {
					s.split(m.firstIFS())
				}
				s.split(v)
			}
			return
		}
		s.split(m.param(p))
	case *syntax.CmdSubst:
		s.split(m.capture(p))
	case *syntax.ArithmExp:
		s.quoted(m.arithmExp(p))
	case *syntax.ProcSubst:
		s.quoted(m.procSubst(p))
	case *syntax.ExtGlob:
		if zshCode(p) {
			m.otherwise("zsh runs code in this pattern: " + p.Pattern.Value)
		}
		s.quoted(string(rune(extended(p))))
	case *syntax.BraceExp:
		s.quoted(string(rune(mark.Star)))
	default:
		s.quoted(unknown.text)
	}
}

func (m *machine) firstIFS() string {
	if m.ifs == "" {
		return " "
	}
	return m.ifs[:1]
}

func sglText(p *syntax.SglQuoted) string {
	if !p.Dollar {
		return p.Value
	}
	return cleanBytes(ansiC(p.Value))
}

// cleanBytes turns bytes that would be taken for markers into unknown ones,
// and cuts nothing: a NUL ends a string in the shell, which is unknown too.
func cleanBytes(s string) string {
	if !mark.Has(s) {
		return s
	}
	b := []byte(s)
	for i := range b {
		if b[i] <= mark.Inside {
			b[i] = mark.Unknown
		}
	}
	return string(b)
}

// double handles "...", where "$@" and "${a[@]}" make several fields.
func (s *splitter) double(p *syntax.DblQuoted) {
	was := s.open
	s.open = true
	if len(p.Parts) == 1 {
		if e, ok := p.Parts[0].(*syntax.ParamExp); ok {
			if list, ok := s.m.listExp(e); ok && isAt(e) {
				for i, v := range list {
					if i > 0 {
						s.dst = append(s.dst, string(s.cur))
						s.cur = s.cur[:0]
					}
					s.cur = append(s.cur, v...)
				}
				s.open = was || len(list) > 0
				return
			}
		}
	}
	s.quoted(s.m.quoted(p.Parts))
}

func isAt(e *syntax.ParamExp) bool {
	if e.Param != nil && e.Param.Value == "@" {
		return true
	}
	w, ok := e.Index.(*syntax.Word)
	return ok && rawText(w) == "@"
}

// literal adds unquoted text: backslashes, a leading tilde, globs.
func (s *splitter) literal(v string, first bool) {
	s.open = true
	if first && strings.HasPrefix(v, "~") {
		end := firstByte(v, '/')
		if end < 0 {
			end = len(v)
		}
		s.cur = append(s.cur, s.m.p.ExpandHome(v[:end])...)
		v = v[end:]
	}
	for i := 0; i < len(v); i++ {
		c := v[i]
		switch c {
		case '\\':
			if i+1 < len(v) {
				i++
				if v[i] != '\n' {
					s.cur = append(s.cur, v[i])
				}
				continue
			}
			s.cur = append(s.cur, c)
		case '*':
			s.cur = append(s.cur, mark.Star)
		case '?':
			s.cur = append(s.cur, mark.One)
		case '[':
			if firstByte(v[i:], ']') > 0 {
				s.cur = append(s.cur, mark.Class)
			} else {
				s.cur = append(s.cur, c)
			}
		default:
			s.cur = append(s.cur, c)
		}
	}
}

// value expands a word to one string, without splitting and globbing, as in
// an assignment.
func (m *machine) value(w *syntax.Word) string {
	if w == nil {
		return ""
	}
	if len(w.Parts) == 1 {
		switch p := w.Parts[0].(type) {
		case *syntax.Lit:
			if isPlainLit(p.Value) {
				return p.Value
			}
		case *syntax.SglQuoted:
			return sglText(p)
		}
	}
	if !m.step() {
		return unknown.text
	}
	return m.joined(w.Parts, false, len(w.Parts) > 0 && tilde(w))
}

// quoted expands the parts of a double-quoted string or a here-document.
func (m *machine) quoted(parts []syntax.WordPart) string {
	if len(parts) == 1 {
		if l, ok := parts[0].(*syntax.Lit); ok {
			return unescapeQuoted(l.Value)
		}
	}
	return m.joined(parts, true, false)
}

// joined expands parts, one behind the other; home says that a tilde that the first begins with
// stands for a home.
func (m *machine) joined(parts []syntax.WordPart, quoted, home bool) string {
	var b []byte
	for i, p := range parts {
		b = m.appendPart(b, p, quoted, home && i == 0)
		if len(b) > maxText {
			m.opaque(effect.OpComputed, "expansion of too much text")
			return unknown.text
		}
	}
	return string(b)
}

func (m *machine) appendPart(b []byte, p syntax.WordPart, inQuotes, first bool) []byte {
	switch p := p.(type) {
	case *syntax.Lit:
		if inQuotes {
			return append(b, unescapeQuoted(p.Value)...)
		}
		v := p.Value
		if first && strings.HasPrefix(v, "~") {
			end := firstByte(v+"/", '/')
			b = append(b, m.p.ExpandHome(v[:end])...)
			v = v[end:]
		}
		return append(b, unescape(v)...)
	case *syntax.SglQuoted:
		return append(b, sglText(p)...)
	case *syntax.DblQuoted:
		return append(b, m.quoted(p.Parts)...)
	case *syntax.ParamExp:
		if list, ok := m.listExp(p); ok {
			return append(b, strings.Join(list, m.firstIFS())...)
		}
		return append(b, m.param(p)...)
	case *syntax.CmdSubst:
		return append(b, m.capture(p)...)
	case *syntax.ArithmExp:
		return append(b, m.arithmExp(p)...)
	case *syntax.ProcSubst:
		return append(b, m.procSubst(p)...)
	case *syntax.ExtGlob:
		return append(b, extended(p))
	}
	return append(b, mark.Unknown)
}

// oneField expands the word of a redirection.
func (m *machine) oneField(w *syntax.Word) string {
	var buf [1]string
	fs := m.fields(buf[:0], w)
	if len(fs) == 1 {
		return fs[0]
	}
	return m.value(w)
}

// capture runs a command substitution and returns its output without the
// trailing newlines.
func (m *machine) capture(c *syntax.CmdSubst) string {
	k := m.save()
	m.inner++
	out := m.doubt(true, func() data { return m.stmts(c.Stmts, data{tty: true}, true) })
	m.inner--
	m.restore(k)
	if out.tty {
		return unknown.text
	}
	return strings.TrimRight(out.text, "\n")
}

func (m *machine) procSubst(p *syntax.ProcSubst) string {
	k := m.save()
	in := data{tty: true}
	if p.Op == syntax.CmdOut {
		in = unknown
	}
	out := m.doubt(true, func() data { return m.stmts(p.Stmts, in, true) })
	m.restore(k)
	name := "/dev/fd/" + strconv.Itoa(100+len(m.files))
	if p.Op == syntax.CmdIn && len(m.files) < 64 {
		m.files = append(m.files, file{path: name, text: out.text, known: out.known() && !out.tty, net: true})
	}
	return name
}

// arithmExp returns a constant for a plain number, else a number the caller's
// state decides: digits cannot name another program or leave a directory.
func (m *machine) arithmExp(a *syntax.ArithmExp) string {
	if w, ok := a.X.(*syntax.Word); ok && len(w.Parts) == 1 {
		if l, ok := w.Parts[0].(*syntax.Lit); ok {
			if _, err := strconv.Atoi(l.Value); err == nil {
				return l.Value
			}
		}
	}
	m.arithm(a.X)
	return string(rune(mark.Caller))
}
