package shell

import "strings"

// token is a word of inline code.
type token struct {
	kind byte // 'n' name, 's' string, 'd' number, 'r' pattern, 'o' one character of anything else
	text string
	at   int  // where it starts, -1 for code inside a string
	gap  bool // a line ends before it
}

// maxTokens bounds the code that is looked at word by word.
const maxTokens = 8000

// lexer cuts inline code into tokens, as its language does. Code inside a string
// follows the string's token between two braces.
type lexer struct {
	d     *dialect
	toks  []token
	depth int
	bad   string // why the code could not be cut

	conditions     []bool // of the parentheses that are open, those of statements
	afterCondition bool   // the one closed last was one
}

// tokens returns the words of code; bad says why they are not all.
func (d *dialect) tokens(text string) (toks []token, bad string) {
	l := lexer{d: d}
	l.cut(text, true)
	return l.toks, l.bad
}

func (l *lexer) add(kind byte, text string, at int, gap bool) {
	if len(l.toks) >= maxTokens {
		l.bad = "too long"
		return
	}
	l.toks = append(l.toks, token{kind, text, at, gap})
}

func (l *lexer) cut(text string, top bool) {
	if l.depth++; l.depth > maxLiterals {
		l.bad = "nested in strings"
		return
	}
	gap := true
	for i := 0; i < len(text) && l.bad == ""; {
		c, at := text[i], i
		if !top {
			at = -1
		}
		switch n := l.d.commentLen(text, i); {
		case n > 0:
			i += n
		case c == '\n':
			gap = true
			i++
		case c == ' ' || c == '\t' || c == '\r' || c == '\\' && i+1 < len(text) && text[i+1] == '\n':
			i++
			if c == '\\' {
				i++
			}
		case strings.IndexByte(l.d.quotes, c) >= 0:
			i += l.str(text, i, at, gap)
			gap = false
		case c >= '0' && c <= '9':
			n := numberLen(text[i:])
			l.add('d', text[i:i+n], at, gap)
			i += n
			gap = false
		case isNameByte(c) || c == '$' && l.d.name == "node":
			n := 1 + nameLen(text[i+1:])
			for l.d.name == "node" && i+n < len(text) && (text[i+n] == '$' || isNameByte(text[i+n])) {
				n++
			}
			l.add('n', text[i:i+n], at, gap)
			i += n
			gap = false
		case c == '/' && l.d.name == "node" && l.patternMayStart():
			n := patternLen(text[i:])
			if n == 0 {
				l.bad = "a pattern without an end"
				return
			}
			l.add('r', text[i:i+n], at, gap)
			i += n
			gap = false
		default:
			if c >= 0x80 || c < ' ' || c == '\\' {
				l.bad = "characters outside ASCII"
				return
			}
			l.parenthesis(c)
			l.add('o', text[i:i+1], at, gap)
			i++
			gap = false
		}
	}
	l.depth--
}

// str cuts a string and the code in it, and returns its length.
func (l *lexer) str(text string, i, at int, gap bool) int {
	k := len(l.toks)
	l.add('s', "", at, gap)
	n, ok := l.d.literal(text, i, 0, func(code string) {
		l.add('o', "{", -1, false)
		l.cut(code, false)
		l.add('o', "}", -1, false)
	})
	if !ok {
		l.bad = "a string without a plain end"
		return n
	}
	if k < len(l.toks) {
		l.toks[k].text = text[i : i+n]
	}
	return n
}

// commentLen returns the length of the comment at text[i], 0 if there is none.
func (d *dialect) commentLen(text string, i int) int {
	switch {
	case text[i] == '#' && d.name == "python":
		return skipLine(text, i) - i
	case d.name == "node" && strings.HasPrefix(text[i:], "//"):
		return skipLine(text, i) - i
	case d.name == "node" && strings.HasPrefix(text[i:], "/*"):
		if j := strings.Index(text[i+2:], "*/"); j >= 0 {
			return j + 4
		}
		return len(text) - i
	}
	return 0
}

// numberLen returns the length of a number, letters of its base and suffix and an
// exponent's sign included.
func numberLen(s string) int {
	n := 0
	for n < len(s) && (isNameByte(s[n]) || s[n] == '.' && n+1 < len(s) && s[n+1] >= '0' && s[n+1] <= '9' || (s[n] == '+' || s[n] == '-') && (s[n-1] == 'e' || s[n-1] == 'E') && !strings.HasPrefix(s, "0x")) {
		n++
	}
	return n
}

// patternMayStart says whether a slash starts a pattern: not after a value, where
// it divides (ECMA-262, 12, InputElementRegExp).
func (l *lexer) patternMayStart() bool {
	if len(l.toks) == 0 {
		return true
	}
	switch t := l.toks[len(l.toks)-1]; t.kind {
	case 'n':
		return strings.Contains(" return typeof case in of delete void instanceof new do else throw yield await ", " "+t.text+" ")
	case 'o':
		if t.text == "}" || t.text == ")" && l.afterCondition {
			l.bad = "a slash that may start a pattern"
		}
		return t.text != ")" && t.text != "]" && t.text != "}"
	}
	return false
}

// parenthesis notes whether the parenthesis that was closed last is that of a
// statement, after which a slash starts a pattern.
func (l *lexer) parenthesis(c byte) {
	switch c {
	case '(':
		k := len(l.toks) - 1
		l.conditions = append(l.conditions, k >= 0 && l.toks[k].kind == 'n' && hasWord("if while for with", l.toks[k].text))
	case ')':
		if k := len(l.conditions) - 1; k >= 0 {
			l.afterCondition = l.conditions[k]
			l.conditions = l.conditions[:k]
		}
	}
}

func patternLen(s string) int {
	class := false
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '\n':
			return 0
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			return i + 1 + nameLen(s[i+1:])
		}
	}
	return 0
}

// is says whether token i is the given operator or name.
func is(toks []token, i int, text string) bool {
	return i >= 0 && i < len(toks) && toks[i].kind != 's' && toks[i].text == text
}
