package shell

import (
	"path"
	"strings"
)

// This file cuts a module of JavaScript or TypeScript into its statements: what each of its names
// is declared by, where it comes from, and under which name others have it (ECMA-262, 16.2).

// jsModule is a module of the workspace.
type jsModule struct {
	file    string
	settled bool // the session did not change it
	n       *nodeCode
	decls   map[string][][2]int // of each name at the top: the tokens that declare and set it
	imports map[string]jsOrigin
	exports map[string]string // of each name that others have, the module's own
	stars   []string          // modules of which it hands on all
	loose   [][2]int          // statements that declare nothing: they run when it is loaded
	busy    map[string]bool
}

// jsOrigin is a name of another module; "*" is all of it.
type jsOrigin struct{ module, name string }

// jsStarts are the words that start a statement at the top of a module.
const jsStarts = "import export function async class const let var interface type enum declare abstract namespace if for while switch try do"

// readModule cuts a module; nil if it cannot be cut into words.
func readModule(file, text string) *jsModule {
	l := lexer{d: dialectOf("node"), whole: true}
	if l.cut(trimPrefix(text, "\ufeff"), true); l.bad != "" || strings.Contains(text, "<!--") || strings.Contains(text, "-->") {
		return nil
	}
	n := &nodeCode{toks: l.toks}
	n.pairBrackets()
	d := &jsModule{file: file, n: n, decls: map[string][][2]int{}, imports: map[string]jsOrigin{}, exports: map[string]string{}, busy: map[string]bool{}}
	for i := 0; i < len(n.toks); {
		end := d.statementEnd(i)
		d.statement(i, end)
		i = end
	}
	return d
}

// statementEnd is where the statement at the top that starts at i ends: behind a semicolon, or
// before a line that starts with a word that starts one.
func (d *jsModule) statementEnd(i int) int {
	n := d.n
	for k := i; k < len(n.toks); k++ {
		if k > i && n.toks[k].gap && n.toks[k].kind == 'n' && (hasWord(jsStarts, n.toks[k].text) || n.is(k+1, ".") && hasWord("module exports", n.toks[k].text)) && !n.is(k-1, "=") && !n.is(k-1, ",") && !n.is(k-1, "export") && !n.is(k-1, "default") && !n.is(k-1, "from") {
			return k
		}
		if n.is(k, ";") {
			return k + 1
		}
		if e := n.closing(k); n.toks[k].kind == 'o' && firstByte("([{", n.toks[k].text[0]) >= 0 {
			k = e
		}
	}
	return len(n.toks)
}

// quoted is the constant text at i, empty where there is none. Not inlined, for the size of programs.
//
//go:noinline
func (n *nodeCode) quoted(i int) string {
	if i < 0 || i >= len(n.toks) || n.toks[i].kind != 's' || n.toks[i].text[0] == '`' || strings.Contains(n.toks[i].text, `\`) {
		return ""
	}
	return strings.Trim(n.toks[i].text, `"'`)
}

// statement notes what one statement declares.
func (d *jsModule) statement(from, to int) {
	n, i := d.n, from
	if n.is(i, "import") && !n.is(i+1, "(") && !n.is(i+1, ".") {
		d.imported(i+1, to)
		return
	}
	exported := n.is(i, "export")
	if exported {
		if i++; d.exported(i, from, to) {
			return
		}
	}
	for i < to && n.toks[i].kind == 'n' && hasWord("declare abstract async", n.toks[i].text) {
		i++
	}
	switch {
	case i+1 < to && n.toks[i].kind == 'n' && hasWord("function class interface type enum namespace", n.toks[i].text):
		if i++; n.is(i, "*") {
			i++
		}
		if i < to && n.toks[i].kind == 'n' {
			d.declare(n.toks[i].text, from, to, exported)
			return
		}
	case i < to && (n.is(i, "const") || n.is(i, "let") || n.is(i, "var")):
		d.variables(i+1, from, to, exported)
		return
	case n.is(i, "module") && n.is(i+1, ".") && n.is(i+2, "exports"):
		d.given(i+3, from, to)
		return
	case n.is(i, "exports") && n.is(i+1, "."):
		d.given(i, from, to)
		return
	}
	d.loose = append(d.loose, [2]int{from, to})
	if i+2 < to && n.toks[i].kind == 'n' { // a name at the top that is given something later
		d.decls[n.toks[i].text] = append(d.decls[n.toks[i].text], [2]int{from, to})
	}
}

func (d *jsModule) declare(name string, from, to int, exported bool) {
	d.decls[name] = append(d.decls[name], [2]int{from, to})
	if exported {
		d.exports[name] = name
	}
}

// variables notes the names that a declaration binds: all of it counts for each. A module that is
// required by its name is an import.
func (d *jsModule) variables(i, from, to int, exported bool) {
	n := d.n
	if mod, names, ok := d.required(i, to); ok {
		for own, name := range names {
			d.imports[own] = jsOrigin{mod, name}
		}
		return
	}
	binder := &nodeCode{toks: n.toks, pairs: n.pairs}
	for k := i; k < to; k++ { // each name that stands first, or behind a comma at the top
		if k == i || n.is(k-1, ",") {
			binder.bindPattern(k)
		}
		if n.toks[k].kind == 'o' && firstByte("([{", n.toks[k].text[0]) >= 0 {
			k = n.closing(k)
		}
	}
	for _, name := range binder.bound {
		d.declare(name, from, to, exported)
	}
}

// required reads PATTERN = require("MODULE").
func (d *jsModule) required(i, to int) (mod string, names map[string]string, ok bool) {
	n := d.n
	names = map[string]string{}
	eq := i + 1
	if n.is(i, "{") {
		eq = n.closing(i) + 1
		if names = n.bindings(i); names == nil {
			return "", nil, false
		}
	} else if name := n.name(i); name != "" {
		names[name] = "*"
	}
	mod = n.quoted(eq + 3)
	end := eq + 5
	return mod, names, n.is(eq, "=") && n.is(eq+1, "require") && n.is(eq+2, "(") && mod != "" && n.is(eq+4, ")") && (end == to || n.is(end, ";") && end+1 == to)
}

// bindings reads {a, b as c, d: e} at i: the names that are bound, with those that they stand for;
// nil where it is something else.
func (n *nodeCode) bindings(i int) map[string]string {
	names := map[string]string{}
	end := n.closing(i)
	for k := i + 1; k < end; k++ {
		if n.is(k, "type") && k+1 < end && n.toks[k+1].kind == 'n' && !n.is(k+1, "as") {
			k++
		}
		if n.toks[k].kind != 'n' {
			return nil
		}
		name, own := n.toks[k].text, n.toks[k].text
		if (n.is(k+1, "as") || n.is(k+1, ":")) && k+2 < end && n.toks[k+2].kind == 'n' {
			own = n.toks[k+2].text
			k += 2
		}
		names[own] = name
		if k++; k < end && !n.is(k, ",") {
			return nil
		}
	}
	return names
}

// imported reads an import from behind its word.
func (d *jsModule) imported(i, to int) {
	n := d.n
	if n.is(i, "type") && !n.is(i+1, "from") && !n.is(i+1, ",") {
		i++
	}
	names := map[string]string{}
	if name := n.name(i); name != "" && n.toks[i].kind == 'n' {
		names[name] = "default"
		if i++; n.is(i, ",") {
			i++
		}
	}
	switch {
	case n.is(i, "*") && n.is(i+1, "as") && i+2 < to:
		names[n.toks[i+2].text] = "*"
		i += 3
	case n.is(i, "{"):
		for own, name := range n.bindings(i) {
			names[own] = name
		}
		i = n.closing(i) + 1
	}
	mod := ""
	if n.is(i, "from") {
		mod = n.quoted(i + 1)
	} else {
		d.loose = append(d.loose, [2]int{i, i}) // for what it does when it is loaded
	}
	for own, name := range names {
		d.imports[own] = jsOrigin{mod, name}
	}
}

// exported reads an export from behind its word, but for one that is a declaration.
func (d *jsModule) exported(i, from, to int) bool {
	n := d.n
	if n.is(i, "type") && n.is(i+1, "{") {
		return true
	}
	switch {
	case n.is(i, "*") && n.is(i+1, "from"):
		d.stars = append(d.stars, n.quoted(i+2))
	case n.is(i, "*") && n.is(i+1, "as") && i+4 < to:
		name := n.toks[i+2].text
		d.exports[name], d.imports[name] = name, jsOrigin{n.quoted(i + 4), "*"}
	case n.is(i, "{"):
		end := n.closing(i)
		for other, own := range n.bindings(i) {
			if n.is(end+1, "from") {
				d.exports[other] = "export " + other
				d.imports["export "+other] = jsOrigin{n.quoted(end + 2), own}
				continue
			}
			d.exports[other] = own
		}
	case n.is(i, "default"):
		d.exports["default"] = "export default"
		d.decls["export default"] = append(d.decls["export default"], [2]int{i + 1, to})
		k := i + 1
		for n.is(k, "async") || n.is(k, "abstract") || n.is(k, "*") || n.is(k, "function") || n.is(k, "class") {
			k++
		}
		if name := n.name(k); name != "" && k > i+1 {
			d.decls[name] = append(d.decls[name], [2]int{from + 1, to})
		}
	case n.is(i, "="):
		d.decls["export default"] = append(d.decls["export default"], [2]int{i + 1, to})
		d.exports["default"], d.exports["*"] = "export default", "export default"
	default:
		return false
	}
	return true
}

// given reads what module.exports, or a member of it, is set to; i is behind module.exports or
// at exports.
func (d *jsModule) given(i, from, to int) {
	n := d.n
	if n.is(i, "exports") {
		i++
	}
	name := "*"
	if n.is(i, ".") && i+2 < to && n.toks[i+1].kind == 'n' {
		name, i = n.toks[i+1].text, i+2
	}
	if !n.is(i, "=") || n.is(i+1, "=") {
		d.loose = append(d.loose, [2]int{from, to})
		return
	}
	if name == "*" && n.is(i+1, "{") {
		if names := n.bindings(i + 1); names != nil {
			for own, other := range names { // {other: own}
				d.exports[other] = own
			}
			d.exports["*"] = "export *"
			d.decls["export *"] = append(d.decls["export *"], [2]int{i + 1, to})
			return
		}
	}
	key := "export " + name
	d.exports[name] = key
	d.decls[key] = append(d.decls[key], [2]int{i + 1, to})
}

// jsEndings are those that Node.js's and TypeScript's resolution put behind a name
// (typescriptlang.org, Modules - Reference; nodejs.org, LOAD_AS_FILE).
const jsEndings = " .ts .tsx .mts .cts .js .mjs .cjs .jsx .json /index.ts /index.tsx /index.js /index.mjs /index.cjs"

// moduleFile is the file of the workspace that a module of a relative name is.
func (o *ownFiles) moduleFile(dir, mod string) (string, bool) {
	if mod != "." && mod != ".." && !strings.HasPrefix(mod, "./") && !strings.HasPrefix(mod, "../") || strings.ContainsAny(mod, "\\%?#\x00") {
		return "", false
	}
	full := o.m.p.Resolve(dir, mod)
	if file, ok := o.find(full, strings.TrimSpace(jsEndings)); ok && path.Ext(full) == "" {
		return file, true
	}
	switch end := path.Ext(full); end {
	case ".ts", ".tsx", ".mts", ".cts", ".jsx", ".json":
		return full, true
	case ".js", ".mjs", ".cjs": // the source that a compiler makes it of comes first
		base := trimSuffix(full, end)
		if file, ok := o.find(base, strings.Replace(end, "j", "t", 1)+" "+end+" .tsx"); ok {
			return file, true
		}
	}
	return o.find(full, strings.TrimSpace(jsEndings))
}
