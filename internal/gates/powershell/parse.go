package powershell

import (
	"strings"
	"unicode"
)

// Limits: the parser calls itself once for each level, and looks at each character a
// bounded number of times.
const (
	maxLine  = 64 << 10
	maxDepth = 40
	eof      = rune(-1)
)

// parser reads a line. why is what it met that it does not follow; it is at the end then.
type parser struct {
	in    []rune
	i     int
	depth int
	why   string
}

// parse reads a line. why is empty where all of it was understood.
func parse(line string) (b *block, why string) {
	p := &parser{in: []rune(strings.ReplaceAll(line, "\r\n", "\n"))}
	for _, r := range p.in {
		if r < ' ' && r != '\n' && r != '\t' || r == unicode.ReplacementChar || r == 0x7f || r >= opens && r <= closes {
			return nil, "a control character"
		}
		if r > 0x7f && unicode.IsSpace(r) {
			return nil, "a blank that is not one of ASCII" // PowerShell parts words at some of them
		}
	}
	b = p.statements(eof)
	return b, p.why
}

func (p *parser) fail(why string) {
	if p.why == "" {
		p.why = why
	}
	p.i = len(p.in)
}

// deeper counts a level; each true one is followed by p.depth--.
func (p *parser) deeper() bool {
	if p.depth >= maxDepth {
		p.fail("nested too deeply")
		return false
	}
	p.depth++
	return true
}

func (p *parser) peek() rune { return p.at(0) }

func (p *parser) at(n int) rune {
	if p.i+n >= len(p.in) {
		return eof
	}
	return p.in[p.i+n]
}

// is says whether a text comes next, without regard to case.
func (p *parser) is(s string) bool {
	if len(p.in)-p.i < len(s) {
		return false
	}
	return strings.EqualFold(string(p.in[p.i:p.i+len(s)]), s)
}

// The quotation marks and dashes of typography count as those of ASCII
// (about_Quoting_Rules; the language's specification, 2.3.5.2 and 2.3.2).
func single(r rune) bool { return r == '\'' || r >= 0x2018 && r <= 0x201b }
func double(r rune) bool { return r == '"' || r >= 0x201c && r <= 0x201e }
func dash(r rune) bool   { return r == '-' || r >= 0x2013 && r <= 0x2015 }
func quote(r rune) bool  { return single(r) || double(r) }

func word(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// ends says whether a character ends a bare word.
func ends(r rune) bool { return r == eof || strings.ContainsRune(" \t\n;|&(){},<>", r) }

// blanks skips blanks, continued lines and comments; lines skips newlines as well.
func (p *parser) blanks() {
	for {
		switch r := p.peek(); {
		case r == ' ' || r == '\t':
			p.i++
		case r == '`' && p.at(1) == '\n':
			p.i += 2
		case r == '<' && p.at(1) == '#':
			p.i += 2
			for !(p.peek() == '#' && p.at(1) == '>') {
				if p.peek() == eof {
					p.fail("a comment without an end")
					return
				}
				p.i++
			}
			p.i += 2
		case r == '#':
			if p.is("#requires") {
				p.fail("#Requires") // it loads modules
				return
			}
			for p.peek() != '\n' && p.peek() != eof {
				p.i++
			}
		default:
			return
		}
	}
}

func (p *parser) lines() {
	for p.blanks(); p.peek() == '\n'; p.blanks() {
		p.i++
	}
}

// statements reads up to a closing character, which is read too.
func (p *parser) statements(end rune) *block {
	b := &block{}
	if !p.deeper() {
		return b
	}
	defer func() { p.depth-- }()
	for {
		p.lines()
		switch r := p.peek(); {
		case r == ';':
			p.i++
			continue
		case r == end:
			p.i++
			return b
		case r == eof || r == ')' || r == '}':
			p.fail("brackets that do not match")
			return b
		}
		b.list = append(b.list, p.statement())
		p.blanks()
		if r := p.peek(); r != ';' && r != '\n' && r != end && r != eof && !p.afterBlock(b) {
			p.fail("more behind a statement")
			return b
		}
	}
}

// afterBlock says whether the last statement ends in a brace, behind which another may begin.
func (p *parser) afterBlock(b *block) bool {
	switch b.list[len(b.list)-1].(type) {
	case *branch, *each, *repeat, *guarded:
		return true
	}
	return false
}

// keyword is the word that comes next, in lower case, empty if it is no whole one.
func (p *parser) keyword() string {
	n := 0
	for unicode.IsLetter(p.at(n)) {
		n++
	}
	if r := p.at(n); n == 0 || !ends(r) && !quote(r) && r != '$' {
		return ""
	}
	return strings.ToLower(string(p.in[p.i : p.i+n]))
}

func (p *parser) statement() node {
	w := p.keyword()
	switch w {
	case "if", "foreach", "while", "do", "for", "try", "return", "exit", "break", "continue", "throw":
		if w == "foreach" && !p.loops() {
			break // an alias
		}
		p.i += len(w)
		return p.keyed(w)
	case "begin", "catch", "class", "clean", "configuration", "data", "define", "dynamicparam", "else", "elseif", "end", "enum", "filter", "finally", "from", "function", "hidden",
		"in", "inlinescript", "param", "parallel", "process", "sequence", "static", "switch", "trap", "until", "using", "var", "workflow":
		if w != "process" || ends(p.at(len(w))) { // none of these is known
			p.fail(w)
			return &block{}
		}
	}
	if r := p.peek(); r != '$' && r != '[' {
		return p.chain(nil)
	}
	first := p.postfix(p.primary())
	if n := p.assignment(first); n != nil {
		return n
	}
	return p.chain(first)
}

// loops says whether foreach is the keyword, which a parenthesis follows.
func (p *parser) loops() bool {
	n := len("foreach")
	for p.at(n) == ' ' || p.at(n) == '\t' {
		n++
	}
	return p.at(n) == '('
}

func (p *parser) keyed(w string) node {
	switch w {
	case "if":
		return p.branch()
	case "foreach":
		return p.each()
	case "while", "for", "do":
		return p.repeat(w)
	case "try":
		return p.guarded()
	}
	l := &leave{word: w}
	p.blanks()
	if r := p.peek(); r != ';' && r != '\n' && r != '}' && r != ')' && r != eof {
		if w == "break" || w == "continue" {
			p.fail(w + " to a label")
			return l
		}
		l.value = p.chain(nil)
	}
	return l
}

// expect reads a character behind blanks and newlines.
func (p *parser) expect(r rune) {
	if p.lines(); p.peek() != r {
		p.fail("no " + string(r) + " where one belongs")
		return
	}
	p.i++
}

func (p *parser) body() *block {
	if p.expect('{'); p.why != "" {
		return &block{}
	}
	return p.statements('}')
}

// condition reads a pipeline in parentheses.
func (p *parser) condition() node {
	p.expect('(')
	p.lines()
	n := p.statement()
	p.expect(')')
	return n
}

// follows reads a keyword that goes on with a statement, behind newlines.
func (p *parser) follows(w string) bool {
	back := p.i
	if p.lines(); p.keyword() == w {
		p.i += len(w)
		return true
	}
	p.i = back
	return false
}

func (p *parser) branch() node {
	n := &branch{}
	for {
		n.conds = append(n.conds, p.condition())
		n.bodies = append(n.bodies, p.body())
		if p.why == "" && p.follows("elseif") {
			continue
		}
		if p.why == "" && p.follows("else") {
			n.other = p.body()
		}
		return n
	}
}

func (p *parser) each() node {
	n := &each{}
	p.expect('(')
	p.lines()
	v, ok := p.primary().(*variable)
	p.blanks()
	if !ok || p.keyword() != "in" {
		p.fail("foreach")
		return n
	}
	p.i += len("in")
	n.name = v.name
	p.lines()
	n.list = p.pipeline(nil)
	p.expect(')')
	n.body = p.body()
	return n
}

func (p *parser) repeat(w string) node {
	n := &repeat{}
	switch w {
	case "while":
		n.cond = p.condition()
		n.body = p.body()
	case "do":
		n.body = p.body()
		if !p.follows("while") && !p.follows("until") {
			p.fail("do")
			return n
		}
		n.cond = p.condition()
	case "for":
		p.expect('(')
		for i, to := range []*node{&n.first, &n.cond, &n.step} {
			if p.lines(); p.peek() != ';' && p.peek() != ')' {
				*to = p.statement()
			}
			if i < 2 {
				p.expect(';')
			}
		}
		p.expect(')')
		n.body = p.body()
	}
	return n
}

func (p *parser) guarded() node {
	n := &guarded{body: p.body()}
	for p.why == "" && p.follows("catch") {
		if p.lines(); p.peek() == '[' { // what it catches
			for p.peek() != ']' && p.peek() != eof {
				p.i++
			}
			p.i++
		}
		b := p.body()
		if n.catch != nil {
			b.list = append(n.catch.list, b.list...)
		}
		n.catch = b
	}
	if p.why == "" && p.follows("finally") {
		n.finally = p.body()
	}
	return n
}

// assignment reads what is assigned to what stands at the left, or nothing. What was read is
// not read again, so that the time stays linear.
func (p *parser) assignment(to node) node {
	p.blanks()
	for _, op := range []string{"=", "+=", "-=", "*=", "/=", "??=", "++", "--"} {
		if p.why == "" && p.is(op) {
			p.i += len(op)
			n := &assign{to: to, op: op}
			if op != "++" && op != "--" {
				p.lines()
				n.value = p.statement()
			}
			return n
		}
	}
	return nil
}
