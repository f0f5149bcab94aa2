package shell

import "strings"

// This file tells what an expression of Python may be. An expression is a range of
// tokens, taken apart at the operator that binds least (the language reference,
// Expressions). What is not known here is a value of which nothing is known.

// maxPyWork bounds the expressions that are looked at, maxPyDepth how deep they nest.
const (
	maxPyWork  = 40000
	maxPyDepth = 60
)

// expr is what the expression in a range of tokens may be.
func (p *pyReader) expr(from, to int) pyValue {
	if p.budget -= 1 + max(0, to-from)/8; p.budget < 0 || p.depth >= maxPyDepth || from >= to {
		return pyValue{}
	}
	p.depth++
	defer func() { p.depth-- }()
	switch {
	case p.next(from, to, ",") < to:
		return p.tuple(pyTuple, from, to)
	case p.isName(from, "lambda"):
		return pyValue{kind: pyLambda}
	case p.isName(from, "yield"), p.isName(from, "await"), p.is(from, "*"), p.next(from, to, ":") < to:
		return pyValue{}
	}
	if k := p.next(from, to, "if"); k < to {
		if e := p.next(k, to, "else"); e < to {
			return union(p.expr(from, k), p.expr(e+1, to))
		}
		return pyValue{}
	}
	for _, word := range []string{"or", "and"} {
		if k := p.next(from, to, word); k < to {
			return union(p.expr(from, k), p.expr(k+1, to))
		}
	}
	return p.operator(from, to)
}

// operator reads comparisons and arithmetic.
func (p *pyReader) operator(from, to int) pyValue {
	last, class := -1, byte(0)
	for i := from; i < to; i = p.skip(i) {
		t := p.toks[i]
		c := operatorClass(t)
		if c == 0 || i == from && c != 'c' {
			continue
		}
		if c == 's' && p.toks[i-1].kind == 'o' && !strings.Contains(")]}", p.toks[i-1].text) {
			continue // a sign
		}
		if c == 'c' && t.kind == 'n' {
			return pyValue{kind: pyNone}
		}
		if c == 'c' {
			return pyValue{} // a class may say what it likes
		}
		if class == 0 || rank(c) <= rank(class) {
			last, class = i, c
		}
	}
	switch {
	case class == 'b':
		return pyValue{}
	case class != 0:
		return p.binary(from, last, to)
	case p.isName(from, "not"):
		return pyValue{kind: pyNone}
	case from+1 < to && p.toks[from].kind == 'o' && strings.Contains("+-~", p.toks[from].text):
		if v := p.expr(from+1, to); v.kind == pyNumber {
			return v
		}
		return pyValue{}
	}
	return p.postfix(from, to)
}

// operatorClass is c for comparisons, b for bits, s for + and -, m for what binds more.
func operatorClass(t token) byte {
	switch {
	case t.kind == 'n' && hasWord("in is not", t.text):
		return 'c'
	case t.kind != 'o':
		return 0
	case strings.Contains("<>=!", t.text):
		return 'c'
	case strings.Contains("|&^", t.text):
		return 'b'
	case t.text == "+" || t.text == "-":
		return 's'
	case strings.Contains("*/%@", t.text):
		return 'm'
	}
	return 0
}

func rank(class byte) int { return firstByte("bsm", class) }

// binary is what an operator makes of two values.
func (p *pyReader) binary(from, at, to int) pyValue {
	op, left, right := p.toks[at].text, from, at
	double := at > from && p.is(at-1, op) && p.touching(at-1) // ** and //
	if double {
		right--
	}
	a, b := p.expr(left, right), p.expr(at+1, to)
	switch {
	case a.kind == pyNumber && b.kind == pyNumber:
		return a
	case double:
		return pyValue{}
	case op == "+" && (a.kind == pyText || b.kind == pyText):
		return joinValues(pyText, a, b, func(x, y string) string { return x + y })
	case op == "+" && (a.kind == pyList || a.kind == pyTuple) && (b.kind == pyList || b.kind == pyTuple):
		return pyListOf(union(a.each(), b.each()))
	case op == "/" && (a.kind == pyPath || b.kind == pyPath):
		return joinValues(pyPath, a, b, libPath)
	case op == "%" && a.kind == pyText:
		return p.percent(a, b)
	case op == "*" && (a.kind == pyText || b.kind == pyText):
		return pyAnyText
	case op == "*" && (a.kind == pyList || a.kind == pyTuple):
		return pyListOf(a.each())
	}
	return pyValue{}
}

// percent is a text with values put into it (printf-style String Formatting).
func (p *pyReader) percent(format, values pyValue) pyValue {
	text, ok := format.constant()
	if !ok {
		return pyAnyText
	}
	out := pyTexts(pyText, "")
	for n := 0; ; n++ {
		i := firstByte(text, '%')
		if i < 0 {
			return joinValues(pyText, out, pyTexts(pyText, text), func(x, y string) string { return x + y })
		}
		k := i + 1
		for k < len(text) && firstByte("0123456789", text[k]) >= 0 {
			k++
		}
		if k >= len(text) || firstByte("sdix", text[k]) < 0 || text[k] == 's' && k > i+1 {
			return pyAnyText
		}
		part := values
		if values.kind == pyTuple {
			part = values.at(n)
		}
		if text[k] != 's' {
			part = pyAName
		}
		out = joinValues(pyText, out, pyTexts(pyText, text[:i]), func(x, y string) string { return x + y })
		out = joinValues(pyText, out, part, func(x, y string) string { return x + y })
		text = text[k+1:]
	}
}

// postfix reads calls, subscripts, attributes and what they start from.
func (p *pyReader) postfix(from, to int) pyValue {
	if v, end := p.strings(from, to); end == to {
		return v
	}
	last := p.toks[to-1]
	k := p.pairs[to-1]
	switch {
	case last.kind == 'o' && k == from:
		return p.display(from, to)
	case last.kind == 'o' && last.text == ")" && k > from:
		return p.call(from, k, to)
	case last.kind == 'o' && last.text == "]" && k > from:
		return p.subscript(p.expr(from, k), k+1, to-1)
	case last.kind == 'n' && p.is(to-2, ".") && to-2 > from:
		return p.attribute(p.expr(from, to-2), last.text)
	case last.kind == 'n' && to == from+1:
		return p.word(last.text)
	case last.kind == 'd' && to == from+1:
		return pyValue{kind: pyNumber}
	}
	return pyValue{}
}

// display reads a value in brackets.
func (p *pyReader) display(from, to int) pyValue {
	inner := p.next(from+1, to-1, "for")
	switch {
	case p.toks[from].at < 0 && p.is(from, "{"):
		return pyValue{}
	case p.is(from, "{"):
		return p.braces(from+1, to-1)
	case inner < to-1:
		return pyListOf(p.expr(from+1, inner-b2i(p.isName(inner-1, "async"))))
	case p.is(from, "["):
		list := p.tuple(pyList, from+1, to-1)
		if list.kind != pyList || len(list.items) == 0 {
			return list
		}
		return pyListOf(pyValue{kind: pyTuple, items: list.items}.each())
	case from+1 == to-1:
		return pyValue{kind: pyTuple}
	}
	return p.expr(from+1, to-1)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// tuple reads values with commas between them.
func (p *pyReader) tuple(kind byte, from, to int) pyValue {
	out := pyValue{kind: kind}
	for from < to {
		end := p.next(from, to, ",")
		if p.is(from, "*") {
			return pyListOf(pyValue{})
		}
		out.items = append(out.items, p.expr(from, end))
		from = end + 1
	}
	return out
}

// braces reads a dictionary or a set.
func (p *pyReader) braces(from, to int) pyValue {
	keys, values := pyValue{kind: pyNothing}, pyValue{kind: pyNothing}
	end := min(to, p.next(from, to, "for"))
	dict := from == to
	for from < end {
		part := p.next(from, end, ",")
		colon := p.colon(from, part)
		switch {
		case p.is(from, "*"):
			keys, values = pyValue{}, pyValue{}
			dict = dict || p.is(from+1, "*")
		case colon < part:
			dict = true
			keys, values = union(keys, p.expr(from, colon)), union(values, p.expr(colon+1, part))
		default:
			keys = union(keys, p.expr(from, part))
		}
		from = part + 1
	}
	if dict {
		return pyValue{kind: pyDict, items: []pyValue{keys, values}}
	}
	return pyListOf(keys)
}

// subscript is an item, or a part, of a value.
func (p *pyReader) subscript(v pyValue, from, to int) pyValue {
	slice := p.colon(from, to) < to
	switch v.kind {
	case pyDict:
		return v.items[1]
	case pyList:
		if slice {
			return v
		}
		return v.each()
	case pyTuple:
		if to == from+1 && p.toks[from].kind == 'd' && len(p.toks[from].text) == 1 {
			return v.at(int(p.toks[from].text[0] - '0'))
		}
		return v.each()
	case pyText:
		return pyAnyText
	}
	return pyValue{}
}
