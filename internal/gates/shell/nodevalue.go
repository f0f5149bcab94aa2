package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file tells which paths the functions of Node.js's fs are given, where they are
// put together out of constants: names that are set once or more, path.join, templates,
// loops over arrays. As for Python, a name is the union of all that it is given.

// nodeReader reads inline JavaScript.
type nodeReader struct {
	n       *nodeCode
	binds   map[string][]nodeBinding
	busy    map[string]bool
	budget  int
	stop    int          // where a value is to end, 0 for where it does
	handled map[int]bool // places in the text of calls whose effects are known
}

// nodeBinding is one way in which a name gets a value: that of the expression at from,
// an item of it, or one that is not known.
type nodeBinding struct {
	how  byte // as in pyBinding
	from int
	to   int // of bindCallback, where the array ends
}

// readNode reads code; nil if it cannot be cut into words.
func (m *machine) readNode(text string) *nodeReader {
	n := &nodeCode{m: m}
	var bad string
	if n.toks, bad = dialectOf("node").tokens(text); bad != "" || strings.Contains(text, "<!--") || strings.Contains(text, "-->") {
		return nil
	}
	n.pairBrackets()
	r := &nodeReader{n: n, binds: map[string][]nodeBinding{}, busy: map[string]bool{}, handled: map[int]bool{}, budget: 20000}
	for i := range n.toks {
		r.bind(i)
	}
	if !r.sound() {
		return nil
	}
	return r
}

// touches records the effects of the calls of fs whose paths are known.
func (r *nodeReader) touches() {
	for i, t := range r.n.toks {
		writes, ok := nodeFile(t.text)
		if t.kind != 'n' || t.at < 0 || !ok || !r.n.is(i+1, "(") || !r.n.is(i-1, ".") || !r.isFs(i-2) {
			continue
		}
		v, end := r.value(i + 2)
		if !v.known() || !r.n.endsArgument(end) {
			continue
		}
		reader := pyReader{m: r.n.m}
		r.handled[t.at] = true
		if writes {
			reader.each(v, func(w string) { r.n.m.write(w, effect.OpCreate) })
			continue
		}
		reader.each(v, r.n.m.read)
	}
}

// knows says whether what stands at a place of the text is judged already.
func (r *nodeReader) knows(at int) bool { return r != nil && r.handled[at] }

// isFs says whether the value that ends at i is the module fs.
func (r *nodeReader) isFs(i int) bool {
	n := r.n
	if o := n.opening(i); n.is(i, ")") && n.is(o-1, "require") && i == o+2 && n.toks[o+1].kind == 's' {
		mod, ok := r.plain(o + 1)
		return ok && trimPrefix(mod, "node:") == "fs"
	}
	if i < 0 || n.name(i) == "" || n.is(i-1, ".") {
		return false
	}
	v := r.word(n.toks[i].text)
	return v.kind == pyName && v.words[0] == "fs"
}

// bind notes what the name at i is given, if it is given something there.
func (r *nodeReader) bind(i int) {
	n := r.n
	name := n.name(i)
	sets := n.is(i+1, "=") && !n.is(i+2, "=") && !n.is(i+2, ">")
	if name == "" || n.is(i-1, ".") && !n.is(i-2, ".") && !(sets && n.is(i-2, "this")) {
		return
	}
	b := nodeBinding{how: bindUnknown}
	declared := n.is(i-1, "const") || n.is(i-1, "let") || n.is(i-1, "var")
	switch {
	case r.pattern(i), n.is(i-1, "."):
	case sets && (declared || n.toks[i].gap || i == 0 || strings.Contains(";}{,", n.toks[i-1].text) && r.n.depth(i) == 0):
		b = nodeBinding{how: bindValue, from: i + 2}
	case declared && n.is(i+1, "of") && n.is(i-2, "("):
		b = nodeBinding{how: bindItem, from: i + 2}
	case n.is(i+1, "=") && n.is(i+2, ">"):
		b = r.callback(i - 1)
	case n.is(i-1, "(") && n.is(i+1, ")") && n.is(i+2, "=") && n.is(i+3, ">"):
		b = r.callback(i - 2)
	case !sets && !declared && r.loads(i):
		return
	}
	r.binds[name] = append(r.binds[name], b)
}

// pattern says whether the name at i may be a part of a pattern or a parameter: what a
// bracket around it holds is set, looped over, or followed by a function's body.
func (r *nodeReader) pattern(i int) bool {
	n := r.n
	for k, depth := n.around(i), 0; k >= 0; k, depth = n.around(k), depth+1 {
		end := n.closing(k)
		switch {
		case depth >= maxList, n.is(k-1, "catch"):
			return true
		case n.is(end+1, "=") && (n.is(end+2, ">") && !(n.is(i+1, ")") && k == i-1) || !n.is(end+2, "=") && !n.is(end+2, ">")):
			return true
		case !n.is(k, "(") && (n.is(end+1, "of") || n.is(end+1, "in")):
			return true
		case n.is(k, "(") && n.is(end+1, "{") && !n.condition(end):
			return true
		}
		if n.is(k, "{") && !n.is(k-1, "(") && !n.is(k-1, ",") && !n.is(k-1, ":") && !n.is(k-1, "[") && !n.is(k-1, "{") {
			return false // a block, or a value of its own
		}
	}
	return false
}

// loads says whether the name at i is only used.
func (r *nodeReader) loads(i int) bool {
	n := r.n
	for _, sign := range []string{"+", "-"} {
		if n.is(i+1, sign) && n.is(i+2, sign) || n.is(i-1, sign) && n.is(i-2, sign) {
			return false
		}
	}
	for k := i + 1; k < min(i+4, len(n.toks)-1) && n.toks[k].kind == 'o' && strings.Contains("+-*/%&|^?<>", n.toks[k].text); k++ {
		if n.is(k+1, "=") && !n.is(k+2, "=") && !(k == i+1 && strings.Contains("<>", n.toks[k].text)) {
			return false
		}
	}
	return !n.is(i+1, "of") && !n.is(i+1, "in") && !n.is(i-1, "function") && !n.is(i-1, "class") && !n.is(i-1, "*")
}

// callback is what a parameter of an arrow function is given that starts after token
// before: an item of the array on whose method the function is handed.
func (r *nodeReader) callback(before int) nodeBinding {
	n := r.n
	if !n.is(before, "(") || before < 3 || !n.is(before-2, ".") || !hasWord("forEach map filter some every find", n.toks[before-1].text) {
		return nodeBinding{how: bindUnknown}
	}
	return nodeBinding{how: bindCallback, from: r.start(before - 3), to: before - 2}
}

// start is where the value begins that ends at k.
func (r *nodeReader) start(k int) int {
	n := r.n
	for k > 0 {
		if o := n.opening(k); o >= 0 {
			k = o
			if !n.value(k - 1) {
				return k
			}
			k--
			continue
		}
		if !n.is(k-1, ".") {
			return k
		}
		k -= 2
	}
	return max(k, 0)
}

// bindCallback is the binding of a parameter to the items of the array between from and
// to.
const bindCallback = 'c'

// nodeModelled are members whose meaning this reading rests on, and what changes members.
const nodeModelled = "join resolve dirname basename normalize readdirSync readFileSync filter slice sort reverse replace toLowerCase forEach map some every find prototype defineProperty defineProperties setPrototypeOf assign"

// sound says whether nothing in the code may change what the functions that are read
// here do: no member of such a name is set, and modules go by their names only.
func (r *nodeReader) sound() bool {
	n := r.n
	for i, t := range n.toks {
		sets := n.is(i+1, "=") && !n.is(i+2, "=")
		switch {
		case t.kind != 'n':
			if t.kind == 'o' && t.text == "]" && sets && n.is(n.opening(i)-1, "path") {
				return false
			}
		case hasWord("prototype defineProperty defineProperties setPrototypeOf __proto__", t.text), n.is(i-1, ".") && sets && hasWord(nodeModelled, t.text):
			return false
		case !n.is(i-1, ".") && hasWord("path fs", t.text) && !sets && !n.is(i+1, ".") && !(n.is(i+1, ":") || n.is(i-1, "function")):
			return false
		}
	}
	for name := range r.binds {
		if v := r.word(name); v.kind == pyName && name != "path" && name != "fs" {
			return false // another name for a module
		}
	}
	return true
}

// around is the bracket that token i stands in, -1 for none. Not inlined, for the size of programs.
//
//go:noinline
func (n *nodeCode) around(i int) int {
	for i--; i >= 0; i-- {
		switch k := n.pairs[i]; {
		case k > i:
			return i
		case k >= 0:
			i = k
		}
	}
	return -1
}

// depth is how deep in brackets token i stands, those of blocks not counted.
func (n *nodeCode) depth(i int) int {
	d := 0
	for k := n.around(i); k >= 0 && d < maxList; k = n.around(k) {
		if !n.is(k, "{") {
			d++
		}
	}
	return d
}
