package imports

import "strings"

type kind uint8

const (
	word    kind = iota // a name or a keyword
	number              // with any letters that stand right behind it
	str                 // a string
	op                  // an operator or a bracket
	newline             // the end of a line, outside brackets
)

// token is a piece of code. Of a string, text is its value where it is plain: without
// escapes and without code in it.
type token struct {
	kind  kind
	text  string
	plain bool
}

// at is the token at a place, or the end of a line where there is none.
func (r *reader) at(i int) token {
	if i < 0 || i >= len(r.toks) {
		return token{kind: newline}
	}
	return r.toks[i]
}

// is says whether an operator or a word stands at a place.
func (r *reader) is(i int, text string) bool {
	t := r.at(i)
	return (t.kind == op || t.kind == word) && t.text == text
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || isDigit(c)
}

func nameLen(s string) int {
	n := 0
	for n < len(s) && isName(s[n]) {
		n++
	}
	return n
}

// lineEnd is the length of a line's end at the start of text: of \n, \r or \r\n.
func lineEnd(text string) int {
	switch {
	case strings.HasPrefix(text, "\r\n"):
		return 2
	case text != "" && (text[0] == '\n' || text[0] == '\r'):
		return 1
	}
	return 0
}

// closer is the bracket that ends what another begins, 0 where c is none.
func closer(c byte) byte {
	switch c {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	}
	return 0
}

// maxTokens bounds how far is looked for the end of one statement or call.
const maxTokens = 1024

// argument is the plain text that is the n-th argument of a call whose bracket stands at
// i, and nothing else: not the first of several that are joined.
func (r *reader) argument(i, n int) (text string, ok bool) {
	if !r.is(i, "(") {
		return "", false
	}
	depth := 0
	for k := i; k < min(len(r.toks), i+maxTokens); k++ {
		t := &r.toks[k]
		if k == i || depth == 1 && t.kind == op && t.text == "," {
			if s := r.at(k + 1); n == 0 {
				return s.text, s.kind == str && s.plain && (r.is(k+2, ",") || r.is(k+2, ")"))
			}
			n--
		}
		switch {
		case t.kind != op || len(t.text) != 1:
		case closer(t.text[0]) != 0:
			depth++
		case t.text == ")" || t.text == "]" || t.text == "}":
			if depth--; depth == 0 {
				return "", false
			}
		}
	}
	return "", false
}
