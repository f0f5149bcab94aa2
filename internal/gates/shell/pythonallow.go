package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file allows inline Python by name: built-in functions, what may be used of
// each module of the library, and methods. Code in which every word is known to
// reach nothing can build no other way to reach it, whatever it computes, because
// reflection is not among the known words. Everything else asks.

// pythonCode is inline Python while its words are looked at.
type pythonCode struct {
	m       *machine
	toks    []token
	modules []alias
	py      *pyReader // nil where the code could not be read
	strict  bool      // tables of a database are declared: what is asked of them is not known by its name
	foreign bool      // a module that is not of the library is in use, or names of earlier code
	asked   string
	at      int // the place in the text that is looked at
}

// alias is a name for a module.
type alias struct{ name, module string }

// allowPython records the first word of the code that is not known to be harmless.
func (m *machine) allowPython(text string, py *pyReader) {
	p := pythonCode{m: m, foreign: m.cell, py: py}
	var bad string
	if p.toks, bad = dialectOf("python").tokens(text); bad != "" {
		m.escape("inline code of python has " + bad)
		return
	}
	p.imports()
	for i := 0; i < len(p.toks) && p.asked == ""; i++ {
		p.looksAt(i)
		switch t := p.toks[i]; t.kind {
		case 's':
			p.constant(t.text, i)
		case 'n':
			i += p.word(i)
		}
	}
	if p.asked != "" {
		m.escape("inline code of python uses " + p.asked + m.sourceOf(text, p.at))
	}
}

// looksAt notes where a token stands; those inside a text stand where it does.
func (p *pythonCode) looksAt(i int) {
	if p.toks[i].at >= 0 {
		p.at = p.toks[i].at
	}
}

// ask notes the first name that is not known. Not inlined, for the size of programs.
//
//go:noinline
func (p *pythonCode) ask(what string) {
	if p.asked == "" {
		p.asked = what
	}
}

// imports notes what each module is called, all over the code, before its words
// are looked at: a function may be used above the import that it relies on.
func (p *pythonCode) imports() {
	for i := 0; i < len(p.toks) && p.asked == ""; i++ {
		p.looksAt(i)
		switch {
		case p.is(i, "import") && !p.is(i-1, "."):
			i = p.importModules(i + 1)
		case p.is(i, "from") && !p.is(i-1, ".") && !p.is(i-1, "yield") && !p.raises(i):
			i = p.importNames(i + 1)
		}
	}
}

// dotted reads a module's name and returns where it ends.
func (p *pythonCode) dotted(i int) (string, int) {
	var b strings.Builder
	for ; i < len(p.toks); i++ {
		t := p.toks[i]
		if t.kind == 'o' && t.text == "." || t.kind == 'n' && t.text != "as" && t.text != "import" && (b.Len() == 0 || strings.HasSuffix(b.String(), ".")) {
			b.WriteString(t.text)
			continue
		}
		break
	}
	return b.String(), i
}

// importModules reads import a.b, c as d and returns its last token.
func (p *pythonCode) importModules(i int) int {
	for {
		mod, j := p.dotted(i)
		if mod == "" {
			return j
		}
		p.use(mod)
		if p.is(j, "as") && j+1 < len(p.toks) {
			p.modules = append(p.modules, alias{p.toks[j+1].text, mod})
			if p.m.cell && libraryModule(mod) && pythonMembers(mod) != "*" {
				p.ask("another name for " + mod) // later code does not show what it means
			}
			j += 2
		} else {
			top, _, _ := cutAt(mod, ".")
			p.modules = append(p.modules, alias{top, top})
		}
		if !p.is(j, ",") {
			return j - 1
		}
		i = j + 1
	}
}

// importNames reads from a import b as c, d and returns its last token.
func (p *pythonCode) importNames(i int) int {
	mod, j := p.dotted(i)
	if !p.is(j, "import") {
		return j
	}
	p.use(mod)
	j++
	if p.is(j, "*") {
		if libraryModule(mod) && pythonMembers(mod) != "*" || p.strange(mod, "") {
			p.ask("from " + mod + " import *")
		}
		return j
	}
	open := p.is(j, "(")
	if open {
		j++
	}
	for ; j < len(p.toks) && p.toks[j].kind == 'n'; j++ {
		name := p.toks[j].text
		if mod != "subprocess" || !p.py.onlyStarted(mod, name) {
			p.member(mod, name)
		}
		as := name
		if p.is(j+1, "as") && j+2 < len(p.toks) {
			as = p.toks[j+2].text
			j += 2
		}
		if pythonMembers(mod+"."+name) != "" {
			p.modules = append(p.modules, alias{as, mod + "." + name})
		}
		if !p.is(j+1, ",") {
			break
		}
		j++
	}
	return j
}

// use judges the import of a module.
func (p *pythonCode) use(mod string) {
	switch {
	case strings.HasPrefix(mod, "."):
	case libraryModule(mod):
		if pythonMembers(mod) == "" {
			p.ask("import " + mod)
		}
		return
	}
	if p.strict = p.strict || p.m.linked != nil && p.m.linked.declares(mod, ""); !p.strict {
		p.foreign, p.m.foreign = true, true
	}
	z, _, _ := p.m.p.Where(p.m.cwd)
	if z != effect.ZoneWorkspace && z != effect.ZoneCaller { // then any directory's file may be the module
		p.m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Resource: "module " + mod})
	}
}

// libraryModule says whether a module is one of Python's own, or of its innards.
func libraryModule(mod string) bool {
	top, _, _ := cutAt(mod, ".")
	return strings.HasPrefix(top, "_") || strings.Contains(pythonLibrary, " "+top+" ")
}

// member judges a name of a module.
func (p *pythonCode) member(mod, name string) {
	list := pythonMembers(mod)
	switch {
	case p.strange(mod, name):
		p.strangeName(mod, name)
	case !libraryModule(mod):
		if name != "loads" || !hasWord("orjson simplejson toml tomli ujson", mod) {
			p.foreignName(name)
		}
	case hasWord(list, name), pythonMembers(mod+"."+name) != "", p.m.linked != nil && p.m.linked.member(mod, name):
	case list != "*" || name[0] == '_' && name != "__version__" || libraryModule(name) && !ownMember(mod, name):
		p.ask(mod + "." + name)
	}
}

// ownMember says whether a module has something of its own that is called like a
// module of the library: itself, and a few more.
func ownMember(mod, name string) bool {
	return mod == name || mod == "datetime" && name == "time"
}

// foreignName judges a name of a module that is not the library's: code of the
// workspace or of a package, which may have modules of the library in reach.
func (p *pythonCode) foreignName(name string) {
	if d := dialectOf("python"); mark.Among(d.denied, name) || pythonEscapes(name) || hasWord(pythonFrames, name) {
		p.ask(name)
		return
	}
	if name = strings.TrimLeft(name, "_"); name != "" && libraryModule(name) && !hasWord(pythonMethods, name) && !hasWord(sharedNames, name) {
		p.ask(name)
	}
}

// word judges the name at i and returns how many further tokens it took.
func (p *pythonCode) word(i int) int {
	t := p.toks[i]
	if p.is(i-1, ".") && i >= 2 && !p.is(i-2, ".") {
		p.attribute(i)
		return 0
	}
	named := p.is(i+1, "=") && !p.is(i+2, "=") && (p.is(i-1, "(") || p.is(i-1, ","))
	switch {
	case strings.HasPrefix(t.text, "__") && !hasWord(pythonDunders, t.text), hasWord(pythonReaches, t.text) && !named, t.text == "eval_str", t.text == "file" && p.is(i+1, "("):
		p.ask(t.text)
	case t.text == "open" && !p.is(i-1, "def") && !p.is(i-1, "import") && !p.knows(i):
		p.opens(i)
	case p.m.records && p.m.linked != nil && !p.m.linked.calls(p, i):
		p.ask(t.text)
	case t.text == "environ":
		p.environ(i + 1)
	case t.text == "Path" && p.is(i+1, "("):
		p.path(i, i+2)
	}
	if mod := p.module(t.text); mod != "" && !p.imported(i) {
		return p.chain(i, mod)
	}
	return 0
}

// imported says whether the name at i stands in an import, or is the name of an
// argument.
func (p *pythonCode) imported(i int) bool {
	if p.is(i+1, "=") && !p.is(i+2, "=") && (p.is(i-1, "(") || p.is(i-1, ",")) {
		return true
	}
	for j := i - 1; j >= 0; j-- {
		switch t := p.toks[j]; {
		case p.is(j, "import") || p.is(j, "from") && !p.is(j-1, "yield"):
			return true
		case t.kind == 'n' || p.is(j, ",") || p.is(j, ".") || p.is(j, "("):
			if p.toks[j+1].gap && !p.is(j, "(") && !p.is(j, ",") {
				return false
			}
		default:
			return false
		}
	}
	return false
}

func (p *pythonCode) module(name string) string {
	for _, a := range p.modules {
		if a.name == name {
			return a.module
		}
	}
	if p.m.cell && hasWord("os sys io shutil inspect asyncio logging", name) {
		return name // imported by earlier code
	}
	return ""
}

// chain judges a module's name and the attributes behind it. A module of which not
// everything may be used must not go from hand to hand under another name.
func (p *pythonCode) chain(i int, mod string) int {
	k := i
	for p.is(k+1, ".") && k+2 < len(p.toks) && p.toks[k+2].kind == 'n' {
		name := p.toks[k+2].text
		k += 2
		if mod == "unittest" && name == "main" && p.is(k+1, "(") && p.is(k+2, ")") {
			return k - i // runs the tests of this code; told names, it calls what they name
		}
		if !p.knows(k) {
			p.member(mod, name)
		}
		sub := mod + "." + name
		if pythonMembers(sub) == "" && (libraryModule(mod) || !p.submodule(sub)) {
			if name == "Path" && p.is(k+1, "(") && mod != "click" {
				p.path(i, k+2)
			}
			if name == "open" && !p.knows(k) {
				p.opens(k)
			}
			if name == "environ" {
				p.environ(k + 1)
			}
			return k - i
		}
		mod = sub
	}
	if libraryModule(mod) && pythonMembers(mod) != "*" || p.strange(mod, "") && !p.shownAlone(i, k) {
		p.ask(mod + " as a value")
	}
	return k - i
}

// environ judges a change of the environment, at what follows its name: one of a
// constant name is judged as a shell's, any other asks.
func (p *pythonCode) environ(i int) {
	set := p.is(i, ".") && (p.is(i+1, "setdefault") || p.is(i+1, "update") || p.is(i+1, "clear") || p.is(i+1, "pop"))
	if set {
		i++
	}
	k := i + 2
	switch {
	case set:
	case p.is(i, "[") && p.is(k, "]") && p.is(k+1, "=") && !p.is(k+2, "="):
	default:
		return
	}
	if k+2 >= len(p.toks) || p.toks[i+1].kind != 's' && !set || set && (!p.is(i, "setdefault") || p.toks[k].kind != 's') {
		p.ask("a computed environment")
		return
	}
	name, value := p.toks[i+1], p.toks[k+2]
	if set {
		name = p.toks[k]
	}
	if value.kind != 's' {
		p.ask("a computed environment")
		return
	}
	n, _ := quotedString(name.text, name.text[0])
	v, _ := quotedString(value.text, value.text[0])
	p.m.environment(n, v)
}

func (p *pythonCode) submodule(mod string) bool {
	for _, a := range p.modules {
		if strings.HasPrefix(a.module, mod) {
			return true
		}
	}
	return false
}

// attribute judges the name after a dot.
func (p *pythonCode) attribute(i int) {
	name := p.toks[i].text
	p.evaluates(i)
	switch {
	case p.m.records && (name == "_meta" || name[0] != '_'):
		if !p.knows(i) && !p.readsRecord(i) && !(p.py != nil && p.py.names[i]) {
			p.ask("." + name)
		}
	case p.knows(i), p.py != nil && p.py.names[i]:
	case strings.HasPrefix(name, "__"):
		if pythonEscapes(name) || !hasWord(pythonDunders, name) && p.is(i+1, "(") {
			p.ask(name)
		}
	case strings.HasPrefix(name, "_"):
		if !hasWord("_asdict _fields _replace _make", name) && !p.is(i-2, "self") && !p.is(i-2, "cls") && !(p.m.linked != nil && p.defined(name)) {
			p.ask(name)
		}
	case p.py.writesTree(i), p.py.readsUnknown(i):
		p.ask("." + name)
	case hasWord(pythonMethods, name), p.defined(name), p.m.linked != nil && p.m.linked.method(p, i):
	case p.foreign && !p.strict:
		p.foreignName(name)
	default:
		p.ask("." + name)
	}
}

// defined says whether the code itself gives a name to an attribute or a method.
func (p *pythonCode) defined(name string) bool {
	if hasWord(pythonReaches, name) || mark.Among(dialectOf("python").denied, name) {
		return false
	}
	for i, t := range p.toks {
		if t.kind == 's' && p.is(i-1, "(") && p.is(i-2, "add_argument") && strings.ReplaceAll(strings.TrimLeft(strings.Trim(t.text, `"'`), "-"), "-", "_") == name {
			return true // argparse, "dest"
		}
		if p.toks[i].kind == 'n' && p.toks[i].text == name && (p.is(i-1, "def") || p.assigns(i)) {
			return true
		}
	}
	return false
}

// assigns says whether the name at i is set as an attribute, or in a line of its own
// as those of classes are.
func (p *pythonCode) assigns(i int) bool {
	if !p.is(i+1, "=") && !p.is(i+1, ":") || p.is(i+2, "=") {
		return false
	}
	return p.toks[i].gap || p.is(i-1, ".") && p.is(i-2, "self")
}

// opens judges a use of open: a call, whose mode is plain to see. The path is
// judged where the code is scanned.
func (p *pythonCode) opens(i int) {
	if !p.is(i+1, "(") {
		p.ask("open as a value")
		return
	}
	depth, arg := 0, 0
	for j := i + 1; j < len(p.toks); j++ {
		switch {
		case p.toks[j].kind == 's':
		case strings.Contains("([{", p.toks[j].text):
			depth++
		case strings.Contains(")]}", p.toks[j].text):
			if depth--; depth == 0 {
				return
			}
		case depth == 1 && p.is(j, ","):
			if arg++; arg == 1 && !p.namedArgument(j+1) && (p.toks[min(j+1, len(p.toks)-1)].kind != 's' || !p.ends(j+2)) {
				p.ask("open with a computed mode")
			}
		case depth == 1 && (p.is(j, "mode") || p.is(j, "file") || p.is(j, "opener") || p.is(j, "*")):
			if p.is(j, "mode") && p.is(j+1, "=") && j+2 < len(p.toks) && p.toks[j+2].kind == 's' && p.ends(j+3) {
				continue
			}
			p.ask("open with " + p.toks[j].text)
		}
	}
}

func (p *pythonCode) namedArgument(i int) bool {
	return i+1 < len(p.toks) && p.toks[i].kind == 'n' && p.is(i+1, "=")
}

// ends says whether an argument ends before token i.
func (p *pythonCode) ends(i int) bool { return p.is(i, ",") || p.is(i, ")") }

// knows says whether what the word at i does is known by the values around it. Not inlined, for the size of programs.
//
//go:noinline
func (p *pythonCode) knows(i int) bool { return p.toks[i].at >= 0 && p.py.knows(p.toks[i].at) }

// path judges the first argument of Path, which starts at from: it may be a constant,
// something else that is known, or the script.
func (p *pythonCode) path(from, i int) {
	switch {
	case p.py != nil && p.toks[i-1].at >= 0 && p.py.expr(from, p.py.pairs[i-1]+1).known():
	case p.is(i, ")"), p.is(i, "__file__"):
	case i < len(p.toks) && p.toks[i].kind == 's' && p.is(i+1, ")") && !p.is(i+1, "{"):
	default:
		p.ask("a computed path")
	}
}

// constant judges a string: a name with underscores around it opens objects up to
// str.format, and a step up leaves the workspace part by part.
func (p *pythonCode) constant(text string, at int) {
	for rest := text; ; {
		i := strings.Index(rest, "__")
		if i < 0 {
			break
		}
		n := nameLen(rest[i:])
		if w := rest[i : i+n]; strings.Trim(w, "_") != "" && (i == 0 || !isNameByte(rest[i-1])) && pythonEscapes(w) && (i > 0 && rest[i-1] == '.' || !p.onlyText(at)) {
			p.ask(w)
		}
		rest = rest[i+n:]
	}
	for _, w := range strings.Fields(pythonFrames) {
		if strings.Contains(text, "."+w) {
			p.ask(w)
		}
	}
	if strings.Contains(text, `\N{`) || strings.Trim(text, `"'`) == ".." {
		p.ask("the string " + text)
	}
}

// is says whether token i is the given operator or name. Not inlined, for the size of programs.
//
//go:noinline
func (p *pythonCode) is(i int, text string) bool {
	return i >= 0 && i < len(p.toks) && p.toks[i].kind != 's' && p.toks[i].text == text
}
