package imports

import (
	"slices"
	"strings"
)

// This file divides Python into tokens, as its reference has it (2. Lexical analysis, with
// the formatted strings of 3.12: in older versions, text that the two read differently is
// a syntax error).

// pyLexer is a walk over a text. Strings with code in them make it walk in itself.
type pyLexer struct {
	r     *reader
	text  string
	i     int
	depth int // strings within strings
}

const maxDepth = 32

func (r *reader) python(text string) {
	if coded(text) || strings.IndexByte(text, 0) >= 0 {
		r.refuse("is not in UTF-8")
		return
	}
	l := pyLexer{r: r, text: text}
	l.code(nil)
	r.pythonStatements()
}

// coded says whether one of the first two lines declares an encoding (PEP 263): in some,
// comments are code.
func coded(text string) bool {
	for range 2 {
		end := strings.IndexAny(text, "\r\n")
		line := text
		if end >= 0 {
			line, text = text[:end], text[end+max(1, lineEnd(text[end:])):]
		}
		for _, name, ok := strings.Cut(line, "coding"); ok && strings.Contains(line, "#"); _, name, ok = strings.Cut(name, "coding") {
			to := strings.ToLower(strings.TrimLeft(name[min(1, len(name)):], " \t"))
			if name != "" && (name[0] == ':' || name[0] == '=') && !strings.HasPrefix(to, "utf-8") && !strings.HasPrefix(to, "utf8") && !strings.HasPrefix(to, "ascii") {
				return true
			}
		}
		if end < 0 {
			break
		}
	}
	return false
}

func (l *pyLexer) refuse(why string) bool {
	l.r.refuse(why)
	l.i = len(l.text)
	return false
}

func (l *pyLexer) emit(k kind, text string, plain bool) {
	l.r.toks = append(l.r.toks, token{k, text, plain})
}

// code reads to the end of the text, or a replacement field of a string to its end, whose
// tokens stand in braces of their own.
func (l *pyLexer) code(in *pyString) bool {
	var open []byte
	if in != nil {
		l.emit(op, "{", false)
		defer l.emit(op, "}", false)
	}
	for l.i < len(l.text) {
		c, rest := l.text[l.i], l.text[l.i:]
		switch {
		case lineEnd(rest) > 0:
			l.i += lineEnd(rest)
			if len(open) == 0 && in == nil {
				l.emit(newline, "", false)
			}
		case c == ' ' || c == '\t' || c == '\f':
			l.i++
		case c == '#':
			if l.i += strings.IndexAny(rest+"\n", "\r\n"); in != nil && !in.triple {
				return l.refuse("cannot be read: a comment in a string")
			}
		case c == '\\':
			n := lineEnd(rest[1:])
			if n == 0 {
				return l.refuse("cannot be read: a backslash")
			}
			l.i += 1 + n
		case c == '"' || c == '\'':
			if !l.string("") {
				return false
			}
		case isDigit(c):
			n := nameLen(rest)
			l.emit(number, rest[:n], false)
			l.i += n
		case isName(c):
			if !l.name(rest) {
				return false
			}
		case c >= 0x80:
			return l.refuse("has names outside ASCII")
		case in != nil && len(open) == 0 && (c == '}' || c == ':' || c == '!' && !strings.HasPrefix(rest, "!=")):
			if done, ok := l.fieldEnd(in, c); done || !ok {
				return ok
			}
		case closer(c) != 0:
			open = append(open, closer(c))
			l.emit(op, rest[:1], false)
			l.i++
		case c == ')' || c == ']' || c == '}':
			if len(open) == 0 || open[len(open)-1] != c {
				return l.refuse("cannot be read: a bracket that nothing opened")
			}
			open = open[:len(open)-1]
			l.emit(op, rest[:1], false)
			l.i++
		default:
			l.operator(rest)
		}
	}
	if in != nil || len(open) > 0 {
		return l.refuse("cannot be read: it ends in the middle")
	}
	return true
}

// operator reads one, two characters long where that is another one than its first.
func (l *pyLexer) operator(rest string) {
	n := 1
	if len(rest) > 1 && (rest[1] == '=' && strings.IndexByte("=!<>:+-*/%&|^@", rest[0]) >= 0 || rest[:2] == "->") {
		n = 2
	}
	l.emit(op, rest[:n], false)
	l.i += n
}

// name reads a name, or a string with letters in front.
func (l *pyLexer) name(rest string) bool {
	n := nameLen(rest)
	if n <= 2 && n < len(rest) && (rest[n] == '"' || rest[n] == '\'') {
		if p := strings.ToLower(rest[:n]); slices.Contains(stringPrefixes, p) {
			l.i += n
			return l.string(p)
		}
	}
	l.emit(word, rest[:n], false)
	l.i += n
	return true
}

var stringPrefixes = []string{"b", "br", "f", "fr", "r", "rb", "rf", "rt", "t", "tr", "u", "ur"}

// pyString is a string that is being read.
type pyString struct {
	quote       string
	triple, raw bool
	fields      bool // it has code in it
}

// string reads a string, behind its letters.
func (l *pyLexer) string(prefix string) bool {
	s := pyString{quote: l.text[l.i : l.i+1], raw: strings.Contains(prefix, "r"), fields: strings.ContainsAny(prefix, "ft")}
	if q := strings.Repeat(s.quote, 3); strings.HasPrefix(l.text[l.i:], q) {
		s.quote, s.triple = q, true
	}
	if l.depth++; l.depth > maxDepth {
		return l.refuse("cannot be read: strings in strings")
	}
	l.i += len(s.quote)
	from, mark := l.i, len(l.r.toks)
	plain := prefix == "" || prefix == "r" || prefix == "u"
	for l.i < len(l.text) {
		rest := l.text[l.i:]
		switch {
		case strings.HasPrefix(rest, s.quote):
			value := l.text[from:l.i]
			l.i += len(s.quote)
			l.depth--
			if plain = plain && strings.IndexByte(value, '\\') < 0; !plain {
				value = ""
			}
			l.r.toks = slices.Insert(l.r.toks, mark, token{str, value, plain}) // before the code in it
			return true
		case s.fields && rest[0] == '{' && !strings.HasPrefix(rest, "{{"):
			l.i++
			if !l.code(&s) {
				return false
			}
		case s.fields && rest[0] == '{':
			l.i += 2
		default:
			if !l.character(&s, rest) {
				return false
			}
		}
	}
	return l.refuse("cannot be read: a string without an end")
}

// character reads one character of a string's own text, or one escape.
func (l *pyLexer) character(s *pyString, rest string) bool {
	switch {
	case rest[0] == '\\' && s.fields && !s.raw && strings.HasPrefix(rest, `\N{`):
		end := strings.IndexByte(rest, '}')
		if end < 0 {
			return l.refuse("cannot be read: a string without an end")
		}
		l.i += end + 1
	case rest[0] == '\\' && s.fields && len(rest) > 1 && strings.IndexByte("{}", rest[1]) >= 0:
		l.i++ // the brace counts
	case rest[0] == '\\' && len(rest) > 1:
		l.i += 1 + max(1, lineEnd(rest[1:]))
	case lineEnd(rest) > 0 && !s.triple:
		return l.refuse("cannot be read: a string without an end")
	default:
		l.i++
	}
	return true
}

// fieldEnd reads what ends a replacement field, or comes at its end. done says that it
// ends here.
func (l *pyLexer) fieldEnd(s *pyString, c byte) (done, ok bool) {
	l.i++
	switch c {
	case '}':
		return true, true
	case '!':
		l.i += nameLen(l.text[l.i:])
		return false, true
	}
	for l.i < len(l.text) { // the format, which may have fields of its own
		rest := l.text[l.i:]
		switch {
		case rest[0] == '}':
			l.i++
			return true, true
		case rest[0] == '{':
			l.i++
			if l.depth++; l.depth > maxDepth {
				return true, l.refuse("cannot be read: strings in strings")
			}
			if !l.code(s) {
				return true, false
			}
			l.depth--
		case strings.HasPrefix(rest, s.quote):
			return true, l.refuse("cannot be read: a field of a string without an end")
		default:
			if !l.character(s, rest) {
				return true, false
			}
		}
	}
	return true, l.refuse("cannot be read: a string without an end")
}
