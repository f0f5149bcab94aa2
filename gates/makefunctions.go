package gates

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// This file evaluates the functions of make that only work on texts (GNU Make's manual, Functions for
// Transforming Text), and names the rest.

// unevaluated stands where a makefile has what only the run of make tells, and no variable of the
// environment: a shell knows as little of it.
const unevaluated = "${MAKE_TELLS}"

// functions are those of make, with how many arguments they take apart.
var functions = map[string]int{
	"subst": 3, "patsubst": 3, "strip": 1, "findstring": 2, "filter": 2, "filter-out": 2, "sort": 1, "word": 2, "wordlist": 3, "words": 1, "firstword": 1, "lastword": 1,
	"dir": 1, "notdir": 1, "suffix": 1, "basename": 1, "addsuffix": 2, "addprefix": 2, "join": 2, "wildcard": 1, "realpath": 1, "abspath": 1,
	"if": 3, "or": 99, "and": 99, "foreach": 3, "call": 99, "value": 1, "eval": 1, "shell": 1, "error": 1, "warning": 1, "info": 1, "origin": 1, "flavor": 1, "file": 2, "guile": 1, "let": 3, "intcmp": 5,
}

// function is the value of a call of a function, whose reference opens with that character.
func (m *makefile) function(name, text string, depth int, open byte) string {
	args := makeArguments(text, functions[name], open)
	switch name {
	case "if", "or", "and", "foreach", "value":
		return m.lazily(name, args, depth)
	case "shell":
		command := m.expand(text, depth)
		m.shells = append(m.shells, command)
		if m.ever {
			return "$(shell " + command + ")"
		}
		return "$(" + command + ")"
	}
	for i := range args {
		args[i] = m.expand(args[i], depth)
	}
	switch name {
	case "call":
		return m.called(args, depth)
	case "eval":
		for line := range strings.Lines(args[0]) {
			if line = line[:max(0, outsideReferences(line+"=", '='))]; strings.Contains(line, "$(shell ") || strings.Contains(line, unevaluated) {
				m.adds(tooMuch) // it may be a rule
			}
		}
		m.adds(args[0])
		return ""
	case "file": // > or >> and a name, and a text
		m.adds("FILE != :" + args[0])
		return unevaluated
	case "error", "warning", "info":
		return ""
	case "wildcard": // what is there now may be gone then, or there
		i, ok := m.choose(2)
		switch {
		case !ok:
			return unevaluated
		case i == 1:
			return ""
		case m.entries != nil:
			return eachWord(args[0], m.found)
		}
	}
	if len(args) < functions[name] {
		return unevaluated
	}
	if (name == "filter" || name == "filter-out") && slices.ContainsFunc(makeWords(args[1]), uncertain) && !uncertain(args[0]) {
		if i, ok := m.choose(2); ok { // fewer of the words, maybe none
			return []string{args[1], ""}[i]
		}
		return unevaluated
	}
	return onTexts(name, args)
}

// adds notes what a function adds to the file. Not inlined, for the size of programs.
//
//go:noinline
func (m *makefile) adds(text string) {
	if !isAmong(m.made, text) {
		m.made = append(m.made, text)
	}
}

// found are the files that a pattern finds in one directory; the pattern, where nobody can tell.
func (m *makefile) found(pattern string) string {
	dir, base := path.Split(pattern)
	if uncertain(dir) || strings.Contains(base, "$") || strings.HasPrefix(dir, "~") {
		return pattern
	}
	var out []string
	for _, name := range m.entries(dir) {
		if ok, _ := path.Match(base, name); ok && !strings.ContainsAny(name, " \t\n$") {
			out = append(out, dir+name)
		}
	}
	if len(out) == 0 || len(out) > maxFound {
		return pattern
	}
	return strings.Join(out, " ")
}

// maxFound bounds the files that a pattern stands for.
const maxFound = 200

// lazily is the value of a function that does not evaluate all of its arguments.
func (m *makefile) lazily(name string, args []string, depth int) string {
	switch name {
	case "value":
		if values := m.vars[strings.TrimSpace(args[0])]; len(values) == 1 {
			return values[0]
		}
		return unevaluated
	case "foreach":
		if len(args) < 3 {
			return unevaluated
		}
		name := strings.TrimSpace(m.expand(args[0], depth))
		before, had := m.vars[name]
		var out []string
		for _, w := range makeWords(m.expand(args[1], depth)) {
			m.vars[name] = []string{strings.ReplaceAll(w, "$", "$$")}
			out = append(out, m.expand(args[2], depth))
		}
		if delete(m.vars, name); had {
			m.vars[name] = before
		}
		return strings.Join(out, " ")
	}
	for i, a := range args {
		s := strings.TrimSpace(m.expand(a, depth))
		if name != "if" && i == len(args)-1 {
			return s
		}
		yes, known := m.holds(s)
		switch {
		case !known, name == "if" && len(args) < 2:
			return unevaluated
		case name == "if" && yes:
			return m.expand(args[1], depth)
		case name == "if" && len(args) > 2:
			return m.expand(args[2], depth)
		case name == "or" && yes:
			return s
		case name == "if", name == "and" && !yes:
			return ""
		}
	}
	return ""
}

// holds says whether a condition is more than nothing; where nobody knows, either. known is false
// where that would be too much.
func (m *makefile) holds(s string) (yes, known bool) {
	for rest := s; ; {
		before, after, ok := cutAt(rest, "$")
		if strings.TrimSpace(before) != "" {
			return true, true
		}
		if !ok || after == "" {
			break
		}
		_, n := makeReference(after)
		rest = after[n:]
	}
	if s == "" {
		return false, true
	}
	i, ok := m.choose(2)
	return i == 0, ok
}

// called is the value of a variable with arguments put in.
func (m *makefile) called(args []string, depth int) string {
	name := strings.TrimSpace(args[0])
	if _, ok := m.vars[name]; !ok {
		return unevaluated
	}
	before := m.args
	m.args = args
	s := m.value(name, "", depth)
	m.args = before
	return s
}

// onTexts is the value of a function of texts alone.
func onTexts(name string, args []string) string {
	last := args[len(args)-1]
	words := makeWords(last)
	number := func(s string) int {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil || slices.ContainsFunc(words, uncertain) {
			return -1
		}
		return n
	}
	switch name {
	case "subst":
		if uncertain(last) || uncertain(args[0]) {
			break
		}
		if args[0] == "" {
			return last + args[1]
		}
		return strings.ReplaceAll(last, args[0], args[1])
	case "patsubst":
		if strings.Contains(args[0], "$") {
			break
		}
		return eachWord(last, func(w string) string { return patsubst(w, args[0], args[1]) })
	case "sort":
		if !slices.ContainsFunc(words, uncertain) {
			slices.Sort(words)
			words = slices.Compact(words)
		}
		return strings.Join(words, " ")
	case "strip", "abspath", "wildcard": // realpath is nothing for what is not there
		return strings.Join(words, " ")
	case "addsuffix":
		return eachWord(last, func(w string) string { return w + args[0] })
	case "addprefix":
		return eachWord(last, func(w string) string { return args[0] + w })
	case "notdir":
		return eachWord(last, func(w string) string { return certain(w, w[lastByte(w, '/')+1:]) })
	case "dir":
		return eachWord(last, func(w string) string {
			if i := lastByte(w, '/'); i >= 0 {
				return certain(w, w[:i+1])
			}
			return certain(w, "./")
		})
	case "basename":
		return eachWord(last, func(w string) string { return trimSuffix(w, path.Ext(w)) })
	case "filter", "filter-out":
		if !uncertain(args[0]) && !slices.ContainsFunc(words, uncertain) {
			patterns := makeWords(args[0])
			return strings.Join(slices.DeleteFunc(words, func(w string) bool {
				any := slices.ContainsFunc(patterns, func(p string) bool { return patsubst(w, p, "\x00") == "\x00" })
				return any != (name == "filter")
			}), " ")
		}
	case "firstword", "lastword", "word", "wordlist":
		if len(words) == 0 {
			return ""
		}
		i, end := 1, 1
		switch name {
		case "lastword":
			i, end = len(words), len(words)
		case "word":
			i = number(args[0])
			end = i
		case "wordlist":
			i, end = number(args[0]), number(args[1])
		}
		if slices.ContainsFunc(words, uncertain) || i < 1 || end < 0 {
			break
		}
		end = min(end, len(words))
		if i > end {
			return ""
		}
		return strings.Join(words[i-1:end], " ")
	}
	return unevaluated
}

// uncertain says whether a text holds what only the run tells. Not inlined, for the size of programs.
//
//go:noinline
func uncertain(s string) bool { return strings.ContainsAny(s, "$*?[") }

func certain(of, s string) string {
	if strings.Contains(of, "$") {
		return unevaluated
	}
	return s
}

// patsubst is a word with what stands before and behind a % of a pattern replaced.
func patsubst(w, from, to string) string {
	before, after, ok := cutAt(from, "%")
	if !ok {
		if w == from {
			return to
		}
		return w
	}
	if len(w) < len(from)-1 || !strings.HasPrefix(w, before) || !strings.HasSuffix(w, after) {
		if strings.Contains(w, "$") {
			return unevaluated
		}
		return w
	}
	return strings.Replace(to, "%", w[len(before):len(w)-len(after)], 1)
}

func eachWord(s string, change func(string) string) string {
	words := makeWords(s)
	for i, w := range words {
		words[i] = change(w)
	}
	return strings.Join(words, " ")
}

// makeWords are the words of a text, a reference that stayed one of them.
func makeWords(s string) []string {
	var out []string
	depth, start := 0, 0
	for i := 0; i <= len(s); i++ {
		if i == len(s) || depth == 0 && firstByte(" \t\n", s[i]) >= 0 {
			if i > start {
				out = append(out, s[start:i])
			}
			start = i + 1
			continue
		}
		switch s[i] {
		case '(', '{':
			depth++
		case ')', '}':
			depth = max(0, depth-1)
		}
	}
	return out
}

// makeArguments are at most n arguments of a function: commas behind more of what opens its
// reference do not part them.
func makeArguments(s string, n int, open byte) []string {
	end := byte(')')
	if open == '{' {
		end = '}'
	}
	var out []string
	depth, start := 0, 0
	for i := 0; i < len(s) && len(out) < n-1; i++ {
		switch s[i] {
		case open:
			depth++
		case end:
			depth--
		case ',':
			if depth == 0 {
				out, start = append(out, s[start:i]), i+1
			}
		}
	}
	return append(out, s[start:])
}
