package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// token is a word of inline code.
type token struct {
	kind byte // 'n' name, 's' string, 'd' number, 'r' pattern, 'o' one character of anything else
	text string
	at   int  // where it starts, -1 for code inside a string
	gap  bool // a line ends before it
}

// maxTokens bounds the code that is looked at word by word.
const maxTokens = 8000

// maxFileTokens bounds the files whose imports are looked at.
const maxFileTokens = 200000

// lexer cuts inline code into tokens, as its language does. Code inside a string
// follows the string's token between two braces.
type lexer struct {
	d     *dialect
	toks  []token
	depth int
	bad   string // why the code could not be cut
	whole bool   // the code is a file's, which may be long

	conditions     []bool // of the parentheses that are open, those of statements
	afterCondition bool   // the one closed last was one
}

// tokens returns the words of code; bad says why they are not all. Not inlined, for the size of programs.
//
//go:noinline
func (d *dialect) tokens(text string) (toks []token, bad string) {
	l := lexer{d: d}
	l.cut(text, true)
	return l.toks, l.bad
}

//go:noinline
func (l *lexer) add(kind byte, text string, at int, gap bool) {
	if len(l.toks) >= maxTokens && !(l.whole && len(l.toks) < maxFileTokens) {
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
		if l.bad = l.odd(text, i); l.bad != "" {
			return
		}
		switch n := l.d.commentLen(text, i); {
		case n > 0:
			i += n
		case c == '\n':
			gap = true
			i++
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '\\' && i+1 < len(text) && text[i+1] == '\n':
			i += 2
		default:
			i += l.piece(text, i, at, gap)
			gap = false
		}
	}
	l.depth--
}

// piece cuts the word at text[i] and returns its length.
func (l *lexer) piece(text string, i, at int, gap bool) int {
	kind, n := byte('o'), 1
	switch c := text[i]; {
	case firstByte(l.d.quotes, c) >= 0:
		return l.str(text, i, at, gap)
	case c == '%' && l.d.name == "ruby" && wordList(text[i:]) > 0:
		kind, n = 'd', wordList(text[i:])
	case c >= '0' && c <= '9':
		kind, n = 'd', numberLen(text[i:])
	case isNameByte(c) || c == '$' && l.d.name == "node":
		kind, n = 'n', 1+nameLen(text[i+1:])
		for l.d.name == "node" && i+n < len(text) && (text[i+n] == '$' || isNameByte(text[i+n])) {
			n++
		}
	case c == '/' && (l.d.name == "node" || l.d.name == "ruby") && l.patternMayStart():
		kind, n = 'r', patternLen(text[i:])
		if n == 0 {
			l.bad = "a pattern without an end"
			return 1
		}
	case l.whole && (c >= 0x80 || c == '\f'):
	case c >= 0x80 || c < ' ' || c == '\\':
		l.bad = "characters outside ASCII"
		return 1
	default:
		l.parenthesis(c)
	}
	l.add(kind, text[i:i+n], at, gap)
	return n
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
	line := text[i] == '#' && firstByte(d.comment, '#') >= 0 || firstByte(d.comment, '/') >= 0 && strings.HasPrefix(text[i:], "//") || d.name == "lua" && strings.HasPrefix(text[i:], "--")
	switch {
	case d.name == "lua" && strings.HasPrefix(text[i:], "--["), d.name == "php" && strings.HasPrefix(text[i:], "#["):
		return 0
	case line:
		return skipLine(text, i) - i
	case firstByte(d.comment, '/') >= 0 && strings.HasPrefix(text[i:], "/*"):
		if j := strings.Index(text[i+2:], "*/"); j >= 0 {
			return j + 4
		}
		return len(text) - i
	}
	return 0
}

// odd says why the code at text[i] cannot be cut: it is a literal or a comment of a
// kind that is not followed, in which quotes need not be quotes.
func (l *lexer) odd(text string, i int) string {
	rest := text[i:]
	next := byte(' ')
	if len(rest) > 1 {
		next = rest[1]
	}
	before := i > 0 && (text[i-1] == ' ' || text[i-1] == '\t')
	switch l.d.name {
	case "lua":
		if strings.HasPrefix(rest, "--[") || rest[0] == '[' && (next == '[' || next == '=') {
			return "long brackets"
		}
	case "php":
		if strings.HasPrefix(rest, "<<<") || strings.HasPrefix(rest, "?>") || strings.HasPrefix(rest, "#[") {
			return "text of another kind"
		}
	case "ruby":
		value := !l.patternMayStart()
		switch c := rest[0]; {
		case c == '%' && wordList(rest) > 0:
		case c == '%' && (!value || before && next != ' ' && next != '='), c == '?' && (!value || before && next != ' '), c == '/' && value && before && next != ' ' && next != '=':
			return "a literal that is not plain"
		case strings.HasPrefix(rest, "<<") && len(rest) > 2 && (isNameByte(rest[2]) || firstByte("~-'\"`", rest[2]) >= 0) && !(rest[2] >= '0' && rest[2] <= '9'), strings.HasPrefix(rest, "=begin"), strings.HasPrefix(rest, "__END__"):
			return "a here-document"
		}
	}
	return ""
}

// wordList returns the length of a list of words of Ruby, %w[a b], whose words are no
// code, and 0 if the text does not start with one that is plain.
func wordList(s string) int {
	if len(s) < 4 || s[1] != 'w' && s[1] != 'i' {
		return 0
	}
	i := firstByte("[({<|!", s[2])
	if i < 0 {
		return 0
	}
	end := firstByte(s, "])}>|!"[i])
	if s[2] == "])}>|!"[i] {
		end = firstByte(s[3:], s[2]) + 3
	}
	if end < 3 || strings.ContainsAny(s[3:end], "[({<\\") {
		return 0
	}
	return end + 1
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
		if l.d.name == "ruby" {
			return strings.Contains(" if unless while until and or not when then else elsif in do return puts p print ", " "+t.text+" ")
		}
		return strings.Contains(" return typeof case in of delete void instanceof new do else throw yield await ", " "+t.text+" ")
	case 'o':
		if l.d.name == "node" && (t.text == "}" || t.text == ")" && l.afterCondition) {
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

// patternLen is the length of a pattern with its flags behind it, 0 if it does not end in its line.
func patternLen(s string) int {
	n := regexLen(s)
	if n > 0 {
		n += nameLen(s[n:])
	}
	return n
}

// is says whether token i is the given operator or name. Not inlined, for the size of programs.
//
//go:noinline
func is(toks []token, i int, text string) bool {
	return i >= 0 && i < len(toks) && toks[i].kind != 's' && toks[i].text == text
}

// constant judges a string as what it looks like: a URL, a path, a network
// device. A string that is none of them has no effect.
func (s *scanner) constant(v string) {
	switch {
	case s.m.whole && strings.HasPrefix(v, "sqlite") && localDatabase(v): // a file of the workspace
	case strings.Contains(v, "://") && len(v) < 2048 && firstByte(v, ' ') < 0:
		s.m.url(effect.OpFetch, v, "")
	case len(v) > 1 && len(v) < 1024 && (v[0] == '/' && v[1] != '/' && firstByte(v, '/') == 0 && !strings.ContainsAny(v, " \n\t*()[]|") || strings.HasPrefix(v, "~/") || strings.HasPrefix(v, "../")):
		s.m.read(v)
	case names.Sensitive("/"+v) && len(v) < 256:
		s.m.read(v)
	}
}
