package origin

import (
	"strconv"
	"strings"
)

// yamlLeaves reads a block YAML dump as PyYAML and its kin write it: mappings
// and sequences by indentation, plain, quoted and block scalars. It is strict:
// a line that does not fit makes all of it text, since then nobody can tell
// what is a field. Anchors, tags, flow collections (but [] and {}), comments
// and several documents are not read.
func yamlLeaves(s string) ([]pending, bool) {
	p := yaml{}
	for _, l := range strings.Split(s, "\n") {
		l = strings.TrimRight(l, "\r")
		text := strings.TrimLeft(l, " ")
		p.lines = append(p.lines, line{indent: len(l) - len(text), text: text})
	}
	if first := p.lines[0].text; !isItem(first) && !p.hasKey(first) {
		return nil, false
	}
	if !p.block(place{}, 0) || p.n != len(p.lines) || p.l.bad {
		return nil, false
	}
	if p.letter() {
		return nil, false
	}
	return p.l.out, true
}

// letterLines and letterWords bound what a few lines of prose look like that
// happen to be a mapping: two or three "name: words", one of them a sentence.
// No record of the shared runs is that small and has one.
const (
	letterLines = 3
	letterWords = 4
)

// letter says whether a dump may as well be a few lines that somebody wrote: a
// mapping with keys that are no names, or a short one with a sentence in it.
func (p *yaml) letter() bool {
	sentence := false
	for _, l := range p.lines {
		key, value, ok := splitKey(l.text)
		if l.indent > 0 || isItem(l.text) || !ok {
			return false
		}
		if !isName(key) {
			return true
		}
		sentence = sentence || len(strings.Fields(value)) >= letterWords
	}
	return sentence && len(p.lines) <= letterLines
}

type line struct {
	indent int
	text   string // without its indentation
}

type yaml struct {
	lines []line
	n     int
	l     leafList
}

func isItem(text string) bool { return text == "-" || strings.HasPrefix(text, "- ") }

// splitKey splits "key: value". The key is plain, or quoted on one line.
func splitKey(text string) (key, value string, ok bool) {
	if text == "" {
		return "", "", false
	}
	if q := text[0]; q == '\'' || q == '"' {
		end := quoteEnd(text, q)
		if end < 0 || end+1 >= len(text) || text[end+1] != ':' {
			return "", "", false
		}
		key, ok = unquote(text[:end+1])
		return key, strings.TrimSpace(text[end+2:]), ok && (end+2 == len(text) || text[end+2] == ' ')
	}
	if strings.IndexByte("&*!|>%@`#{}[],?", text[0]) >= 0 {
		return "", "", false
	}
	if strings.HasSuffix(text, ":") && !strings.Contains(text, ": ") {
		return text[:len(text)-1], "", true
	}
	key, value, ok = strings.Cut(text, ": ")
	return key, strings.TrimLeft(value, " "), ok && len(key) <= 128
}

func (p *yaml) hasKey(text string) bool {
	_, _, ok := splitKey(text)
	return ok
}

// block reads the mapping or sequence that begins at the current line with the
// given indentation.
func (p *yaml) block(at place, indent int) bool {
	if at.depth > maxDepth || p.n >= len(p.lines) || p.lines[p.n].indent != indent {
		return false
	}
	if isItem(p.lines[p.n].text) {
		return p.sequence(at, indent)
	}
	return p.mapping(at, indent)
}

func (p *yaml) sequence(at place, indent int) bool {
	for p.n < len(p.lines) && p.lines[p.n].indent == indent && isItem(p.lines[p.n].text) {
		l := &p.lines[p.n]
		rest := strings.TrimPrefix(l.text, "-")
		inner := strings.TrimLeft(rest, " ")
		if inner == "" {
			p.n++
			if !p.block(at.item(), p.nextIndent()) {
				return false
			}
			continue
		}
		if isItem(inner) || p.hasKey(inner) && !quotedScalar(inner) {
			// The item's content begins on the dash's own line.
			l.indent, l.text = indent+1+len(rest)-len(inner), inner
			if !p.block(at.item(), l.indent) {
				return false
			}
			continue
		}
		if !p.scalar(at.item(), inner, indent) {
			return false
		}
	}
	return true
}

// quotedScalar says whether a line begins a quoted scalar that is no key.
func quotedScalar(text string) bool {
	if text[0] != '\'' && text[0] != '"' {
		return false
	}
	_, _, ok := splitKey(text)
	return !ok
}

func (p *yaml) nextIndent() int {
	if p.n < len(p.lines) {
		return p.lines[p.n].indent
	}
	return -1
}

func (p *yaml) mapping(at place, indent int) bool {
	at = p.l.object(at)
	for p.n < len(p.lines) && p.lines[p.n].indent == indent && !isItem(p.lines[p.n].text) {
		key, value, ok := splitKey(p.lines[p.n].text)
		if !ok {
			return false
		}
		p.l.addKey(at, key)
		if value != "" {
			if !p.scalar(at.key(key), value, indent) {
				return false
			}
			continue
		}
		p.n++
		if !p.nested(at.key(key), indent) {
			return false
		}
	}
	return true
}

// nested reads what stands below a key: deeper lines, a sequence on the key's
// own indentation, or nothing.
func (p *yaml) nested(at place, indent int) bool {
	switch next := p.nextIndent(); {
	case next > indent:
		return p.block(at, next)
	case next == indent && isItem(p.lines[p.n].text):
		return p.sequence(at, indent)
	}
	return true
}

// scalar reads a value that begins on the current line and goes on over the
// lines that are indented deeper than its parent, or empty.
func (p *yaml) scalar(at place, first string, indent int) bool {
	p.n++
	switch first[0] {
	case '\'', '"':
		return p.quoted(at, first, indent)
	case '|', '>':
		return p.literalBlock(at, first, indent)
	case '[', '{', '&', '*', '!', '%', '@', '`':
		return first == "[]" || first == "{}"
	}
	parts := []string{first}
	for p.n < len(p.lines) && (p.lines[p.n].indent > indent || p.lines[p.n].text == "") {
		if t := p.lines[p.n].text; p.lines[p.n].indent > indent && strings.Contains(t, ": ") {
			return false // a plain scalar cannot hold this: somebody wrote it
		}
		parts = append(parts, p.lines[p.n].text)
		p.n++
	}
	if first != "null" && first != "~" {
		p.l.add(at, strings.TrimSpace(strings.Join(parts, " ")))
	}
	return true
}

func (p *yaml) quoted(at place, first string, indent int) bool {
	var b strings.Builder
	b.WriteString(first)
	end := quoteEnd(first, first[0])
	for end < 0 {
		if p.n >= len(p.lines) || p.lines[p.n].text != "" && p.lines[p.n].indent <= indent && p.lines[p.n].indent > 0 {
			return false
		}
		b.WriteByte('\n')
		b.WriteString(p.lines[p.n].text)
		// A line without the quote, which most are, cannot hold the end.
		if strings.IndexByte(p.lines[p.n].text, first[0]) >= 0 {
			end = quoteEnd(b.String(), first[0])
		}
		p.n++
	}
	if end != b.Len()-1 {
		return false
	}
	v, ok := unquote(b.String())
	if ok {
		p.l.add(at, v)
	}
	return ok
}

func (p *yaml) literalBlock(at place, first string, indent int) bool {
	if strings.Trim(first[1:], "+-0123456789") != "" {
		return false
	}
	var parts []string
	for p.n < len(p.lines) && (p.lines[p.n].indent > indent || p.lines[p.n].text == "") {
		parts = append(parts, p.lines[p.n].text)
		p.n++
	}
	p.l.add(at, strings.Join(parts, "\n"))
	return true
}

// quoteEnd returns where the quoted text that s begins with ends, -1 if it
// does not.
func quoteEnd(s string, q byte) int {
	for i := 1; i < len(s); i++ {
		switch {
		case q == '"' && s[i] == '\\':
			i++
		case s[i] == q && q == '\'' && i+1 < len(s) && s[i+1] == q:
			i++
		case s[i] == q:
			return i
		}
	}
	return -1
}

// unquote resolves a quoted scalar. Line ends stay: words apart are enough.
func unquote(s string) (string, bool) {
	body := s[1 : len(s)-1]
	if s[0] == '\'' {
		return strings.ReplaceAll(body, "''", "'"), true
	}
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' {
			b.WriteByte(body[i])
			continue
		}
		if i++; i >= len(body) {
			return "", false
		}
		n, ok := yamlEscape(body[i:], &b)
		if !ok {
			return "", false
		}
		i += n - 1
	}
	return b.String(), true
}

// yamlEscape writes what the escape after a backslash stands for and returns
// its length (YAML 1.2, section 5.7).
func yamlEscape(s string, b *strings.Builder) (int, bool) {
	const from, to = "0abtnvfre\"/\\ N_\n", "\x00\a\b\t\n\v\f\r\x1b\"/\\ \u0085\u00a0"
	switch c := s[0]; c {
	case '\n': // a line that goes on
		return 1, true
	case 'x', 'u', 'U':
		width := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
		if len(s) <= width {
			return 0, false
		}
		n, err := strconv.ParseUint(s[1:1+width], 16, 32)
		b.WriteRune(utf8Rune(n))
		return 1 + width, err == nil
	default:
		i := strings.IndexByte(from, c)
		if i < 0 {
			return 0, false
		}
		b.WriteRune([]rune(to)[i])
		return 1, true
	}
}
