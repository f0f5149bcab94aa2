package shell

import "slices"

// This file tells what a name of inline Python may be: the union of all that the code
// gives it, wherever it does.

// word is what a name may be.
func (p *pyReader) word(name string) pyValue {
	if hasWord("None True False", name) {
		return pyValue{kind: pyNone}
	}
	if v, ok := p.values[name]; ok {
		return v
	}
	if v, ok := p.busy[name]; ok {
		p.cycles++
		return v
	}
	cycles := p.cycles
	p.busy[name] = pyValue{kind: pyNothing}
	v := p.bound(name)
	if p.cycles > cycles { // it is given what is made of itself
		p.busy[name] = v
		if again := p.bound(name); !again.equal(v) {
			v = pyValue{}
		}
	}
	delete(p.busy, name)
	if p.cycles == cycles || len(p.busy) == 0 {
		p.values[name] = v
		p.cycles = cycles
	}
	return v
}

// bound is the union of all that a name is given.
func (p *pyReader) bound(name string) pyValue {
	list := p.binds[name]
	if len(list) == 0 {
		if hasWord(pyBuiltins, name) && !p.star {
			return pyValue{kind: pyName, words: []string{"builtins." + name}}
		}
		return pyValue{}
	}
	imported := !slices.ContainsFunc(list, func(b pyBinding) bool { return b.how != bindImport })
	if p.star || p.m.cell && !p.m.whole && !imported {
		return pyValue{}
	}
	out := pyValue{kind: pyNothing}
	for _, b := range list {
		if b.how != bindAdded {
			out = union(out, p.binding(b))
		}
	}
	return p.grown(name, out, list)
}

// binding is what one binding gives its name.
func (p *pyReader) binding(b pyBinding) pyValue {
	v := pyValue{}
	switch b.how {
	case bindImport:
		return pyValue{kind: pyName, words: []string{b.name}}
	case bindDef:
		if b.name == "" {
			return pyValue{}
		}
		return p.argument(b.name, b.path[0])
	case bindValue:
		v = p.expr(b.from, b.to)
	case bindItem:
		v = p.expr(b.from, b.to).each()
	case bindWith:
		v = entered(p.expr(b.from, b.to))
	}
	for _, k := range b.path {
		if k < 0 {
			continue
		}
		if v.kind == pyNothing {
			break
		}
		v = v.at(k)
	}
	return v
}

// entered is what a with statement gives for a value: the thing itself, and the path
// of a temporary directory.
func entered(v pyValue) pyValue {
	switch v.kind {
	case pyFile, pyZip, pyBase, pyText, pyList, pyNothing: // a list is that of os.scandir
		return v
	}
	return pyValue{}
}
