package origin

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// literalLeaves reads JSON, or a Python literal as repr writes it: one grammar
// for both, since neither gives the other's text another meaning. A scalar
// alone is text: nothing says that it is a field.
func literalLeaves(s string) ([]pending, bool) {
	if strings.IndexByte("{[(", s[0]) < 0 {
		return nil, false
	}
	p := literal{s: s}
	if !p.value(place{}) {
		return nil, false
	}
	p.space()
	if p.i != len(s) || p.l.bad {
		return nil, false
	}
	return p.l.out, true
}

type literal struct {
	s string
	i int
	l leafList
}

func (p *literal) space() {
	for p.i < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.i]) >= 0 {
		p.i++
	}
}

func (p *literal) eat(c byte) bool {
	p.space()
	if p.i < len(p.s) && p.s[p.i] == c {
		p.i++
		return true
	}
	return false
}

func (p *literal) value(at place) bool {
	p.space()
	if p.i >= len(p.s) || at.depth > maxDepth {
		return false
	}
	switch c := p.s[p.i]; c {
	case '{':
		return p.object(at)
	case '[':
		return p.list(at, ']')
	case '(':
		return p.list(at, ')')
	case '\'', '"':
		v, ok := p.str()
		if ok {
			p.l.add(at, v)
		}
		return ok
	}
	return p.word(at)
}

// word reads a number or a constant.
func (p *literal) word(at place) bool {
	start := p.i
	for p.i < len(p.s) && strings.IndexByte(",]}) \t\r\n:", p.s[p.i]) < 0 {
		p.i++
	}
	switch w := p.s[start:p.i]; w {
	case "None", "null":
		return true
	case "True", "False", "true", "false":
		p.l.add(at, w)
		return true
	default:
		_, err := strconv.ParseFloat(w, 64)
		if err == nil {
			p.l.add(at, w)
		}
		return err == nil
	}
}

func (p *literal) list(at place, end byte) bool {
	p.i++
	for !p.eat(end) {
		if !p.value(at.item()) {
			return false
		}
		if !p.eat(',') {
			return p.eat(end)
		}
	}
	return true
}

func (p *literal) object(at place) bool {
	p.i++
	at = p.l.object(at)
	for !p.eat('}') {
		k, ok := p.objectKey()
		if !ok {
			return false
		}
		p.l.addKey(at, k)
		if !p.eat(':') || !p.value(at.key(k)) {
			return false
		}
		if !p.eat(',') {
			return p.eat('}')
		}
	}
	return true
}

func (p *literal) objectKey() (string, bool) {
	p.space()
	if p.i < len(p.s) && (p.s[p.i] == '\'' || p.s[p.i] == '"') {
		return p.str()
	}
	start := p.i
	for p.i < len(p.s) && strings.IndexByte(":,{}[]()'\" \t\r\n", p.s[p.i]) < 0 {
		p.i++
	}
	_, err := strconv.ParseFloat(p.s[start:p.i], 64)
	return p.s[start:p.i], err == nil
}

// str reads a string of either language.
func (p *literal) str() (string, bool) {
	quote := p.s[p.i]
	p.i++
	var b strings.Builder
	for p.i < len(p.s) {
		switch c := p.s[p.i]; c {
		case quote:
			p.i++
			return b.String(), true
		case '\n':
			return "", false
		case '\\':
			if !p.escape(&b) {
				return "", false
			}
		default:
			b.WriteByte(c)
			p.i++
		}
	}
	return "", false
}

var simpleEscapes = [...]string{"nn\n", "tt\t", "rr\r", "bb\b", "ff\f", "\\\\\\", "''", "\"\"", "//"}

func (p *literal) escape(b *strings.Builder) bool {
	if p.i+1 >= len(p.s) {
		return false
	}
	c := p.s[p.i+1]
	for _, e := range simpleEscapes {
		if e[0] == c {
			b.WriteByte(e[len(e)-1])
			p.i += 2
			return true
		}
	}
	width := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	if width == 0 || p.i+2+width > len(p.s) {
		return false
	}
	n, err := strconv.ParseUint(p.s[p.i+2:p.i+2+width], 16, 32)
	if err != nil {
		return false
	}
	p.i += 2 + width
	if n >= 0xd800 && n < 0xdc00 && strings.HasPrefix(p.s[p.i:], `\u`) && p.i+6 <= len(p.s) {
		if low, err := strconv.ParseUint(p.s[p.i+2:p.i+6], 16, 32); err == nil && low >= 0xdc00 && low < 0xe000 {
			n = (n-0xd800)<<10 + (low - 0xdc00) + 0x10000
			p.i += 6
		}
	}
	b.WriteString(string(utf8Rune(n)))
	return true
}

func utf8Rune(n uint64) rune {
	if n > utf8.MaxRune {
		return utf8.RuneError
	}
	return rune(n)
}
