package shell

import "github.com/gbt-policy/gbt/internal/gates/mark"

// This file writes functions of the workspace that are called like something that reaches the system
// under names that say nothing: what is called so is judged by what it does.

// pyOwnName is put behind such a name.
const pyOwnName = "_of_this_workspace"

// unlucky is what writes such names of a module, where nothing else in it is called so.
func (l *pyLinker) unlucky(d *pyModule) (edits []textEdit) {
	p := d.p
	names := map[string]bool{}
	for _, t := range p.toks {
		if t.kind == 'n' && (mark.Among(dialectOf("python").denied, t.text) || hasWord(pythonReaches+" open", t.text)) && l.means(d, t.text, 0) {
			names[t.text] = true
		}
	}
	for name := range names {
		plain := l.onlyName(d, name)
		for i, t := range p.toks {
			if t.kind != 'n' || t.text != name || t.at < 0 || d.importing(i) {
				continue
			}
			bare := !p.is(i-1, ".") && plain
			behind := p.is(i-1, ".") && d.taken[i]
			if bare || behind {
				edits = append(edits, d.edit(i, i+1, name+pyOwnName))
			}
		}
	}
	return edits
}

// means says whether a name at the top of a module is a function or a class of the workspace.
func (l *pyLinker) means(d *pyModule, name string, depth int) bool {
	if d == nil || depth > 8 {
		return false
	}
	if d.tops[name] {
		for _, u := range d.units {
			if u.name == name && u.parent == nil && (u.kind == pyDef || u.kind == pyClass) && l.onlyName(d, name) {
				return true
			}
		}
		return false
	}
	for i, t := range d.p.toks { // a member of a module of the workspace
		if t.kind == 'n' && t.text == name && d.taken[i] {
			return true
		}
	}
	from := d.froms[name]
	return from != "" && l.onlyName(d, name) && l.means(l.moduleNamed(from), name, depth+1)
}

// onlyName says whether a name is given something once in a module: by a function or a class at its
// top, or by an import.
func (l *pyLinker) onlyName(d *pyModule, name string) bool {
	p, times := d.p, 0
	for _, u := range d.units {
		if u.name == name && u.parent == nil && u.kind != pyTable {
			times++
		}
	}
	for _, s := range d.imports {
		for _, part := range s.parts {
			if part.as == name {
				times++
			}
		}
	}
	for i, t := range p.toks {
		if t.kind != 'n' || t.text != name || p.is(i-1, ".") || d.importing(i) || p.is(i-1, "def") || p.is(i-1, "class") {
			continue
		}
		call := p.is(i+1, "(") || p.is(i+1, ")") || p.is(i+1, ",") || p.is(i+1, "]")
		if !call || p.inside[i] >= 0 && p.is(p.inside[i]-2, "def") || p.is(i-1, "as") || p.is(i-1, "for") || p.is(i-1, "lambda") || p.is(i+1, ",") && p.inside[i] < 0 {
			return false
		}
	}
	return times == 1 && !d.stars
}

// written is a name of a module as it stands in the text.
func (l *pyLinker) written(module, name string) string {
	if (mark.Among(dialectOf("python").denied, name) || hasWord(pythonReaches+" open", name)) && l.means(l.moduleNamed(module), name, 0) {
		return name + pyOwnName
	}
	return name
}
