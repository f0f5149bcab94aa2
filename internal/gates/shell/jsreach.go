package shell

import (
	"path"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// This file says whether functions of the workspace's own only compute: each name in what they are
// made of is bound there, a global that computes, of a package that only computes, or one of the
// workspace's of which the same holds. JavaScript reaches the system through such names alone, so
// it does not matter then which methods are called on what.

// jsReader follows names through the modules of the workspace.
type jsReader struct {
	own     ownFiles
	modules map[string]*jsModule
	asked   string // the first name that is not known
}

// ownScript says whether all that code of TypeScript or JavaScript brings in of the workspace
// only computes. The first name that does not is asked about.
func (m *machine) ownScript(d *jsModule) bool {
	r := jsReader{own: m.ownFiles(), modules: map[string]*jsModule{}}
	for name, from := range d.imports {
		if !strings.HasPrefix(from.module, ".") {
			continue
		}
		if from.name == "*" {
			if members, ok := d.n.membersOf(name); ok {
				for _, member := range members {
					r.reachIn(m.cwd, from.module, member)
				}
				continue
			}
		}
		r.reachIn(m.cwd, from.module, from.name)
	}
	for i := range d.n.toks {
		if (d.n.is(i, "import") || d.n.is(i, "require")) && d.n.is(i+1, "(") && !d.n.is(i-1, ".") {
			if mod := d.n.quoted(i + 2); strings.HasPrefix(mod, ".") {
				r.reachIn(m.cwd, mod, "*")
			}
		}
	}
	if r.asked != "" {
		m.escape("inline code of node uses " + r.asked)
	}
	return r.asked == ""
}

// membersOf are the members of a module that the code names, if it uses the module no other way.
func (n *nodeCode) membersOf(name string) (members []string, ok bool) {
	for i := range n.toks {
		if !n.is(i, name) || n.toks[i].kind != 'n' || n.is(i-1, ".") || n.is(i-1, "as") || n.is(i-1, "import") || n.is(i-1, "const") && n.is(i+2, "require") {
			continue
		}
		if !n.is(i+1, ".") || i+2 >= len(n.toks) || n.toks[i+2].kind != 'n' || n.toks[i+2].text == "default" {
			return nil, false
		}
		members = append(members, n.toks[i+2].text)
	}
	return members, true
}

//go:noinline
func (r *jsReader) ask(what string) {
	if r.asked == "" {
		r.asked = what
	}
}

// reachIn follows a name of a module that code in a directory names.
func (r *jsReader) reachIn(dir, mod, name string) {
	file, ok := r.own.moduleFile(dir, mod)
	if !ok {
		r.ask(mod + ", a module that gbt cannot read")
		return
	}
	if path.Ext(file) == ".json" {
		r.own.m.read(file)
		return
	}
	d := r.modules[file]
	if d == nil {
		text, settled, ok := r.own.text(file)
		if ok {
			d = readModule(file, text)
		}
		if d == nil {
			r.ask(mod + ", a module that gbt cannot read")
			return
		}
		d.settled = settled
		r.modules[file] = d
		if !settled {
			for _, s := range d.loose {
				r.scan(d, s[0], s[1])
			}
		}
	}
	r.export(d, name)
}

// export follows what a module hands on under a name.
func (r *jsReader) export(d *jsModule, name string) {
	key := "\x00" + name
	if d.busy[key] || r.asked != "" {
		return
	}
	d.busy[key] = true
	own, ok := d.exports[name]
	switch {
	case ok:
		r.local(d, own)
	case name == "*":
		for _, own := range d.exports {
			r.local(d, own)
		}
		for _, mod := range d.stars {
			r.reachIn(path.Dir(d.file), mod, "*")
		}
	case d.exports["*"] != "":
		r.local(d, d.exports["*"])
	case name == "default" && len(d.exports) > 0 && len(d.stars) == 0: // all that a module of CommonJS gives
		r.export(d, "*")
	case len(d.stars) > 0:
		for _, mod := range d.stars {
			r.reachIn(path.Dir(d.file), mod, "*")
		}
	default:
		r.ask(name + ", which gbt does not find in " + baseName(d.file))
	}
}

// local follows a name at the top of a module.
func (r *jsReader) local(d *jsModule, name string) {
	if d.busy[name] || r.asked != "" {
		return
	}
	d.busy[name] = true
	if from, ok := d.imports[name]; ok {
		switch {
		case strings.HasPrefix(from.module, "."):
			r.reachIn(path.Dir(d.file), from.module, from.name)
		case !computingModule(from.module) && !d.usesPartly(name, from):
			r.ask(name + " of " + from.module)
		}
		return
	}
	if len(d.decls[name]) == 0 {
		r.ask(name)
	}
	for _, s := range d.decls[name] {
		r.scan(d, s[0], s[1])
	}
}

// computingModule says whether a module of Node.js or of others only computes with what it is
// given, and makes no code of a text.
func computingModule(mod string) bool {
	return mark.Among(nodeModules, mod) || hasWord(nodeComputes, trimPrefix(mod, "node:")) || hasWord(npmComputes, mod)
}

// scan looks at each name between two tokens of a module.
func (r *jsReader) scan(d *jsModule, from, to int) {
	n := d.n
	inner := &nodeCode{toks: n.toks[:min(to, len(n.toks))], pairs: n.pairs}
	for i := from; i < to; i++ {
		inner.bind(i)
		inner.bindTyped(i)
	}
	for i := from; i < to && i < len(n.toks) && r.asked == ""; i++ {
		switch t := n.toks[i]; {
		case t.kind == 'n':
			r.word(d, inner, i)
		case t.kind == 's' && t.text != "" && hasWord(nodeHidden, strings.Trim(t.text, "\"'`")) && (n.is(i-1, "[") || !d.settled):
			r.ask(t.text)
		case n.is(i, "(") && n.is(i-1, "]") && n.computes(n.opening(i-1)):
			r.ask("a call of a property in brackets")
		case n.is(i, "[") && !d.settled && n.computes(i) && !n.counted(i):
			r.ask("a computed property")
		}
	}
}

// counted says whether a bracket picks by a number: what stands in it is a counter of a loop or
// a sum.
func (n *nodeCode) counted(i int) bool {
	name := n.name(i + 1)
	for k := i + 1; k < n.closing(i); k++ {
		if n.toks[k].kind == 'o' && firstByte("+-*/%", n.toks[k].text[0]) < 0 || n.toks[k].kind == 's' || n.toks[k].kind == 'n' && n.toks[k].text != name {
			return false
		}
	}
	for k := range n.toks {
		if name != "" && n.is(k, name) && n.is(k-1, "let") && n.is(k+1, "=") && k+2 < len(n.toks) && n.toks[k+2].kind == 'd' {
			return true
		}
	}
	return false
}

// bindTyped notes parameters that have a type behind their list: (a: number): string =>.
func (n *nodeCode) bindTyped(i int) {
	switch {
	case n.is(i, ":") && n.is(i-1, ")"):
		n.bindPattern(n.opening(i - 1))
	case n.is(i, "(") && (n.is(i-1, "constructor") || n.is(i-1, ">")):
		n.bindPattern(i)
	case n.is(i, "<") && i > 0 && n.toks[i-1].kind == 'n': // names of types that a function or type takes
		for k := i + 1; k < min(i+24, len(n.toks)) && !n.is(k, "(") && !n.is(k, "{"); k++ {
			if n.name(k) != "" && (n.is(k-1, "<") || n.is(k-1, ",")) && (n.is(k+1, ",") || n.is(k+1, ">") || n.is(k+1, "extends") || n.is(k+1, "=")) && typeName(n.toks[k].text) {
				n.bound = append(n.bound, n.toks[k].text)
			}
		}
	}
}

// typeName says whether a word is written as names of types are, and as no global is that acts.
func typeName(w string) bool {
	return w[0] >= 'A' && w[0] <= 'Z' && !hasWord(jsActs, w)
}

// jsActs are globals of Node.js, Deno and Bun in a module that reach something, load or make code
// (nodejs.org, Global objects; docs.deno.com, Web APIs; bun.sh, Globals).
const jsActs = "Bun Deno EventSource Function HTMLRewriter Proxy Reflect SharedWorker WebAssembly WebSocket WebSocketStream Worker XMLHttpRequest caches eval exports fetch global globalThis importScripts indexedDB localStorage module process require sessionStorage"

// jsTypeWords are words of TypeScript, and types that it declares (typescriptlang.org, Utility
// Types; lib.es5.d.ts). None of them is a value.
const jsTypeWords = "as satisfies type interface enum declare readonly private public protected abstract override implements keyof infer is asserts namespace unique out accessor object void undefined bigint symbol this from default using " +
	"Record Partial Pick Omit Readonly ReadonlyArray ReadonlyMap ReadonlySet Required Exclude Extract NonNullable ReturnType Parameters Awaited InstanceType ConstructorParameters Iterable IterableIterator AsyncIterable AsyncIterableIterator Generator AsyncGenerator AsyncIterator PromiseLike ArrayLike Uppercase Lowercase Capitalize Uncapitalize ThisType NodeJS JSX PropertyKey TemplateStringsArray"

// word judges the name at i.
func (r *jsReader) word(d *jsModule, inner *nodeCode, i int) {
	n, w := d.n, d.n.toks[i].text
	if n.is(i-1, ".") && !(n.is(i-2, ".") && n.is(i-3, ".")) {
		if hasWord(nodeHidden, w) && w != "env" {
			r.ask("." + w)
		}
		return
	}
	key := n.is(i+1, ":") || n.is(i+1, "?") && n.is(i+2, ":")
	if key && !n.is(i-1, "?") && n.is(n.around(i), "{") && (n.is(i-1, "{") || n.is(i-1, ",") || n.is(i-1, ";") || n.toks[i].gap || n.is(i-1, "readonly") || n.is(i-1, "private") || n.is(i-1, "public") || n.is(i-1, "static") || n.is(i-1, "protected")) {
		return
	}
	switch {
	case w == "process":
		r.process(n, i)
	case w == "import":
		if !n.is(i+1, ".") || !n.is(i+2, "meta") || !n.is(i+3, ".") || i+4 >= len(n.toks) || !hasWord("url dirname filename", n.toks[i+4].text) {
			r.dynamic(d, i)
		}
	case w == "require":
		r.dynamic(d, i)
	case w == "constructor" && (n.is(i+1, "(") && n.method(i) || n.is(i+1, "(") && n.classBody(i)), w == "this", w == "super":
	case w == "module" && n.is(i+1, ".") && n.is(i+2, "exports"), w == "exports" && n.is(i+1, "."):
	case hasWord(jsActs, w), hasWord("with debugger", w):
		r.ask(w)
	case hasWord(nodeKeywords, w), hasWord(jsTypeWords, w):
	case len(d.decls[w]) > 0 || d.imports[w] != jsOrigin{}:
		r.local(d, w)
	case contains(w, inner.bound...), hasWord(nodeGlobals, w), n.method(i), len(w) == 1 && w[0] >= 'A' && w[0] <= 'Z':
	case n.classBody(i) && n.member(i):
	default:
		r.ask(w)
	}
}

// classBody says whether the name at i stands right in braces, where a class or an object has its
// members.
func (n *nodeCode) classBody(i int) bool {
	return n.is(n.around(i), "{") && (n.toks[i].gap || n.is(i-1, ";") || n.is(i-1, "{") || n.is(i-1, "}") || n.is(i-1, ",") || i > 0 && n.toks[i-1].kind == 'n' && hasWord("static async get set readonly private public protected override abstract declare", n.toks[i-1].text))
}

// member says whether the name at i is declared there as a member: a method with a type behind
// its parameters, or a field.
func (n *nodeCode) member(i int) bool {
	if n.is(i+1, "(") {
		end := n.closing(i + 1)
		return n.is(end+1, ":") || n.is(end+1, "{")
	}
	return n.is(i+1, "=") && !n.is(i+2, "=") || n.is(i+1, ";")
}

// process judges a use of process: what only tells something, and variables that are no secret's.
func (r *jsReader) process(n *nodeCode, i int) {
	if n.is(i+1, ".") && i+2 < len(n.toks) {
		w := n.toks[i+2].text
		if w == "env" && n.is(i+3, ".") && i+4 < len(n.toks) && n.toks[i+4].kind == 'n' && !names.SecretVariable(n.toks[i+4].text) || mark.Among(nodeReads, w) {
			return
		}
	}
	r.ask("process")
}

// dynamic judges a module that is brought in where it is used.
func (r *jsReader) dynamic(d *jsModule, i int) {
	mod := d.n.quoted(i + 2)
	switch {
	case !d.n.is(i+1, "(") || mod == "" || !d.n.is(i+3, ")"):
		r.ask(d.n.toks[i].text)
	case strings.HasPrefix(mod, "."):
		r.reachIn(path.Dir(d.file), mod, "*")
	case !computingModule(mod) && !(d.n.is(i+4, ".") && i+5 < len(d.n.toks) && hasWord(computingNames(mod), d.n.toks[i+5].text)):
		r.ask(mod)
	}
}

// bringsComputing says whether code requires a package of npm that only computes.
func bringsComputing(text string) bool {
	for rest := text; ; {
		_, after, ok := cutAt(rest, "require")
		if !ok {
			return false
		}
		if mod, _, ok := required(after); ok && hasWord(npmComputes, mod) {
			return true
		}
		rest = after
	}
}
