package settings

import (
	"bytes"
	"encoding/json"
	"strings"
)

// entry is an element of a list in a settings file: the list is at path, a
// chain of object keys, and ours tells our element from others by its JSON.
type entry struct {
	path  []string
	value any
	ours  func(raw []byte) bool
}

// doc is a parsed text.
type doc struct {
	text     []byte
	root     *node
	comments bool
	unit     string // one level of indentation
	newline  string
}

func parseDoc(text []byte, comments bool) (*doc, error) {
	root, err := scan(text, comments)
	if err != nil {
		return nil, err
	}
	d := &doc{text: text, root: root, comments: comments, unit: "  ", newline: "\n"}
	if bytes.Contains(text, []byte("\r\n")) {
		d.newline = "\r\n"
	}
	if len(root.members) > 0 {
		if in, ok := d.indent(root.members[0].start); ok && in != "" {
			d.unit = in
		}
	}
	return d, nil
}

// indent returns the blanks between the start of a line and pos; ok is false if
// something else stands before pos on its line.
func (d *doc) indent(pos int) (string, bool) {
	i := bytes.LastIndexByte(d.text[:pos], '\n') + 1
	in := string(d.text[i:pos])
	return in, i > 0 && strings.Trim(in, " \t") == ""
}

// locate follows the entry's path as far as it is there: the innermost
// container, and how many keys led to it.
func (d *doc) locate(path []string) (chain []*node, err error) {
	n := d.root
	chain = []*node{n}
	for i, key := range path {
		at := n.member(key)
		if at < 0 {
			return chain, nil
		}
		n = n.members[at].value
		want := byte('{')
		if i == len(path)-1 {
			want = '['
		}
		if n.kind != want {
			line := 1 + bytes.Count(d.text[:n.start], []byte("\n"))
			what := "an object"
			if want == '[' {
				what = "a list"
			}
			return nil, &SyntaxError{Line: line, Msg: strings.Join(path[:i+1], ".") + " is not " + what}
		}
		chain = append(chain, n)
	}
	return chain, nil
}

// insert adds the entry to text, or brings the one that is there up to date.
func (e *entry) insert(text []byte, comments bool) ([]byte, error) {
	d, err := parseDoc(text, comments)
	if err != nil {
		return nil, err
	}
	chain, err := d.locate(e.path)
	if err != nil {
		return nil, err
	}
	if n := chain[len(chain)-1]; len(chain) == len(e.path)+1 {
		if mine := e.find(d, n); len(mine) > 0 {
			return e.replace(d, n, mine), nil
		}
	}
	return d.add(chain, e.path, func(in string) string { return d.render(e.value, in) }), nil
}

// find returns which elements of a list are ours.
func (e *entry) find(d *doc, list *node) []int {
	var out []int
	for i, m := range list.members {
		if e.ours(d.json(m.value)) {
			out = append(out, i)
		}
	}
	return out
}

// json returns a value without comments.
func (d *doc) json(n *node) []byte {
	raw := d.text[n.start:n.end]
	if !d.comments {
		return raw
	}
	return strip(raw)
}

// strip replaces comments by blanks.
func strip(text []byte) []byte {
	out := bytes.Clone(text)
	for i := 0; i < len(out); i++ {
		switch {
		case out[i] == '"':
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
		case bytes.HasPrefix(out[i:], []byte("//")):
			for ; i < len(out) && out[i] != '\n'; i++ {
				out[i] = ' '
			}
		case bytes.HasPrefix(out[i:], []byte("/*")):
			end := len(out)
			if j := bytes.Index(out[i+2:], []byte("*/")); j >= 0 {
				end = i + j + 4
			}
			for ; i < end; i++ {
				out[i] = ' '
			}
			i--
		}
	}
	return out
}

// replace rewrites the first of our elements where it differs, and drops all
// others.
func (e *entry) replace(d *doc, list *node, mine []int) []byte {
	for i := len(mine) - 1; i > 0; i-- {
		text := d.cut(list, mine[i])
		next, err := parseDoc(text, d.comments)
		if err != nil {
			panic("gbt: internal error: " + err.Error())
		}
		chain, _ := next.locate(e.path)
		d, list = next, chain[len(chain)-1]
	}
	v := list.members[mine[0]].value
	if same(d.json(v), e.value) {
		return d.text
	}
	in, ok := d.indent(v.start)
	if !ok {
		in = strings.Repeat(d.unit, len(e.path)+1)
	}
	return splice(d.text, v.start, v.end, d.render(e.value, in))
}

func same(raw []byte, value any) bool {
	want, err := json.Marshal(value)
	if err != nil {
		return false
	}
	var a, b any
	if json.Unmarshal(raw, &a) != nil || json.Unmarshal(want, &b) != nil {
		return false
	}
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return bytes.Equal(x, y)
}

func splice(text []byte, from, to int, with string) []byte {
	out := make([]byte, 0, len(text)-(to-from)+len(with))
	out = append(out, text[:from]...)
	out = append(out, with...)
	return append(out, text[to:]...)
}

// render writes a value over several lines, the first of which starts behind
// the indentation in.
func (d *doc) render(v any, in string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(in, d.unit)
	if err := enc.Encode(v); err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\n", d.newline)
}

// add puts an element into the list at path, of which chain is the part that
// is there. The places where it puts what are told apart by drop: a container
// that was there and empty keeps its blanks behind the new text, one that is
// made here is spread over lines.
func (d *doc) add(chain []*node, path []string, element func(in string) string) []byte {
	n := chain[len(chain)-1]
	missing := path[len(chain)-1:]
	in := d.memberIndent(n, len(chain))
	text := func() string {
		var open, closing string
		at := in
		for i, key := range missing {
			if i > 0 {
				open += at
			}
			bracket, end := "{", "}"
			if i == len(missing)-1 {
				bracket, end = "[", "]"
			}
			open += quoteKey(key) + ": " + bracket + d.newline
			closing = d.newline + at + end + closing
			at += d.unit
		}
		if len(missing) > 0 {
			open += at
		}
		return open + element(at) + closing
	}()
	if len(n.members) == 0 {
		return splice(d.text, n.start+1, n.start+1, text)
	}
	last := n.members[len(n.members)-1].value.end
	sep := " "
	if _, ok := d.indent(n.members[len(n.members)-1].start); ok {
		sep = d.newline + in
	}
	at := d.endOfLine(last)
	out := splice(d.text, at, at, sep+text)
	return splice(out, last, last, ",")
}

func quoteKey(key string) string {
	b, err := json.Marshal(key)
	if err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	return string(b)
}

// memberIndent is the indentation of a container's members.
func (d *doc) memberIndent(n *node, depth int) string {
	if len(n.members) > 0 {
		if in, ok := d.indent(n.members[len(n.members)-1].start); ok {
			return in
		}
	}
	return strings.Repeat(d.unit, depth)
}

// endOfLine returns the end of a line comment behind pos on the same line, or
// pos.
func (d *doc) endOfLine(pos int) int {
	i := pos
	for i < len(d.text) && (d.text[i] == ' ' || d.text[i] == '\t') {
		i++
	}
	if !bytes.HasPrefix(d.text[i:], []byte("//")) {
		return pos
	}
	for i < len(d.text) && d.text[i] != '\n' && d.text[i] != '\r' {
		i++
	}
	return i
}
