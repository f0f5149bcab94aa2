package powershell

import "strings"

// quoted reads a string in quotation marks of either kind.
func (p *parser) quoted() node {
	t := &text{}
	isSingle := single(p.peek())
	p.i++
	var b strings.Builder
	for p.why == "" {
		r := p.peek()
		switch {
		case r == eof:
			p.fail("a string without an end")
			return t
		case isSingle && single(r), !isSingle && double(r):
			if n := p.at(1); isSingle && single(n) || !isSingle && double(n) { // written twice, it stands for itself
				b.WriteRune(r)
				p.i += 2
				continue
			}
			p.i++
			t.parts = append(t.parts, &lit{b.String()})
			return t
		case isSingle:
			b.WriteRune(r)
			p.i++
		default:
			p.expand(t, &b)
		}
	}
	return t
}

// expand reads the next piece of an expandable string.
func (p *parser) expand(t *text, b *strings.Builder) {
	switch r := p.peek(); r {
	case '`':
		s, ok := p.escaped()
		if ok {
			b.WriteString(s)
		}
		return
	case '$':
		if n := p.expanded(); n != nil {
			t.parts = append(t.parts, &lit{b.String()}, n)
			b.Reset()
			return
		}
		fallthrough
	default:
		b.WriteRune(r)
		p.i++
	}
}

// expanded reads $name, ${name} or $( ) in a string; nil where the dollar stands for itself.
func (p *parser) expanded() node {
	switch r := p.at(1); {
	case r == '(' || r == '{' || word(r):
		return p.primary()
	case r == '?' || r == '^' || r == '$':
		return p.primary()
	}
	return nil
}

// escaped reads a backtick and what it escapes (about_Special_Characters).
func (p *parser) escaped() (string, bool) {
	p.i += 2
	switch r := p.at(-1); r {
	case 'n':
		return "\n", true
	case 't':
		return "\t", true
	case 'r':
		return "\r", true
	case eof, '0', 'a', 'b', 'e', 'f', 'u', 'v':
		p.fail("an escaped character that is not printed")
		return "", false
	default:
		return string(r), true
	}
}

// hereString reads @" or @' up to the line that ends it.
func (p *parser) hereString() node {
	p.i++
	isSingle := single(p.peek())
	for p.i++; p.peek() == ' ' || p.peek() == '\t'; p.i++ {
	}
	if p.peek() != '\n' {
		p.fail("a here-string without a line of its own")
		return &text{}
	}
	t := &text{}
	var b strings.Builder
	for p.why == "" {
		r := p.peek()
		if n := p.at(1); r == '\n' && (isSingle && single(n) || !isSingle && double(n)) && p.at(2) == '@' {
			p.i += 3
			t.parts = append(t.parts, &lit{b.String()})
			if l, ok := t.parts[0].(*lit); ok { // behind the line of its beginning
				l.s = strings.TrimPrefix(l.s, "\n")
			}
			return t
		}
		switch {
		case r == eof:
			p.fail("a here-string without an end")
		case isSingle:
			b.WriteRune(r)
			p.i++
		default:
			p.expand(t, &b)
		}
	}
	return t
}
