package call

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// value is a JSON value of a call's arguments.
type value struct {
	kind  valueKind
	text  string   // what a string holds; of a number, true, false or null how it is written
	names []string // of an object, in the order they stand there
	items []value  // of an object or a list
}

type valueKind uint8

const (
	literalValue valueKind = iota // a number, true, false or null
	stringValue
	objectValue
	listValue
)

// document is a call's arguments, read once.
type document struct {
	value
	ok bool // one JSON value within the limits
	// doubt says why two readers could take it for different ones: an object, at
	// any depth, has a name twice (RFC 8259, section 4, leaves open which one
	// counts), or two names that differ only in letter case, which readers such as
	// encoding/json take for one; or a string is no Unicode text (RFC 7493, section
	// 2.1), which every reader mends in its own way; or a text holds another one, or
	// words, which some readers take for the command.
	doubt string
}

// parseDocument reads arguments: an object, a string, or an object in one. Null is
// no arguments, as hosts write a call that has none; a list, a number or a boolean
// has no names, so that nobody knows what its parts are for.
func parseDocument(raw []byte) document {
	d := parseOnce(raw)
	switch {
	case d.ok && d.null():
		d.value = value{kind: objectValue}
	case d.kind == listValue || d.kind == literalValue:
		d.value, d.ok = value{}, false
	}
	if d.ok && d.kind == stringValue {
		if inner := parseOnce([]byte(d.text)); inner.ok && inner.kind == objectValue {
			if inner.doubt == "" {
				inner.doubt = d.doubt
			}
			return inner
		} else if _, argv := inner.words(); inner.ok && d.doubt == "" && (inner.kind == stringValue || argv) {
			d.doubt = "the arguments are a text that holds JSON again"
		}
		if nesting([]byte(d.text)) > maxArgDepth && strings.HasPrefix(strings.TrimSpace(d.text), "{") {
			d.ok = false
		}
	}
	return d
}

func parseOnce(raw []byte) (d document) {
	raw = bytes.Trim(raw, " \t\r\n") // JSON has no other blanks (RFC 8259, section 2)
	if len(raw) > MaxArgBytes || nesting(raw) > maxArgDepth {
		return d
	}
	if !utf8.Valid(raw) || loneSurrogate(raw) {
		d.doubt = "the arguments hold text that is not Unicode"
	}
	p := parser{dec: json.NewDecoder(bytes.NewReader(raw)), doubt: &d.doubt}
	p.dec.UseNumber()
	tok, err := p.dec.Token()
	if err != nil {
		return d
	}
	d.value, d.ok = p.value(tok)
	if _, err := p.dec.Token(); err != io.EOF {
		d.ok = false
	}
	if !d.ok {
		d.value = value{} // half an object is none
	}
	return d
}

// parser reads one value after the other from a decoder.
type parser struct {
	dec   *json.Decoder
	doubt *string
}

func (p *parser) value(tok json.Token) (v value, ok bool) {
	switch t := tok.(type) {
	case json.Delim:
		return p.compound(t)
	case string:
		return value{kind: stringValue, text: t}, true
	case json.Number:
		return value{text: t.String()}, true
	case bool:
		if t {
			return value{text: "true"}, true
		}
		return value{text: "false"}, true
	}
	return value{text: "null"}, true
}

// compound reads an object or a list that has been opened.
func (p *parser) compound(open json.Delim) (v value, ok bool) {
	v.kind = listValue
	if open == '{' {
		v.kind = objectValue
	}
	for {
		tok, err := p.dec.Token()
		if err != nil {
			return v, false
		}
		if end, is := tok.(json.Delim); is && (end == '}' || end == ']') {
			p.twice(v.names)
			return v, true
		}
		if v.kind == objectValue {
			v.names = append(v.names, tok.(string))
			if tok, err = p.dec.Token(); err != nil {
				return v, false
			}
		}
		item, ok := p.value(tok)
		if !ok {
			return v, false
		}
		v.items = append(v.items, item)
	}
}

// twice notes a name that an object has twice.
func (p *parser) twice(names []string) {
	if len(names) < 2 || *p.doubt != "" {
		return
	}
	seen := make(map[string]string, len(names))
	for _, name := range names {
		folded := foldName(name)
		switch was, there := seen[folded]; {
		case there && was == name:
			*p.doubt = "the arguments have a name twice"
			return
		case there:
			*p.doubt = "the arguments have two names that differ only in letter case"
			return
		}
		seen[folded] = name
	}
}

// foldName is one spelling for all that differ in letter case only, by Unicode's
// simple case folding: the smallest of each letter's forms.
func foldName(name string) string {
	out := []rune(name)
	for i, r := range out {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		out[i] = least
	}
	return string(out)
}

// loneSurrogate says whether a JSON text escapes half of a surrogate pair.
func loneSurrogate(raw []byte) bool {
	for i := 0; i+1 < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		i++
		if raw[i] != 'u' || !surrogate(raw[i-1:], 'b') {
			if raw[i] == 'u' && surrogate(raw[i-1:], 'f') {
				return true // a second half without a first one
			}
			continue
		}
		if next := raw[min(i+5, len(raw)):]; len(next) < 6 || next[0] != '\\' || next[1] != 'u' || !surrogate(next, 'f') || surrogate(next, 'b') {
			return true
		}
		i += 10
	}
	return false
}

// surrogate says whether \uXXXX lies in D800 to DBFF (last is 'b') or to DFFF
// ('f'). Not inlined, for the size of programs.
//
//go:noinline
func surrogate(esc []byte, last byte) bool {
	if len(esc) < 6 || esc[2]|0x20 != 'd' {
		return false
	}
	c := esc[3] | 0x20
	return c >= '8' && c <= '9' || c >= 'a' && c <= last
}

// nesting is an upper bound of a JSON text's depth.
func nesting(raw []byte) int {
	depth, deepest := 0, 0
	for _, c := range raw {
		switch c {
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ']', '}':
			depth--
		}
	}
	return deepest
}

// member returns an object's value of a name: the last, as encoding/json does.
func (v *value) member(name string) (*value, bool) {
	for i := len(v.names) - 1; i >= 0; i-- {
		if v.names[i] == name {
			return &v.items[i], true
		}
	}
	return nil, false
}

// null says whether a value is null. Not inlined, for the size of programs.
//
//go:noinline
func (v *value) null() bool { return v.kind == literalValue && v.text == "null" }

// words returns the strings of a list that holds nothing else.
func (v *value) words() ([]string, bool) {
	if v.kind != listValue {
		return nil, false
	}
	out := make([]string, 0, len(v.items))
	for i := range v.items {
		if v.items[i].kind != stringValue && !v.items[i].null() {
			return nil, false
		}
		s := v.items[i].text
		if v.items[i].null() {
			s = "" // as encoding/json has it
		}
		out = append(out, s)
	}
	return out, true
}

// Doubt says why two readers could take arguments for different ones, or nothing.
// Read asks the same and never approves such a call; front ends that have to
// answer before there is a call ask here. What is no JSON is not in doubt: it
// cannot be read at all.
func Doubt(args []byte) string { return parseDocument(args).doubt }
