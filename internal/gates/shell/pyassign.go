package shell

import "strings"

// This file reads the simple statements of inline Python that give names values.

// simple reads a simple statement.
func (p *pyReader) simple(from, to int) {
	switch {
	case from >= to:
	case p.isName(from, "import"), p.isName(from, "from") && p.next(from, to, "import") < to:
		for i := from; i < to; i++ {
			p.names[i] = true
		}
		if p.isName(from, "from") {
			p.importNames(from+1, to)
			return
		}
		p.importModules(from+1, to)
	case p.toks[from].kind == 'n' && hasWord("return raise assert yield pass break continue global nonlocal del await", p.toks[from].text):
	default:
		p.assignments(from, to)
	}
}

// assignments reads targets and the value after them.
func (p *pyReader) assignments(from, to int) {
	var ends []int
	for i := from; i < to && !p.isName(i, "lambda"); i = p.skip(i) {
		if !p.is(i, "=") {
			continue
		}
		before := byte(' ')
		if p.touching(i-1) && p.toks[i-1].kind == 'o' {
			before = p.toks[i-1].text[0]
		}
		switch {
		case p.is(i+1, "=") && p.touching(i):
			i++
		case firstByte("<>!", before) >= 0:
		case firstByte("+-*/%&|^@", before) >= 0:
			p.changed(from, i-1, i+1, to)
			return
		default:
			ends = append(ends, i)
		}
	}
	for k, end := range ends {
		start := from
		if k > 0 {
			start = ends[k-1] + 1
		}
		p.target(start, p.next(start, end, ":"), pyBinding{how: bindValue, from: ends[len(ends)-1] + 1, to: to})
	}
}

// changed reads x += y: for a list or a text with parts added, all else is not known.
func (p *pyReader) changed(from, end, value, to int) {
	if p.is(end, "+") && end == from+1 {
		p.bind(from, pyBinding{how: bindAdded, from: value, to: to, name: "+="})
		return
	}
	p.unknownNames(from, end)
}

// target gives what b says to the names of a target.
func (p *pyReader) target(from, to int, b pyBinding) {
	if from >= to {
		return
	}
	if p.next(from, to, ",") < to {
		for k := 0; from < to; k++ {
			end := p.next(from, to, ",")
			part := b
			part.path = append(append([]int(nil), b.path...), k)
			p.target(from, end, part)
			from = end + 1
		}
		return
	}
	t := p.toks[from]
	switch {
	case p.pairs[from] == to-1 && (t.text == "(" || t.text == "["):
		p.target(from+1, to-1, b)
	case t.kind == 'n' && to == from+1:
		p.bind(from, b)
	case t.kind == 'n' && p.is(from+1, "[") && p.pairs[from+1] == to-1:
		b.name, b.path = string(b.how), append([]int{-1}, b.path...)
		b.how = bindAdded
		p.bind(from, b)
	case t.kind == 'n' && from+1 < to && strings.Contains(".[(", p.toks[from+1].text) && p.toks[from+1].kind == 'o':
		p.part(from, to)
	default:
		p.unknownNames(from, to)
	}
}

// pyModelled are methods whose meaning this reading rests on: code that gives objects
// others of these names is not followed.
const pyModelled = "join joinpath parent stem suffix with_suffix with_name with_stem resolve absolute relative_to replace format iterdir glob rglob cwd home getcwd open walk listdir scandir read_text write_text"

// part reads a target that is a part of something: it gives no name a value, but may
// change what a module or a type does.
func (p *pyReader) part(from, to int) {
	attribute := p.toks[to-1]
	if attribute.kind != 'n' || !p.is(to-2, ".") {
		return
	}
	if !p.isName(from, "self") && (strings.HasPrefix(attribute.text, "__") || hasWord(pyModelled, attribute.text)) || p.module(p.toks[from].text) {
		p.odd = true
	}
}

// module says whether a name is given by an import.
func (p *pyReader) module(name string) bool {
	for _, b := range p.binds[name] {
		if b.how == bindImport {
			return true
		}
	}
	return false
}
