package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file allows inline JavaScript by name: globals that compute, names that the
// code binds itself, and methods that run nothing. A property that is only read may
// have any name but those that lead to the makers of functions. What is computed, and
// not plain to see, must not be called.

// nodeCode is inline JavaScript while its words are looked at.
type nodeCode struct {
	m        *machine
	toks     []token
	pairs    []int // of each bracket, the one that belongs to it
	bound    []string
	funcs    []string // of the bound ones, those that are functions wherever they are set
	computed bool     // a property is named by an expression
	foreign  bool     // the code of the workspace is in use
	asked    string
}

// allowNode records the first word of the code that is not known to be harmless.
func (m *machine) allowNode(text string) {
	n := nodeCode{m: m, foreign: strings.Contains(text, "./") || bringsComputing(text)}
	var bad string
	if n.toks, bad = dialectOf("node").tokens(text); bad == "" && (strings.Contains(text, "<!--") || strings.Contains(text, "-->")) {
		bad = "what may be a comment"
	}
	if bad != "" {
		m.escape("inline code of node has " + bad)
		return
	}
	n.pairBrackets()
	for i := range n.toks {
		n.bind(i)
		n.computed = n.computed || n.computes(i)
	}
	for i := 0; i < len(n.toks) && n.asked == ""; i++ {
		switch t := n.toks[i]; {
		case t.kind == 'n':
			n.word(i)
		case t.kind == 'o' && t.text == "[":
			n.bracket(i)
		case t.kind == 'o' && t.text == "(" || t.kind == 's' && strings.HasPrefix(t.text, "`"):
			n.call(i)
		}
	}
	if n.asked != "" {
		m.escape("inline code of node uses " + n.asked)
	}
}

//go:noinline
func (n *nodeCode) ask(what string) {
	if n.asked == "" {
		n.asked = what
	}
}

// name returns the name at i, empty if there is none or it is a keyword. Not inlined, for the size of programs.
//
//go:noinline
func (n *nodeCode) name(i int) string {
	if i < 0 || i >= len(n.toks) || n.toks[i].kind != 'n' || hasWord(nodeKeywords, n.toks[i].text) {
		return ""
	}
	return n.toks[i].text
}

// bind notes the names that the code gives meanings to around token i.
func (n *nodeCode) bind(i int) {
	t := n.toks[i]
	switch {
	case t.kind == 'n' && hasWord("const let var", t.text):
		n.bindPattern(i + 1)
	case t.kind == 'n' && hasWord("function class", t.text):
		j := i + 1
		if n.is(j, "*") {
			j++
		}
		if name := n.name(j); name != "" {
			n.bound, n.funcs = append(n.bound, name), append(n.funcs, name)
			j++
		}
		if n.is(j, "(") {
			n.bindPattern(j)
		}
	case n.is(i, "catch") && n.is(i+1, "("):
		n.bindPattern(i + 1)
	case n.is(i, "=") && n.is(i+1, ">"):
		if n.is(i-1, ")") {
			n.bindPattern(n.opening(i - 1))
		} else if name := n.name(i - 1); name != "" {
			n.bound = append(n.bound, name)
		}
	case n.is(i, "=") && !n.is(i+1, "=") && !n.is(i-1, "=") && !n.is(i-1, "!"), n.is(i, "of"), n.is(i, "in"):
		if name := n.name(i - 1); name != "" && !n.is(i-2, ".") {
			n.bound = append(n.bound, name)
			if n.functionAt(i + 1) {
				n.funcs = append(n.funcs, name)
			}
		}
	case n.is(i, "{") && n.is(i-1, ")"): // a method
		if k := n.opening(i - 1); n.name(k-1) != "" {
			n.bindPattern(k)
		}
	}
}

// bindPattern notes the name at i, or all names in the brackets that start there.
func (n *nodeCode) bindPattern(i int) {
	if name := n.name(i); name != "" {
		n.bound = append(n.bound, name)
		return
	}
	if i < 0 || i >= len(n.toks) || n.toks[i].kind != 'o' || firstByte("([{", n.toks[i].text[0]) < 0 {
		return
	}
	for depth := 0; i < len(n.toks); i++ {
		switch t := n.toks[i]; {
		case t.kind == 'o' && firstByte("([{", t.text[0]) >= 0:
			depth++
		case t.kind == 'o' && firstByte(")]}", t.text[0]) >= 0:
			if depth--; depth == 0 {
				return
			}
		case n.name(i) != "" && (!n.is(i-1, ".") || n.is(i-2, ".")):
			n.bound = append(n.bound, t.text)
		}
	}
}

// pairBrackets notes for each bracket which one belongs to it.
func (n *nodeCode) pairBrackets() {
	n.pairs = make([]int, len(n.toks))
	var open []int
	for i, t := range n.toks {
		n.pairs[i] = -1
		switch {
		case t.kind != 'o':
		case firstByte("([{", t.text[0]) >= 0:
			open = append(open, i)
		case firstByte(")]}", t.text[0]) >= 0 && len(open) > 0:
			k := open[len(open)-1]
			open = open[:len(open)-1]
			n.pairs[i], n.pairs[k] = k, i
		}
	}
}

// opening returns the bracket that the one at i closes, -1 if there is none. Not inlined, for the size of programs.
//
//go:noinline
func (n *nodeCode) opening(i int) int {
	if i < 0 || i >= len(n.pairs) || n.pairs[i] > i {
		return -1
	}
	return n.pairs[i]
}

// closing returns the bracket that closes the one at i, or where the code ends. Not inlined, for the size of programs.
//
//go:noinline
func (n *nodeCode) closing(i int) int {
	if i < 0 || i >= len(n.pairs) || n.pairs[i] < i {
		return len(n.toks)
	}
	return n.pairs[i]
}

// functionAt says whether a function is written at i.
func (n *nodeCode) functionAt(i int) bool {
	if n.is(i, "async") {
		i++
	}
	if n.is(i, "function") || n.is(i, "class") {
		return true
	}
	if n.is(i, "(") {
		i = n.closing(i)
	}
	return n.is(i+1, "=") && n.is(i+2, ">")
}

// value says whether token i ends a value, so that a bracket after it picks a
// property and a parenthesis calls.
func (n *nodeCode) value(i int) bool {
	if i < 0 || i >= len(n.toks) {
		return false
	}
	switch t := n.toks[i]; t.kind {
	case 'n':
		return n.is(i-1, ".") || t.text == "this" || t.text == "super" || n.name(i) != ""
	case 'o':
		return t.text == ")" && !n.condition(i) || t.text == "]"
	}
	return true
}

// condition says whether the parenthesis at i closes that of a statement.
func (n *nodeCode) condition(i int) bool {
	k := n.opening(i)
	return k > 0 && n.toks[k-1].kind == 'n' && hasWord("if for while switch with catch", n.toks[k-1].text) && !n.is(k-2, ".")
}

// computes says whether the bracket at i picks a property that is no constant.
func (n *nodeCode) computes(i int) bool {
	if !n.is(i, "[") || !n.value(i-1) && !n.is(i-1, ".") && !n.is(i-1, "}") {
		return false
	}
	end := n.closing(i)
	if end == i+2 && (n.toks[i+1].kind == 'd' || n.toks[i+1].kind == 's' && n.toks[i+1].text[0] != '`') {
		return false
	}
	return !(n.is(end+1, "=") && !n.is(end+2, "=") && !n.is(end+2, ">")) // one that is only set picks nothing
}

// bracket judges a property in brackets, and a computed name in an object.
func (n *nodeCode) bracket(i int) {
	end := n.closing(i)
	if n.is(i-1, "{") || n.is(i-1, ",") {
		if n.is(end+1, ":") || n.is(end+1, "(") {
			n.ask("a computed name of a property")
		}
		return
	}
	if end == i+2 && n.toks[i+1].kind == 's' && n.value(i-1) {
		name, _ := quotedString(n.toks[i+1].text, n.toks[i+1].text[0])
		if hasWord(nodeHidden, name) || mark.Among(dialectOf("node").denied, name) || strings.Contains(n.toks[i+1].text, `\`) {
			n.ask(name)
		}
	}
}

// word judges the name at i.
func (n *nodeCode) word(i int) {
	t := n.toks[i]
	if n.is(i-1, ".") && !(n.is(i-2, ".") && n.is(i-3, ".")) {
		if hasWord(nodeHidden, t.text) {
			n.ask("." + t.text)
		}
		return
	}
	switch {
	case t.text == "this":
		if !n.is(i+1, ".") {
			n.ask("this")
		}
	case hasWord("with debugger import export", t.text):
		n.ask(t.text)
	case hasWord(nodeKeywords, t.text):
	case n.is(i+1, ":") && (n.is(i-1, "{") || n.is(i-1, ",")): // a property's name
		if hasWord(nodeHidden, t.text) {
			n.ask(t.text)
		}
	case hasWord(nodeBuiltins, t.text):
		if !n.declared(t.text) {
			n.ask(t.text)
		}
	case hasWord(nodeGlobals, t.text), t.text == "process", t.text == "require", t.text == "fs", contains(t.text, n.bound...), n.method(i), mark.Among(nodeModules, t.text):
	default:
		n.ask(t.text)
	}
}

// declared says whether the code has a name of its own for what Node gives inline
// code under that name: const and let hide it, var does not.
func (n *nodeCode) declared(name string) bool {
	for i := range n.toks {
		if n.is(i, name) && (n.is(i-1, "const") || n.is(i-1, "let")) {
			return true
		}
	}
	return false
}

// method says whether the name at i is that of a method in an object or a class.
func (n *nodeCode) method(i int) bool {
	if !n.is(i+1, "(") || n.value(i-1) {
		return false
	}
	return n.is(n.closing(i+1)+1, "{")
}

// call judges what the parenthesis or the template at i calls.
func (n *nodeCode) call(i int) {
	k := i - 1
	if n.is(k, ".") && n.is(k-1, "?") {
		k -= 2
	}
	if !n.value(k) || n.toks[i].kind == 's' && n.toks[i].gap {
		return
	}
	switch t := n.toks[k]; {
	case t.kind == 'n' && n.is(k-1, "."):
		if !hasWord(nodeMethods, t.text) && !n.foreign && !n.defines(t.text) && !n.files(k) {
			n.ask("." + t.text)
		}
	case t.kind == 'n':
		if n.computed && !contains(t.text, n.funcs...) && !hasWord(nodeGlobals, t.text) && !contains(t.text, "require", "super") && !n.method(k) {
			n.ask("a call of " + t.text)
		}
	case t.kind == 'o' && t.text == "]":
		n.ask("a call of a property in brackets")
	case t.kind == 'o' && t.text == ")" && n.computed && !n.functionAt(n.opening(k)+1):
		n.ask("a call of what a call returns")
	}
	if n.computed && n.toks[i].kind == 'o' {
		n.callbacks(i)
	}
}

// files says whether the member at i is a function of fs that the scan judges.
func (n *nodeCode) files(i int) bool {
	_, ok := nodeFile(n.toks[i].text)
	return ok
}

// callbacks judges names that are handed to a call as they are: a function that the
// code picked by a computed name could be one of them.
func (n *nodeCode) callbacks(i int) {
	t := n.toks[i-1]
	if t.kind != 'n' || !hasWord(nodeCallers, t.text) {
		return
	}
	end, depth, skip := n.closing(i), 0, false
	for j := i; j < end; j++ {
		if n.toks[j].kind == 'o' && firstByte("([{", n.toks[j].text[0]) >= 0 {
			depth++
		}
		if depth == 1 && (j == i || n.is(j, ",")) {
			skip = n.functionAt(j + 1)
			if name := n.name(j + 1); name != "" && n.endsArgument(j+2) && !contains(name, n.funcs...) && !hasWord(nodeGlobals, name) {
				n.ask("a computed function")
			}
		}
		if n.toks[j].kind == 'o' && firstByte(")]}", n.toks[j].text[0]) >= 0 {
			depth--
		}
		if depth == 1 && n.toks[j].kind == 'n' && n.is(j-1, ".") && n.endsArgument(j+1) && n.setsMember(n.toks[j].text) {
			n.ask("a computed function") // a property that was given one
		}
		if !skip && depth == 1 && n.is(j, "]") && n.endsArgument(j+1) && n.value(n.opening(j)-1) {
			n.ask("a computed function")
		}
	}
}

// setsMember says whether the code gives a property of that name a value.
func (n *nodeCode) setsMember(name string) bool {
	for i := range n.toks {
		if n.is(i, name) && n.is(i-1, ".") && n.is(i+1, "=") && !n.is(i+2, "=") {
			return true
		}
	}
	return false
}

//go:noinline
func (n *nodeCode) endsArgument(i int) bool { return n.is(i, ")") || n.is(i, ",") }

// defines says whether the code itself gives a method its name.
func (n *nodeCode) defines(name string) bool {
	for i := range n.toks {
		if n.is(i, name) && (n.method(i) || n.is(i+1, ":") && n.functionAt(i+2) || n.is(i-1, ".") && n.is(i+1, "=") && n.functionAt(i+2)) {
			return true
		}
	}
	return false
}

// is says whether token i is the given operator or name. Not inlined, for the size of programs.
//
//go:noinline
func (n *nodeCode) is(i int, text string) bool {
	return i >= 0 && i < len(n.toks) && n.toks[i].kind != 's' && n.toks[i].text == text
}
