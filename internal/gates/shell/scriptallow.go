package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file allows inline PHP, Ruby and Lua by name, as pythonallow.go does Python:
// functions, classes and methods that are known to reach nothing, and names that the
// code gives meanings to itself. Everything else asks.

// scriptWords is what inline code of a language may name.
type scriptWords struct {
	name     string
	keywords string
	calls    string // functions, and names that stand for themselves
	methods  string // what may be called on a value
}

// scriptCode is inline code while its words are looked at.
type scriptCode struct {
	d     *dialect
	text  string
	w     *scriptWords
	toks  []token
	bound []string // names that the code sets, and parameters
	made  []string // functions, classes and methods of its own
	asked string
}

// allowScript records the first word of the code that is not known to be harmless.
func (m *machine) allowScript(d *dialect, text string) {
	s := scriptCode{d: d}
	for i := range scriptLists {
		if scriptLists[i].name == d.name {
			s.w = &scriptLists[i]
		}
	}
	if s.w == nil {
		return
	}
	if d.name == "php" {
		text = trimPrefix(trimPrefix(text, "<?php"), "<?")
	}
	s.text = text
	var bad string
	if s.toks, bad = d.tokens(text); bad != "" {
		m.escape("inline code of " + d.name + " has " + bad)
		return
	}
	s.learn()
	for i := 0; i < len(s.toks) && s.asked == ""; i++ {
		switch t := s.toks[i]; {
		case t.kind == 'n':
			s.word(i)
		case t.kind == 's':
			s.handed(i)
		default:
			s.sign(i)
		}
	}
	if s.asked != "" {
		m.escape("inline code of " + d.name + " uses " + s.asked)
	}
}

//go:noinline
func (s *scriptCode) ask(what string) {
	if s.asked == "" {
		s.asked = what
	}
}

// member says whether the name at i follows an object.
func (s *scriptCode) member(i int) bool {
	switch s.d.name {
	case "php":
		return s.is(i-1, ">") && (s.is(i-2, "-")) || s.is(i-1, ":") && s.is(i-2, ":")
	case "lua":
		return s.is(i-1, ".") && !s.is(i-2, ".") || s.is(i-1, ":") && !s.is(i-2, ":")
	}
	return s.is(i-1, ".") && !s.is(i-2, ".") || s.is(i-1, ":") && s.is(i-2, ":")
}

// word judges the name at i.
func (s *scriptCode) word(i int) {
	name, called := s.toks[i].text, s.is(i+1, "(")
	if s.d.name == "php" {
		name = strings.ToLower(name)
	}
	switch {
	case s.member(i):
		if (called || s.d.name != "php" && !s.sets(i)) && !hasWord(s.w.methods, name) && !contains(name, s.made...) {
			s.ask("." + name)
		}
		if s.d.name == "ruby" && name == "class" && s.is(i+1, ".") && !s.is(i+2, "name") {
			s.ask("what a class can do")
		}
	case s.variable(i):
	case s.d.name == "ruby" && s.is(i-1, ":"): // a symbol
		s.symbol(i)
	case s.d.name == "ruby" && s.is(i+1, ":") && s.toks[i].at >= 0 && s.toks[i+1].at == s.toks[i].at+len(name) && !s.is(i+2, ":") && !s.is(i-1, "?"): // a key
	case s.toks[i].at >= 0 && bringsPlainly(s.d.name, name, s.after(i)):
	case hasWord(s.w.keywords, name), hasWord(s.w.calls, name), contains(name, s.made...):
	case s.d.name == "php" && !called && !s.is(i+1, ":") && !s.is(i-1, "new"): // a constant
	case s.d.name != "php" && contains(name, s.bound...) && !called && !s.commands(i):
	case s.d.name == "lua" && contains(name, s.bound...):
	default:
		s.ask(name)
	}
}

// variable says whether the name at i is a variable by its sign.
func (s *scriptCode) variable(i int) bool {
	switch s.d.name {
	case "php":
		return s.is(i-1, "$") && s.toks[i-1].at+1 == s.toks[i].at
	case "ruby":
		return s.is(i-1, "@") || s.is(i-1, "$") && hasWord("stdout stderr stdin PROGRAM_NAME _", s.toks[i].text)
	}
	return false
}

// sets says whether the member at i is only set, or a key of a table that is.
func (s *scriptCode) sets(i int) bool {
	return s.is(i+1, "=") && !s.is(i+2, "=")
}

// commands says whether the name at i is called with arguments that have no
// parentheses around them, as Ruby and Lua allow.
func (s *scriptCode) commands(i int) bool {
	if i+1 >= len(s.toks) || s.toks[i+1].gap {
		return false
	}
	switch t := s.toks[i+1]; t.kind {
	case 's', 'd':
		return true
	case 'n':
		return !hasWord(s.w.keywords, t.text)
	}
	return s.is(i+1, ":") && !s.is(i+2, ":") || s.is(i+1, "$") || s.is(i+1, "@")
}

// symbol judges a symbol of Ruby: as a block it is a method's name.
func (s *scriptCode) symbol(i int) {
	name := s.toks[i].text
	if s.is(i-2, "&") && !hasWord(s.w.methods, name) && !contains(name, s.made...) || mark.Among(s.d.denied, name) {
		s.ask(":" + name)
	}
	s.handed(i - 1)
}

// handed judges a string or a symbol that is given to a method that calls the method
// of that name.
func (s *scriptCode) handed(i int) {
	k := i - 1
	if s.is(k, "(") {
		k--
	}
	if s.d.name == "ruby" && (s.is(k, "inject") || s.is(k, "reduce") || s.is(k, "sum") || s.is(i-1, "&")) && !s.is(i, ":") {
		s.ask("a method by its name")
	}
	if s.d.name == "ruby" && (s.is(k, "inject") || s.is(k, "reduce")) && s.is(i, ":") && i+1 < len(s.toks) && s.toks[i+1].kind == 'n' && !hasWord(s.w.methods, s.toks[i+1].text) {
		s.ask(":" + s.toks[i+1].text)
	}
	if s.d.name != "ruby" && s.is(i+1, "(") {
		s.ask("a call by a string")
	}
}

// sign judges signs that call or name what is computed.
func (s *scriptCode) sign(i int) {
	switch t := s.toks[i].text; s.d.name {
	case "php":
		if t == "$" && (s.is(i+1, "$") || s.is(i+1, "{") || s.is(i-1, ">") && s.is(i-2, "-") || s.is(i-1, ":") && s.is(i-2, ":") || s.is(i-1, "new")) {
			s.ask("a computed name")
		}
		if t == "$" && i+2 < len(s.toks) && (s.is(i+2, "(") || s.is(i+2, ":") && s.is(i+3, ":")) {
			s.ask("a call by a variable")
		}
		if t == "(" && (s.is(i-1, ")") && !s.afterCondition(i-1) || s.is(i-1, "]") || s.is(i-1, "}") && s.toks[i].at >= 0) {
			s.ask("a computed call")
		}
		if t == "{" && s.is(i-1, ">") && s.is(i-2, "-") {
			s.ask("a computed name")
		}
	case "ruby":
		if t == "." && s.is(i+1, "(") || t == "`" || t == "$" && (i+1 >= len(s.toks) || !s.variable(i+1)) {
			s.ask("a call of a value")
		}
	case "lua":
		if t == "(" && s.is(i-1, "]") {
			s.ask("a call of what a table holds")
		}
	}
}

// afterCondition says whether the parenthesis at i closes that of a statement.
func (s *scriptCode) afterCondition(i int) bool {
	depth := 0
	for ; i >= 0; i-- {
		switch {
		case s.is(i, ")"):
			depth++
		case s.is(i, "("):
			if depth--; depth == 0 {
				return i > 0 && hasWord("if while for foreach elseif switch", s.toks[i-1].text)
			}
		}
	}
	return false
}

// learn notes the names that the code gives meanings to.
func (s *scriptCode) learn() {
	for i, t := range s.toks {
		if t.kind != 'n' {
			continue
		}
		name := t.text
		if s.d.name == "php" {
			name = strings.ToLower(name)
		}
		if s.makes(i) && !mark.Among(s.d.denied, name) && !contains(name, s.made...) {
			s.made = append(s.made, name)
		}
		if s.d.name != "php" && s.binds(i) && !contains(name, s.bound...) {
			s.bound = append(s.bound, name)
		}
	}
}

// binds says whether the name at i is set there, or is a parameter.
func (s *scriptCode) binds(i int) bool {
	if s.member(i) {
		return false
	}
	return s.sets(i) || s.is(i-1, "local") || s.is(i-1, "for") || s.is(i+1, "in") || s.is(i-1, "|") || s.is(i+1, "|") ||
		s.is(i-1, ">") && s.is(i-2, "=") || (s.is(i+1, "+") || s.is(i+1, "-") || s.is(i+1, "*")) && s.is(i+2, "=") || s.inList(i)
}

// makes says whether the code makes a function, a class or a method of the name at i.
func (s *scriptCode) makes(i int) bool {
	if k := i - 1; k >= 0 && s.toks[k].kind == 'n' && hasWord("def function class module", s.toks[k].text) {
		return true
	}
	if s.d.name == "ruby" && (s.is(i-1, ".") && s.is(i-2, "self") && s.is(i-3, "def") || s.sets(i) && s.toks[i].text[0] >= 'A' && s.toks[i].text[0] <= 'Z') {
		return true
	}
	return i >= 2 && s.is(i-1, ":") && s.attribute(i-2) || s.d.name == "lua" && s.sets(i) && s.is(i+2, "function")
}

// attribute says whether a list of symbols that ends at i names methods that only read or set a
// value: attr_reader :a, :b and Struct.new(:a, :b).
func (s *scriptCode) attribute(i int) bool {
	for n := 0; n < maxList && s.is(i, ",") && s.is(i-2, ":"); n++ {
		i -= 3
	}
	if s.is(i, "(") && s.is(i-2, ".") {
		return s.is(i-1, "new") && s.is(i-3, "Struct") || s.is(i-1, "define") && s.is(i-3, "Data")
	}
	return s.is(i, "attr_accessor") || s.is(i, "attr_reader") || s.is(i, "attr_writer")
}

// maxList bounds lists of parameters.
const maxList = 64

// inList says whether the name at i stands in a list of parameters or of names that
// are set together.
func (s *scriptCode) inList(i int) bool {
	for j := i - 1; j >= max(0, i-maxList); j-- {
		switch t := s.toks[j]; {
		case t.kind == 'n' && (t.text == "for" || t.text == "local"), s.is(j, "|"):
			return true
		case s.is(j, "(") && j > 0:
			return s.is(j-1, "function") || s.is(j-2, "def") || s.is(j-2, "function") || s.is(j-2, ".") && s.is(j-4, "def") || s.is(j-1, ">") || s.is(j-1, "|")
		case t.kind == 'n' || s.is(j, ","):
			if s.toks[j+1].gap && !s.is(j, ",") {
				return s.together(i)
			}
		default:
			return s.together(i)
		}
	}
	return s.together(i)
}

// together says whether the name at i is one of several before a sign of equality.
func (s *scriptCode) together(i int) bool {
	for n := 0; n < maxList && s.is(i+1, ",") && i+2 < len(s.toks) && s.toks[i+2].kind == 'n'; n++ {
		i += 2
	}
	return s.sets(i)
}

// is says whether token i is the given operator or name. Not inlined, for the size of programs.
//
//go:noinline
func (s *scriptCode) is(i int, text string) bool {
	return i >= 0 && i < len(s.toks) && s.toks[i].kind != 's' && s.toks[i].text == text
}
