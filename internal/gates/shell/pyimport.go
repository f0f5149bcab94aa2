package shell

import "strings"

// This file reads the imports of inline Python, and the targets that stand inside
// expressions.

// moduleName reads a module's dotted name and returns where it ends.
func (p *pyReader) moduleName(i, to int) (string, int) {
	var b strings.Builder
	for ; i < to && (p.is(i, ".") || p.toks[i].kind == 'n' && !hasWord("as import", p.toks[i].text)); i++ {
		b.WriteString(p.toks[i].text)
	}
	return b.String(), i
}

// imports notes that a module is in use.
func (p *pyReader) imports(mod string) {
	if mod != "" && !libraryModule(mod) || strings.HasPrefix(mod, ".") {
		p.foreign = true
	}
}

func (p *pyReader) importModules(i, to int) {
	for i < to {
		end := p.next(i, to, ",")
		mod, j := p.moduleName(i, end)
		p.imports(mod)
		if p.isName(j, "as") {
			p.bind(j+1, pyBinding{how: bindImport, name: mod})
		} else {
			top, _, _ := cutAt(mod, ".")
			p.bind(i, pyBinding{how: bindImport, name: top})
		}
		i = end + 1
	}
}

func (p *pyReader) importNames(i, to int) {
	mod, j := p.moduleName(i, to)
	p.imports(mod)
	j++
	if p.is(j, "(") {
		j, to = j+1, p.pairs[j]
	}
	for j < to {
		end := p.next(j, to, ",")
		switch {
		case p.is(j, "*"):
			p.star = true
		case p.isName(j+1, "as"):
			p.bind(j+2, pyBinding{how: bindImport, name: mod + "." + p.toks[j].text})
		case j < end:
			p.bind(j, pyBinding{how: bindImport, name: mod + "." + p.toks[j].text})
		}
		j = end + 1
	}
}

// inner binds the names that expressions give values to: in comprehensions, with := and
// in lambda, and what is added to collections.
func (p *pyReader) inner() {
	for i, t := range p.toks {
		switch {
		case t.kind == 'o' && t.text == ":" && p.is(i+1, "=") && (p.touching(i) || t.at < 0):
			p.bind(i-1, pyBinding{how: bindUnknown})
		case p.isName(i, "lambda"):
			for j := i + 1; j < len(p.toks) && !p.is(j, ":"); j++ {
				p.unknownNames(j, j+1)
			}
		case p.isName(i, "for") && p.inside[i] >= 0:
			end := p.pairs[p.inside[i]]
			in := p.next(i, end, "in")
			p.target(i+1, in, pyBinding{how: bindItem, from: in + 1, to: p.iterableEnd(in+1, end)})
		case t.kind == 'n' && p.is(i-1, ".") && p.is(i+1, "(") && i >= 2 && p.toks[i-2].kind == 'n' && !p.is(i-3, "."):
			p.added(i)
		}
	}
}

// iterableEnd is where what a comprehension loops over ends.
func (p *pyReader) iterableEnd(from, to int) int {
	end := to
	for _, word := range []string{"for", "if", "async"} {
		end = min(end, p.next(from, to, word))
	}
	return end
}

// added notes what the method at i puts into a collection.
func (p *pyReader) added(i int) {
	from, to := i+2, p.pairs[i+1]
	switch t := p.toks[i]; t.text {
	case "append", "add", "appendleft":
		p.bind(i-2, pyBinding{how: bindAdded, from: from, to: to, path: []int{-1}, name: t.text})
	case "extend", "insert", "update", "setdefault", "extendleft", "union", "__setitem__":
		p.bind(i-2, pyBinding{how: bindAdded, name: "?"})
	}
}
