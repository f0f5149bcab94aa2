package powershell

import "strings"

// chain reads pipelines between && and ||; first is what was read of it, or nil.
func (p *parser) chain(first node) node {
	n := &chain{list: []node{p.pipeline(first)}}
	for p.why == "" {
		p.blanks()
		op := ""
		if p.is("&&") || p.is("||") {
			op = string(p.in[p.i : p.i+2])
		}
		if op == "" {
			break
		}
		p.i += 2
		p.lines()
		n.ops = append(n.ops, op)
		n.list = append(n.list, p.pipeline(nil))
	}
	if len(n.list) == 1 {
		return n.list[0]
	}
	return n
}

func (p *parser) pipeline(first node) node {
	n := &pipe{elems: []node{p.element(first)}}
	for p.why == "" {
		p.blanks()
		if p.peek() == '\n' && p.goesOn() {
			p.lines()
		}
		if p.peek() != '|' || p.at(1) == '|' {
			break
		}
		p.i++
		p.lines()
		n.elems = append(n.elems, p.element(nil))
	}
	if p.peek() == '&' && p.at(1) != '&' {
		p.i++
		n.async = true
	}
	return n
}

// goesOn says whether the next line begins with a pipe, as PowerShell 7 lets it. Older ones
// take that for an error.
func (p *parser) goesOn() bool {
	n := 0
	for strings.ContainsRune(" \t\n", p.at(n)) {
		n++
	}
	return p.at(n) == '|' && p.at(n+1) != '|'
}

// element reads a command or an expression.
func (p *parser) element(first node) node {
	p.blanks()
	r := p.peek()
	switch {
	case first != nil, r == '$' && p.at(1) != '-', quote(r), r == '(' || r == '@' || r == '[' || r == '!' || r == ',' || r == '+', p.isNumber(), dash(r) && p.signed():
		x := &expr{x: p.expression(first)}
		x.redirs = p.redirections()
		return x
	case r == '&' || r == '.' && (p.at(1) == ' ' || p.at(1) == '$' || p.at(1) == '(' || quote(p.at(1))):
		dots := r == '.'
		p.i++
		p.blanks()
		c := &command{called: true}
		c.name = p.argument()
		if dots {
			p.fail("a script or block that is read into the session")
		}
		p.arguments(c)
		return c
	case r == eof || strings.ContainsRune(";|){}<>\n", r):
		p.fail("no command where one belongs")
		return &command{}
	}
	c := &command{name: p.bareword()}
	p.arguments(c)
	return c
}

// signed says whether a dash begins an operator or a number.
func (p *parser) signed() bool {
	r := p.at(1)
	return r >= '0' && r <= '9' || r == '(' || r == '$' || r == ' ' || dash(r) || p.operator(unaries[:]) != ""
}

// isNumber says whether a number comes next that is no beginning of a command's name.
func (p *parser) isNumber() bool {
	n := 0
	for p.at(n) >= '0' && p.at(n) <= '9' {
		n++
	}
	if n == 0 {
		return false
	}
	if r := p.at(n); r == '.' && p.at(n+1) >= '0' && p.at(n+1) <= '9' {
		for n++; p.at(n) >= '0' && p.at(n) <= '9'; n++ {
		}
	}
	for _, unit := range []string{"kb", "mb", "gb", "l", "d"} {
		if strings.EqualFold(string(p.in[p.i+n:min(len(p.in), p.i+n+len(unit))]), unit) {
			n += len(unit)
			break
		}
	}
	r := p.at(n)
	return ends(r) || strings.ContainsRune("+-*/%.]", r)
}

func (p *parser) arguments(c *command) {
	for p.why == "" {
		p.blanks()
		switch r := p.peek(); {
		case r == eof || strings.ContainsRune(";|&)}\n", r):
			if r == '&' && p.at(1) != '&' && p.in[p.i-1] != ' ' {
				p.fail("& within a word")
			}
			return
		case p.redirects():
			c.redirs = append(c.redirs, p.redirections()...)
		case r == '<':
			p.fail("<")
		case dash(r) && (word(p.at(1)) && !(p.at(1) >= '0' && p.at(1) <= '9') || p.at(1) == '?'):
			c.args = append(c.args, p.parameter())
		default:
			c.args = append(c.args, p.value())
		}
	}
}

// parameter reads -Name, and the value behind its colon.
func (p *parser) parameter() arg {
	from := p.i
	p.i++
	for r := p.peek(); !ends(r) && !strings.ContainsRune(":.[", r); r = p.peek() {
		if quote(r) || r == '`' || r == '$' || r > 0x7f { // a value that begins with a dash
			p.i = from
			return p.value()
		}
		p.i++
	}
	a := arg{param: string(p.in[from+1 : p.i]), raw: "-" + string(p.in[from+1:p.i])}
	switch p.peek() {
	case '.', '[':
		p.fail("a parameter that PowerShell parts in two: " + a.raw)
	case ':':
		p.i++
		a.raw += ":"
		if ends(p.peek()) && p.peek() != '(' && p.peek() != '{' {
			p.fail("a parameter whose value stands behind a blank")
			return a
		}
		v := p.value()
		a.value, a.tight = v.value, v.tight
		a.raw += v.raw
	}
	return a
}

// value reads an argument and those behind commas.
func (p *parser) value() arg {
	from := p.i
	first := p.argument()
	l := &list{elems: []node{first}}
	tight := true
	for p.why == "" {
		back := p.i
		if p.blanks(); p.peek() != ',' {
			p.i = back
			break
		}
		tight = tight && p.i == back
		p.i++
		at := p.i
		p.lines()
		tight = tight && p.i == at
		l.elems = append(l.elems, p.argument())
	}
	a := arg{value: first, raw: string(p.in[from:min(p.i, len(p.in))]), tight: tight}
	if len(l.elems) > 1 {
		a.value = l
	}
	return a
}

// argument reads one value in argument mode.
func (p *parser) argument() node {
	r := p.peek()
	switch {
	case quote(r):
		n := p.quoted()
		return p.alone(n)
	case r == '(':
		return p.alone(p.postfix(p.primary()))
	case r == '{':
		return p.alone(p.primary())
	case r == '@':
		if n := p.at(1); n != '(' && n != '{' && !quote(n) {
			if word(n) {
				p.fail("splatting")
			}
			return p.bareword()
		}
		return p.alone(p.postfix(p.primary()))
	case r == '$' && p.at(1) == '(':
		return p.alone(p.postfix(p.primary()))
	case r == '$' && (word(p.at(1)) || strings.ContainsRune("{?^$", p.at(1))):
		back := p.i
		v := p.primary()
		if n := p.peek(); (n == '.' && word(p.at(1)) || n == '[' || n == ':' && p.at(1) == ':') && p.why == "" {
			return p.alone(p.postfix(v))
		} else if ends(n) {
			return v
		}
		p.i = back
		return p.bareword()
	case ends(r):
		p.fail("no value where one belongs")
		return &lit{}
	}
	return p.bareword()
}

// alone wants nothing behind a value, where PowerShell would begin another one.
func (p *parser) alone(n node) node {
	if r := p.peek(); !ends(r) || r == '(' || r == '{' {
		p.fail("two values without a blank between them")
	}
	return n
}

// bareword reads a word without quotation marks around it: an expandable string.
func (p *parser) bareword() node {
	t := &text{bare: true, plain: true}
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			t.parts = append(t.parts, &lit{b.String()})
			b.Reset()
		}
	}
	from := p.i
	for p.why == "" && !ends(p.peek()) {
		switch r := p.peek(); {
		case quote(r):
			flush()
			t.parts = append(t.parts, p.quoted().(*text).parts...)
		case r == '`':
			s, ok := p.escaped()
			if !ok {
				return t
			}
			b.WriteString(s)
		case r == '$':
			if n := p.expanded(); n != nil {
				flush()
				t.parts = append(t.parts, n)
				continue
			}
			b.WriteRune('$')
			p.i++
		case dash(r) && r != '-' && p.i == from:
			p.fail("a dash that is not one of ASCII")
		default:
			b.WriteRune(r)
			p.i++
		}
	}
	flush()
	if p.peek() == '<' || p.i == from {
		p.fail("< within a word")
	}
	if len(t.parts) == 1 {
		if l, ok := t.parts[0].(*lit); ok && l.s == "--%" {
			p.fail("--%")
		}
	}
	return t
}

// redirects says whether a redirection comes next.
func (p *parser) redirects() bool {
	r := p.peek()
	return r == '>' || (r == '*' || r >= '1' && r <= '6') && p.at(1) == '>'
}

// redirections reads those that come next (about_Redirection).
func (p *parser) redirections() []redir {
	var out []redir
	for p.why == "" {
		if p.blanks(); !p.redirects() {
			break
		}
		r := redir{from: "1"}
		if p.peek() != '>' {
			r.from = string(p.peek())
			p.i++
		}
		p.i++
		if p.peek() == '>' {
			r.more = true
			p.i++
		}
		if p.peek() == '&' {
			if p.i++; p.peek() != '1' || !ends(p.at(1)) {
				p.fail("a redirection to another stream")
			}
			p.i++
		} else {
			p.blanks()
			r.to = p.argument()
		}
		out = append(out, r)
	}
	return out
}
