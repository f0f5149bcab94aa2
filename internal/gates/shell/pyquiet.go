package shell

import (
	"slices"
	"strings"
)

// This file tells which words and texts of inline Python lead nowhere: imports of
// modules whose every use is judged, texts that are made out of numbers and codes and
// only shown, and constants that are searched for.

// pyListed are modules that the scan of names would stop at and whose members are
// listed, so that every use is judged by what it is.
const pyListed = "importlib shutil tarfile timeit urllib zipfile"

// imported says whether the name at i is a listed module by its own name, or a package
// of others of which the code asks only what version it is.
func (p *pyReader) imported(i int) bool {
	name := p.toks[i].text
	list := p.binds[name]
	if p.names[i] && p.isName(i-1, "from") {
		return hasWord(pyListed, name)
	}
	if len(list) == 0 || p.is(i-1, ".") {
		return false
	}
	for _, b := range list {
		if b.how != bindImport || b.name != name {
			return false
		}
	}
	if libraryModule(name) {
		return hasWord(pyListed, name)
	}
	only, ok := p.told[name]
	if !ok {
		only = p.versionOnly(name)
		p.told[name] = only
	}
	return only
}

// versionOnly says whether every use of a module, but for its import, is an attribute
// that tells something about it.
func (p *pyReader) versionOnly(name string) bool {
	for i, t := range p.toks {
		if t.kind != 'n' || t.text != name || p.is(i-1, ".") {
			continue
		}
		told := p.is(i+1, ".") && i+2 < len(p.toks) && hasWord("__version__ __file__ __doc__ __name__ __path__", p.toks[i+2].text)
		if !told && !(p.is(i-1, "import") || p.is(i-1, ",") && p.inside[i] < 0) || p.is(i+1, "as") {
			return false
		}
	}
	return true
}

// pyDecoders make texts out of numbers and codes, so that nobody reads what they say.
const pyDecoders = "a2b_base64 a2b_hex a85decode b16decode b32decode b64decode b85decode chr decodebytes decompress fromhex standard_b64decode unhexlify urlsafe_b64decode"

// decodes says whether the decoder at i makes something that reaches nothing: all that
// opens or runs is judged by itself where only the library is in use, and elsewhere the
// text must be shown where it is made. What fills a format could be one.
func (p *pyReader) decodes(i int) bool {
	decoder := hasWord(pyDecoders, p.toks[i].text) || p.toks[i].text == "decode" && p.is(i-1, ".") && p.moduleAt(i-2, "codecs")
	if !decoder || !p.is(i+1, "(") {
		return false
	}
	if _, ok := p.told[""]; !ok {
		p.told[""] = p.formats()
	}
	if p.told[""] {
		return false
	}
	return !p.foreign || p.shown(i)
}

// formats says whether the code has a format that is no constant: one opens objects.
func (p *pyReader) formats() bool {
	for i, t := range p.toks {
		if t.kind == 'n' && (t.text == "format_map" || t.text == "vformat" || t.text == "format" && p.is(i-1, ".") && !(i >= 2 && p.toks[i-2].kind == 's')) {
			return true
		}
	}
	return false
}

// shown says whether the line of token i only prints: nothing is named and no function
// is called in it that a package or the code itself gives.
func (p *pyReader) shown(i int) bool {
	for _, l := range p.lines {
		for l[0] < l[1] && i >= p.next(l[0], l[1], ";") {
			l[0] = p.next(l[0], l[1], ";") + 1
		}
		l[1] = p.next(l[0], l[1], ";")
		if i < l[0] || i >= l[1] {
			continue
		}
		if !p.isName(l[0], "print") || len(p.binds["print"]) > 0 || p.pairs[min(l[0]+1, l[1]-1)] != l[1]-1 {
			return false
		}
		for j := l[0]; j < l[1]; j++ {
			if p.toks[j].kind == 'n' && !p.is(j-1, ".") && p.outside(p.toks[j].text) {
				return false
			}
		}
		return true
	}
	return false
}

// outside says whether a name may be a function of a package or of the code.
func (p *pyReader) outside(name string) bool {
	for _, b := range p.binds[name] {
		switch b.how {
		case bindImport:
			if !libraryModule(b.name) {
				return true
			}
		case bindUnknown, bindDef:
			return true
		}
	}
	return p.star
}

// mentions notes a constant that is only looked for, compared or put in a text's place:
// an argument of a method that texts alone have, or of a pattern's function.
func (p *pyReader) mentions(i int) {
	open := p.inside[i]
	if open > 1 && p.is(open, "(") && p.is(open-2, ".") && p.toks[open-1].kind == 'n' && p.constantArgument(i) {
		switch name := p.toks[open-1].text; {
		case name == "replace" && p.next(open+1, p.pairs[open], ",") < p.pairs[open] && !p.moduleAt(open-3, "os"),
			hasWord("startswith endswith removeprefix removesuffix partition rpartition split", name) && !p.moduleAt(open-3, "os"),
			p.moduleAt(open-3, "re") && hasWord("sub subn search match fullmatch findall finditer compile split", name), p.route(i, name):
			p.quiet[p.toks[i].at] = true
		}
	}
	if p.is(i-1, "+") && !p.foreign && i > 1 && (p.toks[i-2].kind == 'n' || p.is(i-2, ")")) { // the end of a path, which is judged whole
		p.quiet[p.toks[i].at] = true
	}
	if p.isName(i+1, "in") || p.is(i-1, "=") && p.is(i-2, "=") || p.is(i+1, "=") && p.is(i+2, "=") {
		p.quiet[p.toks[i].at] = true
	}
}

// constantArgument says whether the string at i is all of an argument.
func (p *pyReader) constantArgument(i int) bool {
	before := i - 1
	if p.toks[before].kind == 'n' && p.touching(before) {
		before--
	}
	return (p.is(before, "(") || p.is(before, ",")) && (p.is(i+1, ")") || p.is(i+1, ","))
}

// moduleAt says whether the name at i is a module, whatever it goes by. Not inlined, for the size of programs.
//
//go:noinline
func (p *pyReader) moduleAt(i int, mod string) bool {
	if i < 0 || p.toks[i].kind != 'n' {
		return false
	}
	for _, b := range p.binds[p.toks[i].text] {
		if b.how == bindImport && (b.name == mod || strings.HasPrefix(b.name, mod+".")) {
			return true
		}
	}
	return false
}

// knows says whether what stands at a place of the text is judged already. Not inlined, for the size of programs.
//
//go:noinline
func (p *pyReader) knows(at int) bool { return p != nil && p.handled[at] }

// hold judges the constant at text[i], now or, where nothing but the code itself could
// make use of it, when it is known whether the code asks.
func (s *scanner) hold(i int, v string) {
	if s.still && s.depth == 1 || s.py != nil && s.depth == 1 && (s.py.quiet[i] || !s.py.foreign && strings.Contains(v, "://")) {
		s.held = append(s.held, v)
		return
	}
	s.constant(v)
}

// settle judges the constants that were held back, if something asks since start: what
// is not known may do anything with them.
func (s *scanner) settle(start int) {
	if s.m.asks(start) {
		for _, v := range s.held {
			s.constant(v)
		}
	}
}

// writesTree says whether what is written at i may be a document of xml.etree, whose
// method takes a path.
func (p *pyReader) writesTree(i int) bool {
	if p == nil || p.toks[i].text != "write" || !slices.ContainsFunc(p.toks, func(t token) bool { return t.kind == 'n' && t.text == "etree" }) {
		return false
	}
	from := p.start(i)
	return p.expr(from, i-1).kind != pyFile && !p.isName(from, "sys")
}
