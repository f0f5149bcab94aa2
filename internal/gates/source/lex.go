package source

import (
	"slices"
	"strings"
)

// token is a word of source. Its kind is n for a name, d for a number, s for a text and o for a
// sign; a text is its own content as it stands, without its quotes.
type token struct {
	kind byte
	text string
	head bool // nothing but blanks stands before it on its line
	col  int  // bytes before it on its line
}

// lexis says how a language is cut into words.
type lexis struct {
	line        []string // what begins a comment up to the end of the line
	open, close string   // what a longer comment stands between
	nests       bool
	triple      bool   // """ begins a text of several lines
	single      bool   // ' begins a text, not a character
	chars       bool   // ' begins a character
	prime       bool   // and is a sign elsewhere
	noEscapes   bool   // a backslash is a plain sign in every text
	noQuotes    bool   // a text may stand in a comment, so none with a quote is read
	hole        string // what begins code in a text, up to a brace or parenthesis: "${" or `\(`
	dollar      bool   // and $name stands for a name
	raw         string // letters that stand right before a text in which a backslash is none
	names       string // signs that names may hold beside letters, digits and underscores
	pairs       []string
}

// maxHoles bounds texts in the code of texts.
const maxHoles = 8

// cut cuts source into tokens; ok is false where it cannot be read plainly.
func (l *lexis) cut(text string, depth int) (out []token, ok bool) {
	if depth > maxHoles {
		return nil, false
	}
	c := cutter{lexis: l, depth: depth, fresh: true}
	for c.at < len(text) {
		if !c.next(text[c.at:]) {
			return nil, false
		}
	}
	return c.out, true
}

// cutter is a text while it is cut.
type cutter struct {
	*lexis
	depth int // of the code in texts
	out   []token
	at    int  // what is cut next
	start int  // where its line begins
	fresh bool // nothing but blanks stands before on the line
}

// add notes a token and goes on behind n bytes.
func (c *cutter) add(kind byte, text string, n int) {
	c.out = append(c.out, token{kind, text, c.fresh, c.at - c.start})
	c.fresh, c.at = false, c.at+n
}

// next cuts what the rest begins with: a blank, a comment or a token.
func (c *cutter) next(rest string) bool {
	b := rest[0]
	switch {
	case b == '\n':
		c.fresh, c.at = true, c.at+1
		c.start = c.at
	case b == ' ' || b == '\t' || b == '\r' || b == '\f':
		c.at++
	case c.comment(rest) > 0:
		c.at += c.comment(rest)
	case c.open != "" && strings.HasPrefix(rest, c.open):
		n := c.block(rest)
		c.at += n
		return n > 0
	case b == '"' || b == '\'' && c.single:
		return c.text(rest)
	case b == '\'' && c.chars:
		switch n := character(rest); {
		case n > 0:
			c.add('s', rest[1:n-1], n)
		case c.prime:
			c.add('o', "'", 1)
		default:
			return false
		}
	case b >= '0' && b <= '9':
		n := numberLen(rest)
		c.add('d', rest[:n], n)
	case nameByte(b):
		return c.name(rest)
	case b < ' ' || b == '`':
		return false
	default:
		n := 1
		if i := slices.IndexFunc(c.pairs, func(p string) bool { return strings.HasPrefix(rest, p) }); i >= 0 {
			n = len(c.pairs[i])
		}
		c.add('o', rest[:n], n)
	}
	return true
}

// text cuts a text, with the code in it.
func (c *cutter) text(rest string) bool {
	inner, n, ok := c.quoted(rest, rest[0], "", c.depth)
	if !ok {
		return false
	}
	for k := range inner {
		inner[k].head = inner[k].head && k > 0
	}
	c.out, c.fresh, c.at = append(c.out, inner...), false, c.at+n
	return true
}

// name cuts a name, or a text with letters before it that say how it is read.
func (c *cutter) name(rest string) bool {
	n := c.nameLen(rest)
	word, q := rest[:n], rest[n:]
	if q == "" || q[0] != '"' && (q[0] != '\'' || !c.single) {
		c.add('n', word, n)
		return true
	}
	if len(word) != 1 || !strings.Contains(c.raw, word) {
		return false
	}
	inner, k, ok := c.quoted(q, q[0], word, c.depth)
	c.out, c.fresh, c.at = append(c.out, inner...), false, c.at+n+k
	return ok
}

// numberLen is the length of a number at the beginning of a text.
func numberLen(rest string) int {
	n := 1
	for n < len(rest) && (nameByte(rest[n]) || rest[n] == '.' && n+1 < len(rest) && rest[n+1] >= '0' && rest[n+1] <= '9') {
		n++
	}
	return n
}

// comment is the length of a comment up to the end of its line.
func (l *lexis) comment(rest string) int {
	for _, begin := range l.line {
		if strings.HasPrefix(rest, begin) {
			if n := strings.IndexByte(rest, '\n'); n >= 0 {
				return n
			}
			return len(rest)
		}
	}
	return 0
}

// block is the length of a longer comment, 0 for one without an end.
func (l *lexis) block(rest string) int {
	depth := 0
	for i := 0; i < len(rest); {
		switch {
		case strings.HasPrefix(rest[i:], l.open) && (depth == 0 || l.nests):
			depth, i = depth+1, i+len(l.open)
		case strings.HasPrefix(rest[i:], l.close):
			if depth, i = depth-1, i+len(l.close); depth == 0 {
				if l.noQuotes && strings.IndexByte(rest[:i], '"') >= 0 {
					return 0
				}
				return i
			}
		default:
			i++
		}
	}
	return 0
}

// quoted reads a text and the code in it; n is how long it is.
func (l *lexis) quoted(rest string, quote byte, prefix string, depth int) (out []token, n int, ok bool) {
	end := string(quote)
	if three := strings.Repeat(end, 3); strings.HasPrefix(rest, three) {
		if !l.triple {
			if strings.HasPrefix(rest[2:], end) { // an empty text, and another begins
				return nil, 0, false
			}
		}
		end = three
	}
	from := len(end)
	out = append(out, token{kind: 's'})
	for i := from; i < len(rest); {
		switch {
		case strings.HasPrefix(rest[i:], end):
			out[0].text = rest[from:i]
			return out, i + len(end), true
		case rest[i] == '\n' && len(end) == 1:
			return nil, 0, false
		case l.hole != "" && strings.HasPrefix(rest[i:], l.hole) && prefix == "":
			code, k, ok := l.inside(rest[i+len(l.hole):], depth)
			if !ok {
				return nil, 0, false
			}
			out, i = append(append(append(out, token{kind: 'o', text: "("}), code...), token{kind: 'o', text: ")"}), i+len(l.hole)+k
		case l.dollar && rest[i] == '$' && prefix == "" && i+1 < len(rest) && nameByte(rest[i+1]) && (rest[i+1] < '0' || rest[i+1] > '9'):
			k := l.nameLen(rest[i+1:])
			out, i = append(out, token{kind: 'o', text: "("}, token{kind: 'n', text: rest[i+1 : i+1+k]}, token{kind: 'o', text: ")"}), i+1+k
		case rest[i] == '\\' && prefix == "" && !l.noEscapes:
			i += 2
		default:
			i++
		}
	}
	return nil, 0, false
}

// inside cuts the code in a text up to the brace or parenthesis that ends it; n is how long it is with that.
func (l *lexis) inside(rest string, depth int) (out []token, n int, ok bool) {
	level := 1
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '"', '\'', '\n', '\\':
			return nil, 0, false // texts in the code of texts
		case '(', '{', '[':
			level++
		case ')', '}', ']':
			if level--; level == 0 {
				out, ok = l.cut(rest[:i], depth+1)
				return out, i + 1, ok
			}
		}
	}
	return nil, 0, false
}

// character is the length of a character between single quotes, 0 for none: one, or an escape.
func character(rest string) int {
	switch {
	case len(rest) < 3 || rest[1] == '\n' || rest[1] == '\'':
		return 0
	case rest[1] == '\\':
		if n := strings.IndexByte(rest[3:], '\''); n >= 0 && n < 12 && strings.Trim(rest[3:3+n], "0123456789abcdefABCDEFuxU{}+NLSTXOQKHVRIG^&") == "" {
			return n + 4
		}
		return 0
	}
	n := 2
	if rest[1] >= 0x80 {
		for n < len(rest) && rest[n] >= 0x80 && n < 5 {
			n++
		}
	}
	if n < len(rest) && rest[n] == '\'' {
		return n + 1
	}
	return 0
}

func (l *lexis) nameLen(s string) int {
	n := 0
	for n < len(s) && (nameByte(s[n]) || n > 0 && strings.IndexByte(l.names, s[n]) >= 0) {
		n++
	}
	return n
}

// nameByte says whether a byte may be one of a name's; those beyond ASCII are taken for letters.
func nameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

// list gives tokens by their place.
type list []token

// at is the token at a place, an empty one outside.
func (l list) at(i int) token {
	if i < 0 || i >= len(l) {
		return token{}
	}
	return l[i]
}

// is says whether the signs or names of these texts stand at a place.
func (l list) is(i int, texts ...string) bool {
	for k, t := range texts {
		if tok := l.at(i + k); tok.text != t || tok.kind == 's' {
			return false
		}
	}
	return true
}

// capital says whether a name begins with a capital letter.
func capital(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }
