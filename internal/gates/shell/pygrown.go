package shell

import (
	"maps"
	"slices"
)

// This file is about collections of inline Python that grow after they were made, and
// about the arguments of functions that the code defines.

// grown is a value with what is added to it, nothing known of its items where others
// may add to it under another name.
func (p *pyReader) grown(name string, v pyValue, list []pyBinding) pyValue {
	for _, b := range list {
		if b.how == bindAdded {
			v = p.addedTo(v, b)
		}
	}
	if v.kind != pyList && v.kind != pyDict {
		return v
	}
	p.budget -= len(p.toks) / 8
	if p.poison || !p.stays(name) {
		v.items = make([]pyValue, max(1, len(v.items)))
	}
	return v
}

// addedTo is v with one binding's addition.
func (p *pyReader) addedTo(v pyValue, b pyBinding) pyValue {
	if v.kind == pyNothing {
		return v
	}
	if b.name == "?" {
		if v.kind == pyList || v.kind == pyDict {
			v.items = make([]pyValue, max(1, len(v.items)))
		}
		return v
	}
	if b.name == "+=" {
		return p.plusAssigned(v, p.expr(b.from, b.to))
	}
	item := pyBinding{how: bindValue, from: b.from, to: b.to, path: b.path}
	if len(b.name) == 1 {
		item.how = b.name[0]
	}
	add := p.binding(item)
	switch v.kind {
	case pyList:
		return pyListOf(union(v.each(), add))
	case pyDict:
		return pyValue{kind: pyDict, items: []pyValue{{}, union(v.items[1], add)}}
	}
	return v
}

func (p *pyReader) plusAssigned(v, add pyValue) pyValue {
	switch {
	case v.kind == pyNumber && (add.kind == pyNumber || add.kind == pyNothing):
		return v
	case v.kind == pyText:
		return pyAnyText
	case v.kind == pyList:
		return pyListOf(union(v.each(), add.each()))
	}
	return pyValue{}
}

// pyPure are built-in functions that keep no hold of a collection that they are given.
const pyPure = "len sorted enumerate zip list tuple set frozenset reversed print sum min max any all str repr filter map dict iter next bool dumps join"

// stays says whether a collection goes by no other name than its own: each use of the
// name loops over it, asks for an item, or calls what keeps no hold of it.
func (p *pyReader) stays(name string) bool {
	for i, t := range p.toks {
		if t.kind != 'n' || t.text != name || p.is(i-1, ".") || p.stored[i] {
			continue
		}
		open := p.inside[i]
		switch {
		case p.is(i+1, "[") && p.pairs[i+1] > 0:
		case p.is(i+1, ".") && i+2 < len(p.toks) && hasWord("items keys values get append add extend insert update pop remove sort index count discard copy setdefault", p.toks[i+2].text):
		case p.isName(i-1, "in"):
		case open > 0 && p.is(open, "(") && p.toks[open-1].kind == 'n' && hasWord(pyPure, p.toks[open-1].text) && len(p.binds[p.toks[open-1].text]) == 0:
		default:
			return false
		}
	}
	return true
}

// aliased says whether a collection of which items are known is added to under another
// name than that which it was made under.
func (p *pyReader) aliased() bool {
	for _, name := range slices.Sorted(maps.Keys(p.binds)) {
		list := p.binds[name]
		if !slices.ContainsFunc(list, func(b pyBinding) bool { return b.how == bindAdded && b.name != "+=" }) {
			continue
		}
		if slices.ContainsFunc(list, p.shares) {
			if v := p.word(name); v.kind == pyList || v.kind == pyDict || v.kind == pyTuple {
				return true
			}
		}
	}
	return false
}

// shares says whether a binding gives a name to something that may have one.
func (p *pyReader) shares(b pyBinding) bool {
	switch b.how {
	case bindAdded, bindImport, bindUnknown:
		return false
	case bindValue:
		last := p.toks[min(b.to, len(p.toks))-1]
		fresh := p.pairs[b.from] == b.to-1 && (p.is(b.from, "[") || p.is(b.from, "{")) || last.text == ")" && last.kind == 'o'
		return len(b.path) > 0 || !fresh
	}
	return true
}

// argument is the union of what all calls of a function of the code give a parameter.
func (p *pyReader) argument(function string, n int) pyValue {
	f := p.funcs[function]
	if f == nil || !f.plain || len(p.binds[function]) != 1 || n >= len(f.params) {
		return pyValue{}
	}
	if p.testDirectory(f, f.params[n].name) {
		return pyTexts(pyPath, pyTemporary+"/run/test")
	}
	out := pyValue{kind: pyNothing}
	p.budget -= len(p.toks) / 8
	for i, t := range p.toks {
		if t.kind != 'n' || t.text != function || p.isName(i-1, "def") {
			continue
		}
		if p.is(i-1, ".") || !p.is(i+1, "(") {
			return pyValue{}
		}
		args := p.args(i+1, p.pairs[i+1]+1)
		if args.star {
			return pyValue{}
		}
		if v, ok := args.get(p, n, f.params[n].name); ok {
			out = union(out, v)
		}
	}
	return out
}
