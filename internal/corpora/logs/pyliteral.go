package logs

import (
	"strings"
	"unicode/utf8"
)

// appendPython appends the JSON form of a Python literal (dict, list, tuple,
// string, number, True, False, None), as repr writes it. It is false if s is
// anything else.
func appendPython(b []byte, s string) ([]byte, bool) {
	p := pyParser{s: s, out: b}
	p.space()
	if !p.value(0) {
		return nil, false
	}
	p.space()
	return p.out, p.i == len(p.s)
}

// pyParser reads one literal; its grammar is The Python Language Reference,
// section 2.4 and 6.2, without expressions.
type pyParser struct {
	s   string
	i   int
	out []byte
}

func (p *pyParser) space() {
	for p.i < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.i]) >= 0 {
		p.i++
	}
}

func (p *pyParser) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

func (p *pyParser) value(depth int) bool {
	if depth > 100 {
		return false
	}
	switch c := p.peek(); {
	case c == '{':
		return p.list(depth, '{', '}', true)
	case c == '[':
		return p.list(depth, '[', ']', false)
	case c == '(':
		return p.list(depth, '(', ')', false)
	case c == '\'' || c == '"':
		return p.str()
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	for _, w := range [...][2]string{{"True", "true"}, {"False", "false"}, {"None", "null"}, {"true", "true"}, {"false", "false"}, {"null", "null"}} {
		if strings.HasPrefix(p.s[p.i:], w[0]) {
			p.i += len(w[0])
			p.out = append(p.out, w[1]...)
			return true
		}
	}
	return false
}

// list reads a bracketed list of values, or of pairs in a dict.
func (p *pyParser) list(depth int, open, end byte, pairs bool) bool {
	jsonOpen, jsonEnd := open, end
	if open == '(' {
		jsonOpen, jsonEnd = '[', ']'
	}
	p.i++
	p.out = append(p.out, jsonOpen)
	for n := 0; ; n++ {
		p.space()
		if p.peek() == end {
			p.i++
			p.out = append(p.out, jsonEnd)
			return true
		}
		if n > 0 {
			p.out = append(p.out, ',')
		}
		if pairs && !p.key() || !p.value(depth+1) {
			return false
		}
		if p.space(); p.peek() == ',' {
			p.i++
		} else if p.peek() != end {
			return false
		}
	}
}

// key reads a dict's key, which JSON wants to be a string, and the colon.
func (p *pyParser) key() bool {
	if c := p.peek(); c != '\'' && c != '"' {
		return false
	}
	if !p.str() {
		return false
	}
	if p.space(); p.peek() != ':' {
		return false
	}
	p.i++
	p.out = append(p.out, ':')
	p.space()
	return true
}

func (p *pyParser) number() bool {
	from := p.i
	for p.i < len(p.s) && strings.IndexByte("+-.0123456789eE", p.s[p.i]) >= 0 {
		p.i++
	}
	if !validNumber([]byte(p.s[from:p.i])) {
		return false
	}
	p.out = append(p.out, p.s[from:p.i]...)
	return true
}

// str reads one string in either quote.
func (p *pyParser) str() bool {
	quote := p.s[p.i]
	p.i++
	var text []byte
	for p.i < len(p.s) {
		c := p.s[p.i]
		p.i++
		switch {
		case c == quote:
			p.out = appendString(p.out, text)
			return true
		case c != '\\':
			text = append(text, c)
		case p.i == len(p.s):
			return false
		default:
			text = p.escape(text)
		}
	}
	return false
}

func (p *pyParser) escape(text []byte) []byte {
	c := p.s[p.i]
	p.i++
	switch c {
	case 'n':
		return append(text, '\n')
	case 't':
		return append(text, '\t')
	case 'r':
		return append(text, '\r')
	case '\\', '\'', '"':
		return append(text, c)
	case 'x':
		return p.hex(text, c, 2)
	case 'u':
		return p.hex(text, c, 4)
	case 'U':
		return p.hex(text, c, 8)
	}
	return append(text, '\\', c)
}

func (p *pyParser) hex(text []byte, kind byte, n int) []byte {
	if p.i+n > len(p.s) {
		return append(text, '\\', kind)
	}
	r := rune(0)
	for _, c := range []byte(p.s[p.i : p.i+n]) {
		d := strings.IndexByte("0123456789abcdef", c|0x20)
		if d < 0 {
			return append(text, '\\', kind)
		}
		r = r<<4 | rune(d)
	}
	p.i += n
	return utf8.AppendRune(text, r)
}
