package imports

import "strings"

// This file divides JavaScript into tokens (ECMA-262, 12. Lexical grammar). Where a slash
// may begin a regular expression or divide, strings cannot be told from code for sure: then
// every word counts, those in strings and comments too.

// nodeLexer is a walk over a text.
type nodeLexer struct {
	r     *reader
	text  string
	i     int
	depth int
	lost  bool // the rest was read as words
}

func (r *reader) node(text string) {
	l := nodeLexer{r: r, text: text}
	if strings.HasPrefix(text, "#!") {
		l.i = len(text) - len(strings.TrimLeftFunc(text, func(c rune) bool { return c != '\n' && c != '\r' }))
	}
	if strings.Contains(text, "<!--") || strings.Contains(text, "-->") { // comments, in scripts
		r.refuse("has comments of HTML")
	}
	l.code(false)
	r.nodeWords()
}

func (l *nodeLexer) refuse(why string) {
	l.r.refuse(why)
	l.i = len(l.text)
}

func (l *nodeLexer) emit(k kind, text string, plain bool) {
	l.r.toks = append(l.r.toks, token{k, text, plain})
}

// code reads to the end of the text, or to the brace that ends the code in a template.
func (l *nodeLexer) code(in bool) {
	braces := 0
	for l.i < len(l.text) {
		c, rest := l.text[l.i], l.text[l.i:]
		switch {
		case c == '\n' || c == '\r' || c == ' ' || c == '\t' || c == '\f' || c == '\v':
			l.i++
		case strings.HasPrefix(rest, "//"):
			l.i += lineLen(rest)
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				l.refuse("cannot be read: a comment without an end")
				return
			}
			l.i += end + 4
		case c == '/':
			l.slash(rest)
		case c == '"' || c == '\'':
			l.string(c)
		case c == '`':
			l.template()
		case c == '\\' || c >= 0x80:
			l.refuse("has names outside ASCII")
		case isDigit(c):
			n := nameLen(rest)
			l.emit(number, rest[:n], false)
			l.i += n
		case isName(c) || c == '$':
			n := jsNameLen(rest)
			l.emit(word, rest[:n], false)
			l.i += n
		case c == '}' && braces == 0 && in:
			return
		default:
			switch c {
			case '{':
				braces++
			case '}':
				braces--
			}
			l.emit(op, rest[:1], false)
			l.i++
		}
	}
	if in || braces != 0 && !l.lost {
		l.refuse("cannot be read: it ends in the middle")
	}
}

func jsNameLen(s string) int {
	n := 0
	for n < len(s) && (isName(s[n]) || s[n] == '$') {
		n++
	}
	return n
}

// lineLen is the length of a line up to its end, of which JavaScript has four.
func lineLen(text string) int {
	if n := strings.IndexAny(text, "\n\r\u2028\u2029"); n >= 0 {
		return n
	}
	return len(text)
}

// slash reads a division, or a regular expression where one must stand.
func (l *nodeLexer) slash(rest string) {
	before := l.r.at(len(l.r.toks) - 1)
	switch {
	case before.kind == number, before.kind == str, before.kind == op && before.text == "]",
		before.kind == word && !regexBefore[before.text]:
		l.emit(op, "/", false)
		l.i++
	case len(l.r.toks) == 0, before.kind == word, before.kind == op && strings.Contains("(,=:[!&|?{;+-*%~^<>", before.text):
		l.regex(rest)
	default: // behind ) or }
		l.unsure()
	}
}

// regexBefore are the keywords behind which an expression begins.
var regexBefore = map[string]bool{
	"return": true, "typeof": true, "case": true, "in": true, "of": true, "delete": true, "void": true, "throw": true, "new": true, "instanceof": true, "do": true, "else": true, "yield": true,
	"await": true,
}

func (l *nodeLexer) regex(rest string) {
	class := false
	for k := 1; k < len(rest); k++ {
		switch c := rest[k]; {
		case c == '\n' || c == '\r':
			l.unsure()
			return
		case c == '\\':
			k++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			l.i += k + 1
			l.emit(str, "", false)
			l.i += nameLen(l.text[l.i:])
			return
		}
	}
	l.unsure()
}

// unsure reads the rest as words alone, whatever they stand in: of text that is none,
// nothing can hide in a string then.
func (l *nodeLexer) unsure() {
	l.lost = true
	for ; l.i < len(l.text); l.i++ {
		rest := l.text[l.i:]
		switch c := rest[0]; {
		case c == '\\' || c >= 0x80:
			l.r.refuse("has a slash that may divide or begin a pattern, and escapes behind it")
		case isName(c) || c == '$':
			n := jsNameLen(rest)
			l.emit(word, rest[:n], false)
			l.i += n - 1
		case c == '"' || c == '\'' || c == '`':
			if n := strings.IndexByte(rest[1:], c); n >= 0 && !strings.ContainsAny(rest[1:1+n], "\\\n\r \t;") {
				l.emit(str, rest[1:1+n], c != '`')
				for _, w := range strings.FieldsFunc(rest[1:1+n], func(c rune) bool { return c >= 0x80 || !isName(byte(c)) && c != '$' }) {
					if loaders[w] || w == "require" || w == "import" {
						l.r.refuse("has a slash that may divide or begin a pattern, and " + w + " behind it")
					}
				}
				l.i += n + 1
			}
		case c > ' ':
			l.emit(op, rest[:1], false)
		}
	}
}

// string reads a string in quotes.
func (l *nodeLexer) string(q byte) {
	for k := l.i + 1; k < len(l.text); k++ {
		switch c := l.text[k]; {
		case c == '\\':
			k++
		case c == '\n' || c == '\r':
			l.refuse("cannot be read: a string without an end")
			return
		case c == q:
			value := l.text[l.i+1 : k]
			l.emit(str, value, strings.IndexByte(value, '\\') < 0)
			l.i = k + 1
			return
		}
	}
	l.refuse("cannot be read: a string without an end")
}

// template reads a template with the code in it.
func (l *nodeLexer) template() {
	if l.depth++; l.depth > maxDepth {
		l.refuse("cannot be read: strings in strings")
		return
	}
	l.emit(str, "", false)
	for l.i++; l.i < len(l.text); l.i++ {
		switch rest := l.text[l.i:]; {
		case rest[0] == '\\':
			l.i++
		case rest[0] == '`':
			l.i++
			l.depth--
			return
		case strings.HasPrefix(rest, "${"):
			l.emit(op, "{", false)
			l.i += 2
			l.code(true)
			l.emit(op, "}", false)
		}
	}
	l.refuse("cannot be read: a string without an end")
}
