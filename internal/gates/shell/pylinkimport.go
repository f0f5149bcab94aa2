package shell

import "strings"

// This file reads the imports of modules that are put together.

// pyImport is an import statement.
type pyImport struct {
	from, to int
	module   string // of from MODULE import
	parts    []pyImported
}

// pyImported is one name of it.
type pyImported struct {
	name, as string // what it names, and what it is called here
	own      bool   // it is of the workspace
}

// imports follows the import that starts at a token.
func (l *pyLinker) imports(d *pyModule, i, end int) {
	if d.seen[i] {
		return
	}
	d.seen[i] = true
	p := d.p
	s := &pyImport{from: i, to: end}
	if p.isName(i, "import") {
		for k := i + 1; k < end; {
			next := p.next(k, end, ",")
			mod, j := p.moduleName(k, next)
			top, _, _ := cutAt(mod, ".")
			part := pyImported{name: mod, own: mod != "" && !(l.q.blind && d.tells(p, k, next, top)) && l.load(mod) && !listedLibrary(top)}
			part.as = top
			module := top
			if p.isName(j, "as") && j+1 < next {
				part.as, module = p.toks[j+1].text, mod
			}
			if before, ok := d.roots[part.as]; ok && before != module {
				module = "?"
			}
			if d.roots[part.as] = module; part.own {
				d.mine[part.as] = module
			}
			s.parts = append(s.parts, part)
			k = next + 1
		}
		d.imports = append(d.imports, s)
		return
	}
	mod, j := p.moduleName(i+1, end)
	s.module = d.absolute(mod)
	if !p.is(j, "import") || s.module == "" {
		return
	}
	top, _, _ := cutAt(s.module, ".")
	own := l.load(s.module) && !listedLibrary(top)
	k, to := j+1, end
	if p.is(k, "(") && p.pairs[k] > 0 {
		k, to = k+1, p.pairs[k]
	}
	for k < to {
		next := p.next(k, to, ",")
		part := pyImported{name: p.toks[k].text, as: p.toks[k].text, own: own}
		if p.isName(k+1, "as") && k+2 < next {
			part.as = p.toks[k+2].text
		}
		d.stars = d.stars || part.name == "*"
		if p.toks[k].kind == 'n' && l.submodule(s.module, part.name) {
			part.own = true
			d.mine[part.as] = s.module + "." + part.name
		}
		if before, ok := d.roots[part.as]; ok && before != s.module+"."+part.name {
			d.mine[part.as] = "?"
		}
		if own && part.as == part.name {
			d.froms[part.as] = s.module
		}
		if d.roots[part.as] = s.module + "." + part.name; part.own && part.as != part.name {
			l.aliases = append(l.aliases, [2]string{part.as, part.name})
		}
		s.parts = append(s.parts, part)
		k = next + 1
	}
	d.imports = append(d.imports, s)
}

// listedLibrary says whether a module is called like one of the library: which of them it is depends on
// what was loaded before, so that both are looked at.
func listedLibrary(top string) bool { return strings.Contains(pythonLibrary, " "+top+" ") }

// tells says whether the code only asks the module that is imported between two tokens what it says of
// itself.
func (d *pyModule) tells(p *pyReader, k, next int, top string) bool {
	if p.isName(next-2, "as") {
		top = p.toks[next-1].text
	}
	for i, t := range p.toks {
		if t.kind == 'n' && t.text == top && !p.is(i-1, ".") && (i < k || i >= next) && !(p.is(i+1, ".") && i+2 < len(p.toks) && hasWord(saysOfItself, p.toks[i+2].text)) {
			return false
		}
	}
	return d.name == ""
}

// absolute is the name of a module with that of the package for the dots in front of it (the language
// reference, Package Relative Imports); empty where there is none.
func (d *pyModule) absolute(mod string) string {
	name := strings.TrimLeft(mod, ".")
	up := len(mod) - len(name)
	if up == 0 {
		return name
	}
	pack := d.pack
	for ; up > 1; up-- {
		pack = pack[:max(0, lastByte(pack, '.'))]
	}
	if pack == "" {
		return ""
	}
	return trimSuffix(pack+"."+name, ".")
}

// submodule loads a module that lies in a package, if there is one of that name.
func (l *pyLinker) submodule(pack, name string) bool {
	for _, dir := range l.q.dirs {
		if l.found(dir.path+"/"+strings.ReplaceAll(pack, ".", "/"), name) != "" {
			return l.load(pack + "." + name)
		}
	}
	return false
}

// pyImportsAct are modules of the library that do something when they are imported.
const pyImportsAct = "antigravity this idlelib turtledemo lib2to3 test __hello__ __phello__"

// kept is what is left of an import: what it brings in of others, if anything that runs may mean it, and
// other names of what is the workspace's.
func (l *pyLinker) kept(d *pyModule, s *pyImport) string {
	main := d.name == ""
	var lines, names []string
	for _, part := range s.parts {
		top, _, _ := cutAt(part.name, ".")
		if s.module != "" {
			top, _, _ = cutAt(s.module, ".")
		}
		used := main || l.words[part.as] || part.name == "*" || hasWord(pyImportsAct, top)
		switch {
		case part.own && s.module != "" && part.as != part.name && l.words[part.as]:
			lines = append(lines, part.as+" = "+l.written(s.module, part.name))
		case part.own || !used || s.module != "" && l.replaced(d, part):
		case s.module == "" && (part.as == top && top == part.name || !strings.Contains(part.name, ".") && part.as == part.name):
			lines = append(lines, "import "+part.name)
		case s.module == "" && part.as == top:
			lines = append(lines, "import "+part.name)
		case s.module == "":
			lines = append(lines, "import "+part.name+" as "+part.as)
		case part.as == part.name:
			names = append(names, part.name)
		default:
			names = append(names, part.name+" as "+part.as)
		}
	}
	if len(names) > 0 {
		lines = append(lines, "from "+s.module+" import "+strings.Join(names, ", "))
	}
	if len(lines) == 0 {
		return "0"
	}
	return strings.Join(lines, "; ")
}
