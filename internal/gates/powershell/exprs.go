package powershell

import "strings"

// unaries and binaries are the operators that are words (about_Operators), without their dash.
var (
	unaries  = [...]string{"not", "bnot", "join", "split"}
	binaries = [...]string{
		"eq", "ne", "gt", "ge", "lt", "le", "like", "notlike", "match", "notmatch", "contains", "notcontains", "in", "notin", "replace", "split", "join",
		"is", "isnot", "as", "and", "or", "xor", "f", "band", "bor", "bxor", "shl", "shr",
	}
)

// operator is the operator of a list that comes next, also in its forms for letters with or
// without regard to case: -ceq, -ireplace.
func (p *parser) operator(of []string) string {
	n := 1
	for r := p.at(n); r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'; r = p.at(n) {
		n++
	}
	if !dash(p.peek()) || n == 1 || n > 14 || word(p.at(n)) || p.at(n) == '-' {
		return ""
	}
	w := strings.ToLower(string(p.in[p.i+1 : p.i+n]))
	for _, o := range of {
		if w == o || (w[0] == 'c' || w[0] == 'i') && w[1:] == o {
			return o
		}
	}
	return ""
}

// expression reads one; first is what was read of it, or nil. Operators are not put into their
// order: what they make of what is not known is not known.
func (p *parser) expression(first node) node {
	if !p.deeper() {
		return &lit{}
	}
	defer func() { p.depth-- }()
	if first == nil {
		first = p.unary()
	}
	n := &binary{operands: []node{p.commas(first)}}
	for p.why == "" {
		p.blanks()
		op := p.binaryOperator()
		if op == "" {
			break
		}
		p.lines()
		n.ops = append(n.ops, op)
		n.operands = append(n.operands, p.commas(p.unary()))
	}
	if len(n.ops) == 0 {
		return n.operands[0]
	}
	return n
}

func (p *parser) commas(first node) node {
	l := &list{elems: []node{first}}
	for p.why == "" {
		if p.blanks(); p.peek() != ',' {
			break
		}
		p.i++
		p.lines()
		l.elems = append(l.elems, p.unary())
	}
	if len(l.elems) == 1 {
		return first
	}
	return l
}

func (p *parser) binaryOperator() string {
	if op := p.operator(binaries[:]); op != "" {
		for p.i++; word(p.peek()); p.i++ {
		}
		return op
	}
	for _, op := range []string{"..", "??", "+", "*", "/", "%"} {
		if p.is(op) {
			p.i += len(op)
			return op
		}
	}
	if dash(p.peek()) && !dash(p.at(1)) {
		p.i++
		return "-"
	}
	return ""
}

func (p *parser) unary() node {
	if !p.deeper() {
		return &lit{}
	}
	defer func() { p.depth-- }()
	p.blanks()
	r := p.peek()
	op := p.operator(unaries[:])
	switch {
	case op != "":
		for p.i++; word(p.peek()); p.i++ {
		}
	case r == '!' || r == '+' || dash(r) && !dash(p.at(1)):
		op = string(r)
		if dash(r) {
			op = "-"
		}
		p.i++
	case r == ',':
		p.i++
		p.lines()
		return &list{elems: []node{p.unary()}}
	default:
		return p.postfix(p.primary())
	}
	p.lines()
	return &unary{op: op, x: p.unary()}
}

// postfix reads members, calls and indices behind a value.
func (p *parser) postfix(of node) node {
	for p.why == "" {
		r := p.peek()
		static := r == ':' && p.at(1) == ':'
		switch {
		case static || r == '.' && p.at(1) != '.' || r == '?' && p.at(1) == '.':
			m := &member{of: of, static: static}
			p.i++
			if r != '.' {
				p.i++
			}
			for word(p.peek()) {
				m.name += string(p.peek())
				p.i++
			}
			if m.name == "" {
				p.fail("a member whose name is computed")
				return of
			}
			if p.peek() == '(' {
				p.i++
				m.call, m.args = true, p.callArguments()
			}
			of = m
		case r == '[':
			p.i++
			p.lines()
			n := &index{of: of, at: p.expression(nil)}
			p.expect(']')
			of = n
		default:
			return of
		}
	}
	return of
}

func (p *parser) callArguments() []node {
	if p.lines(); p.peek() == ')' {
		p.i++
		return nil
	}
	x := p.expression(nil)
	p.expect(')')
	if l, ok := x.(*list); ok {
		return l.elems
	}
	return []node{x}
}

// primary reads a value by itself.
func (p *parser) primary() node {
	if !p.deeper() {
		return &lit{}
	}
	defer func() { p.depth-- }()
	r := p.peek()
	switch {
	case quote(r):
		return p.quoted()
	case r == '$' && p.at(1) == '(':
		p.i += 2
		return &sub{p.statements(')')}
	case r == '$':
		return p.variable()
	case r == '@' && p.at(1) == '(':
		p.i += 2
		return &sub{p.statements(')')}
	case r == '@' && p.at(1) == '{':
		p.i += 2
		return p.table()
	case r == '@' && quote(p.at(1)):
		return p.hereString()
	case r == '(':
		p.i++
		p.lines()
		n := &paren{p.statement()}
		p.expect(')')
		return n
	case r == '{':
		p.i++
		return &script{p.statements('}')}
	case r == '[':
		return p.typed()
	case r >= '0' && r <= '9':
		n := &number{}
		for word(p.peek()) || p.peek() == '.' && p.at(1) >= '0' && p.at(1) <= '9' {
			n.s += string(p.peek())
			p.i++
		}
		return n
	}
	p.fail("an expression that is not known")
	return &lit{}
}

// typed reads [name], and what it is made of where something follows.
func (p *parser) typed() node {
	from := p.i + 1
	for p.i++; word(p.peek()) || strings.ContainsRune(".[]", p.peek()) && !(p.peek() == ']' && p.at(-1) != '['); p.i++ {
	}
	n := &typed{name: strings.ToLower(string(p.in[from:min(p.i, len(p.in))]))}
	if p.peek() != ']' || n.name == "" {
		p.fail("a type that is not known")
		return n
	}
	p.i++
	if r := p.peek(); r == '$' || r == '(' || r == '@' || r == '[' || quote(r) || r >= '0' && r <= '9' {
		n.of = p.postfix(p.primary())
	}
	return n
}

// variable reads $name, ${name}, and the scope or drive in front of it.
func (p *parser) variable() node {
	p.i++
	v := &variable{}
	if p.peek() == '{' {
		from := p.i + 1
		for p.i++; p.peek() != '}'; p.i++ {
			if r := p.peek(); r == eof || r == '`' || r == '{' || r == '\n' {
				p.fail("a variable whose name is not plain")
				return v
			}
		}
		v.name = strings.ToLower(string(p.in[from:p.i]))
		p.i++
		return v
	}
	if r := p.peek(); r == '?' || r == '^' || r == '$' {
		p.i++
		v.name = string(r)
		return v
	}
	from := p.i
	for word(p.peek()) || p.peek() == ':' && p.at(1) != ':' && word(p.at(1)) {
		p.i++
	}
	if v.name = strings.ToLower(string(p.in[from:p.i])); v.name == "" {
		p.fail("$ without a name")
	}
	return v
}

// table reads @{ name = value; ... }, of which the values matter.
func (p *parser) table() node {
	t := &table{}
	for p.why == "" {
		p.lines()
		switch r := p.peek(); {
		case r == ';':
			p.i++
			continue
		case r == '}':
			p.i++
			return t
		case quote(r):
			t.values = append(t.values, p.quoted())
		case word(r):
			for word(p.peek()) || p.peek() == '-' {
				p.i++
			}
		default:
			p.fail("a table whose keys are computed")
		}
		p.expect('=')
		p.lines()
		switch {
		case p.peek() == '{': // of a calculated property (about_Calculated_Properties)
			t.values = append(t.values, p.primary())
		case p.why == "":
			t.values = append(t.values, p.statement())
		}
	}
	return t
}
