package shell

import "strings"

// This file tells where all words of an awk program are what they seem to be. Whether a slash
// divides or begins a pattern is told by what stands before it, and the pattern ends at its
// next slash; awks differ on one in brackets and on one behind some words (POSIX awk, Lexical
// Conventions; gawk manual, 3.2). Where a program leaves no such doubt, nothing in its strings,
// patterns and comments can be code.

// awkCertain says whether each awk cuts a program into the same words.
func awkCertain(text string) bool {
	a := awkCut{text: text}
	for a.at < len(text) {
		if !a.word() {
			return false
		}
	}
	return true
}

// awkCut is an awk program while it is cut into words.
type awkCut struct {
	text       string
	at         int
	before     string // the last word where that was a name
	operand    bool   // a slash divides here
	condition  bool   // the last word closed the condition of a statement
	conditions []bool // of the parentheses that are open, those of statements
}

// took moves on by n bytes and says whether there are that many. Not inlined, for the size of programs.
//
//go:noinline
func (a *awkCut) took(n int, operand bool) bool {
	a.at, a.operand = a.at+n, operand
	return n > 0
}

// word cuts the next word and says whether that leaves no doubt.
func (a *awkCut) word() bool {
	rest, before, condition := a.text[a.at:], a.before, a.condition
	switch {
	case rest[0] == ' ' || rest[0] == '\t':
		a.at++
		return true
	case strings.HasPrefix(rest, "\\\n"):
		a.at += 2
		return true
	}
	a.before, a.condition = "", false
	switch c := rest[0]; {
	case c == '"':
		return a.took(awkStringLen(rest), true)
	case c == '/' && a.operand:
		return !awkDoubts(before) && a.took(1, false)
	case c == '/':
		return !condition && a.took(awkPatternLen(rest), true)
	case c == '#':
		n := skipLine(rest, 0)
		return rest[n-1] != '\\' && a.took(n, a.operand)
	case isWordByte(c):
		a.before = rest[:wordLen(rest)]
		return firstByte(a.before, '@') < 0 && a.took(len(a.before), !hasWord("print printf return in if else while do for", a.before))
	case c == '(' || c == ')':
		return a.parenthesis(c, before)
	case a.operand && (strings.HasPrefix(rest, "++") || strings.HasPrefix(rest, "--")):
		return a.took(2, true)
	default:
		return (c >= ' ' || c == '\n') && c < 0x7f && firstByte("\\'`", c) < 0 && a.took(1, c == ']')
	}
}

// parenthesis notes that one opens behind a word, or closes.
func (a *awkCut) parenthesis(c byte, before string) bool {
	if c == '(' {
		a.conditions = append(a.conditions, hasWord("if while for", before))
		return len(a.conditions) < maxParens && a.took(1, false)
	}
	k := len(a.conditions) - 1
	if k < 0 {
		return false
	}
	a.condition, a.conditions = a.conditions[k], a.conditions[:k]
	return a.took(1, !a.condition)
}

// awkDoubts says whether awks may differ on what a slash behind a word is.
func awkDoubts(word string) bool {
	return strings.HasSuffix(word, "$") || hasWord("BEGIN END BEGINFILE ENDFILE function func break continue next nextfile delete exit getline switch case default length", word)
}

// awkStringLen is the length of the string that a text begins with, 0 if it does not end in
// its line.
func awkStringLen(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '\n':
			return 0
		case '"':
			return i + 1
		}
	}
	return 0
}

// awkPatternLen is the length of the pattern that a text begins with, 0 if it does not end in
// its line or has a slash in brackets, which ends it for some awks.
func awkPatternLen(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '[':
			if i = awkClassEnd(text, i); i == 0 {
				return 0
			}
		case '\n':
			return 0
		case '/':
			return i + 1
		}
	}
	return 0
}

// awkClassEnd is where the brackets end that open at i, by the longest way to read them; 0 if
// they do not, or a slash is in them (POSIX, RE Bracket Expression).
func awkClassEnd(text string, i int) int {
	i++
	if i < len(text) && text[i] == '^' {
		i++
	}
	for first := true; i < len(text); i, first = i+1, false {
		switch c := text[i]; {
		case c == '/' || c == '\n':
			return 0
		case c == '\\':
			if i++; i < len(text) && (text[i] == '/' || text[i] == '\n') {
				return 0
			}
		case c == '[' && i+1 < len(text) && firstByte(":.=", text[i+1]) >= 0:
			n := strings.Index(text[i+2:], text[i+1:i+2]+"]")
			if n < 0 || strings.ContainsAny(text[i+2:i+2+n], "/\n") {
				return 0
			}
			i += n + 3
		case c == ']' && !first:
			return i
		}
	}
	return 0
}
