package shell

import (
	"slices"
	"strings"
)

// This file says whether something that runs may run what modules only register.

// reaches says whether something that runs may run what is registered.
func (l *pyLinker) reaches() bool {
	mods := append(slices.Clone(l.order), l.mods[""])
	for size := -1; size < len(l.registries); {
		size = len(l.registries)
		for _, d := range mods {
			for _, s := range d.imports {
				for _, part := range s.parts {
					if part.name == "*" && registrar(s.module) {
						return true
					}
					if s.module != "" && l.registries[part.name] {
						l.registries[part.as] = true
					}
				}
			}
		}
		if l.anyReaches(mods) {
			return true
		}
	}
	return false
}

// anyReaches says whether any token that is written may run what is registered.
func (l *pyLinker) anyReaches(mods []*pyModule) bool {
	for _, d := range mods {
		for _, u := range d.units {
			nested := l.nested(d, u)
			for _, r := range u.written() {
				for i := r[0]; i < r[1]; i++ {
					if len(nested) > 0 && u.awake && i == nested[0][0] {
						i, nested = nested[0][1]-1, nested[1:]
						continue
					}
					if !d.importing(i) && !l.leaves(d, u, i) {
						return true
					}
				}
			}
		}
	}
	return false
}

// asOthers says whether an import of a module gives a name to what another's package has.
func (l *pyLinker) asOthers(d *pyModule, name string) bool {
	for _, s := range d.imports {
		for _, part := range s.parts {
			if part.as == name && !part.own {
				return true
			}
		}
	}
	return false
}

// leaves says whether a token runs nothing that is registered.
func (l *pyLinker) leaves(d *pyModule, u *pyUnit, i int) bool {
	p := d.p
	t := p.toks[i]
	switch {
	case t.kind == 's':
		if p.is(i-1, "(") && p.is(i-2, "getLogger") || l.later(d, u, i) {
			return true
		}
		for part := range strings.FieldsFuncSeq(strings.Trim(strings.TrimLeft(t.text, "rRbBuUfF"), `"'`), func(c rune) bool { return c == '.' || c == ':' }) {
			if l.registries[part] {
				return false
			}
		}
		return true
	case t.kind != 'n':
		return true
	case p.is(i-1, ".") && p.is(i+1, "=") && !p.is(i+2, "=") && hasWord(pyRegistering, t.text) && !hasWord(" name type ", t.text):
		return false // another decorator stands in the place of one
	case p.is(i+1, "=") && !p.is(i+2, "=") && p.inside[i] >= 0 && p.is(p.inside[i], "("):
		return true // an argument's name
	}
	for _, r := range u.decorator {
		if i >= r[0] && i < r[1] && p.inside[i] < 0 {
			return true // its root, of which registers knows
		}
	}
	full, end := l.rootAt(d, i, len(p.toks))
	if full != "" && registrar(full) {
		if p.is(end, "=") && !p.is(end+1, "=") {
			return false // something else stands in the place of one of their members
		}
		if hasWord(pyRegistries, full) && p.is(end, "(") && !p.is(i-1, "@") {
			if !p.is(i-1, "=") || p.toks[i-2].kind != 'n' || p.inside[i] >= 0 {
				return false // a name that is not known has it
			}
			l.registries[p.toks[i-2].text] = true
		}
		return listedMember(pyRegistrarPlain, full) && !p.is(end, ".")
	}
	if full == "" && !p.is(i-1, ".") && (registrar(d.roots[t.text]) && d.mine[t.text] == "" && l.asOthers(d, t.text) || d.roots[t.text] == "?") {
		return false // it may be something else by then
	}
	if !l.registries[t.text] || !p.is(i-1, ".") && d.mine[t.text] != "" && d.mine[t.text] != "?" {
		return true
	}
	return l.leavesAlone(d, i)
}

// leavesAlone says whether the name of what functions are registered with stands where it is made, set up or shown.
func (l *pyLinker) leavesAlone(d *pyModule, i int) bool {
	p := d.p
	from := i
	for from >= 2 && p.is(from-1, ".") && p.toks[from-2].kind == 'n' {
		from -= 2
	}
	switch {
	case from == i && p.isName(i-1, "def"):
		return true
	case from == i && d.startsLine(i) && (p.is(i+1, "=") && !p.is(i+2, "=") || p.is(i+1, ":")):
		return true
	case from == i && p.isName(i-1, "return") && (i+1 == len(p.toks) || d.lineEnd(i) == i+1):
		for _, u := range d.units { // what it makes is the value of the function
			if u.kind == pyDef && u.parent == nil && i > u.head && i < u.to && u.name != "" {
				l.registries[u.name] = true
				return true
			}
		}
		return false
	case from == i && p.is(i-1, "=") && d.startsLine(i-2) && p.toks[i-2].kind == 'n' && p.is(i+1, "(") && d.lineEnd(i) == p.pairs[i+1]+1 && !hasWord(pyRegistries, l.madeBy(d, p.toks[i].text, 0)):
		l.registries[p.toks[i-2].text] = true // a function that makes one
		return true
	case p.is(i+1, ".") && i+2 < len(p.toks) && hasWord(pyRegistryData, p.toks[i+2].text):
		return true
	case p.is(i+1, ".") && i+2 < len(p.toks) && hasWord(pyRegistryLists, p.toks[i+2].text):
		return d.shown(from, i+3, p.toks[i+2].text == "url_map")
	}
	open := p.inside[i]
	if open < 1 || !p.is(open, "(") || !(p.is(from-1, "(") || p.is(from-1, ",")) || !(p.is(i+1, ")") || p.is(i+1, ",")) {
		return false
	}
	return hasWord(pyTakesRegistry, p.toks[open-1].text) || d.shown(from, i+1, false)
}

// shown says whether what an expression lists is only printed, counted, or asked what it is called.
func (d *pyModule) shown(from, to int, rules bool) bool {
	p := d.p
	for p.is(to, ".") && to+2 < len(p.toks) && hasWord("keys iter_rules", p.toks[to+1].text) && p.is(to+2, "(") && p.is(to+3, ")") {
		to += 4
	}
	open := p.inside[from]
	if (p.is(from-1, "(") || p.is(from-1, ",")) && (p.is(to, ")") || p.is(to, ",")) && open > 0 && p.is(open, "(") && !p.is(open-2, ".") {
		switch f := p.toks[open-1].text; {
		case hasWord("print len str repr type bool", f):
			return true
		case hasWord("list sorted set tuple dict pprint", f) && p.is(from-1, "(") && p.is(to, ")"):
			return d.shown(open-1, p.pairs[open]+1, rules)
		}
		return false
	}
	if !p.isName(from-1, "in") || !p.isName(from-3, "for") || p.toks[from-2].kind != 'n' || d.name != "" {
		return false
	}
	name := p.toks[from-2].text
	for i, t := range p.toks {
		if t.kind != 'n' || t.text != name || p.is(i-1, ".") || i == from-2 {
			continue
		}
		tells := p.is(i+1, ".") && i+2 < len(p.toks) && !p.is(i+3, "(") && !p.is(i+3, "[") && !p.is(i+3, ".") && (hasWord(pyListedTells, p.toks[i+2].text) || rules && p.toks[i+2].text == "endpoint")
		alone := p.is(i-1, "(") && p.is(i+1, ")") && i >= 2 && hasWord("print str repr type len", p.toks[i-2].text) && !p.is(i-3, ".")
		if !tells && !alone {
			return false
		}
	}
	return true
}
