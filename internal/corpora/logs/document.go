package logs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/valyala/fastjson"
	"golang.org/x/text/encoding/charmap"
)

// parse parses one record with the record parser. A failure is reported at
// its place and gives nil.
func (rd *reader) parse(b []byte, at place) *fastjson.Value {
	if !utf8.Valid(b) {
		rd.problem(at, CodeBadEncoding, "the record is not UTF-8; it was read as Windows-1252")
		b, _ = charmap.Windows1252.NewDecoder().Bytes(b)
	}
	v, err := rd.tryParse(b)
	if err == nil {
		return v
	}
	if n := leadingValue(b); n > 0 {
		if v, err := rd.tryParse(b[:n]); err == nil && rd.isKnown(v) {
			rd.problem(rd.inside(at, b, int64(n)), CodeBadJSON,
				fmt.Sprintf("more text stands behind the record, at byte %d: the record was read, and the text was not", rd.offset(int64(n))))
			return v
		}
	}
	rd.badJSON(b, at)
	return nil
}

// leadingValue is the length of the object or array that b begins with, if
// more than white space follows it; 0 otherwise.
func leadingValue(b []byte) int {
	s := splitter{buf: b, max: len(b)}
	if c, ok := s.peek(); !ok || c != '{' && c != '[' || !s.take() || s.cut || len(bytes.TrimSpace(b[s.pos:])) == 0 {
		return 0
	}
	return s.pos
}

// inside is the place of a fault at byte n of the record b at the place given.
// In a document the line is that of the fault; in JSON Lines it is the
// record's.
func (rd *reader) inside(at place, b []byte, n int64) place {
	if rd.from != nil {
		at.line = rd.from.here(rd.from.pos-len(rd.from.value)).line + bytes.Count(b[:min(n, int64(len(b)))], []byte("\n"))
	}
	return at
}

// offset is byte n of the record counted from where offsets count from: the
// beginning of the content in a document, of the line in JSON Lines.
func (rd *reader) offset(n int64) int64 {
	if rd.from != nil {
		n += rd.from.base.byte + int64(rd.from.pos-len(rd.from.value))
	}
	return n
}

// maxUnchecked is the longest text given to fastjson without a look whether it
// is JSON at all. fastjson puts the unread rest of its input into an error and
// copies it at every level of nesting: 4 MiB can cost a second, and no more.
// The check costs a quarter of the reading, so small records go without.
const maxUnchecked = 4 << 20

func (rd *reader) tryParse(b []byte) (*fastjson.Value, error) {
	if len(b) > maxUnchecked {
		if err := jsonError(b); err != nil && jsonError(relaxed(b)) != nil {
			return nil, err
		}
	}
	return rd.records.ParseBytes(b)
}

// jsonError is what the strict parser finds wrong in b; nil if nothing.
func jsonError(b []byte) error {
	d := jsontext.NewDecoder(bytes.NewReader(b), jsontext.AllowDuplicateNames(true))
	if err := d.SkipValue(); err != nil {
		return err
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("more text after the value, at byte %d", d.InputOffset())
	}
	return nil
}

// badJSON reports text that is not JSON, with the place inside the record.
func (rd *reader) badJSON(b []byte, at place) {
	err := jsonError(relaxed(b))
	if err == nil { // only the lenient parser objects: its depth limit
		rd.problem(rd.inside(at, b, 0), CodeTooDeep, fmt.Sprintf("the JSON is nested deeper than %d levels", fastjson.MaxDepth))
		return
	}
	var se *jsontext.SyntacticError
	if !errors.As(err, &se) {
		rd.problem(rd.inside(at, b, 0), CodeBadJSON, "not valid JSON: "+clip(err.Error(), 200))
		return
	}
	rd.syntax(rd.inside(at, b, se.ByteOffset), se)
}

// syntax reports a syntax error of the strict parser.
func (rd *reader) syntax(at place, se *jsontext.SyntacticError) {
	switch {
	case errors.Is(se.Err, io.ErrUnexpectedEOF) || errors.Is(se.Err, io.EOF):
		rd.problem(at, CodeCut, fmt.Sprintf("the JSON ends in the middle, after %d bytes", rd.offset(se.ByteOffset)))
	case strings.Contains(se.Err.Error(), "depth"):
		rd.problem(at, CodeTooDeep, fmt.Sprintf("the JSON is nested too deep at byte %d", rd.offset(se.ByteOffset)))
	default:
		rd.problem(at, CodeBadJSON, fmt.Sprintf("not valid JSON at byte %d: %s", rd.offset(se.ByteOffset), clip(se.Err.Error(), 200)))
	}
}

// document reads content that is one JSON value, or several after each other.
// An object on a single line has that line as its place.
func (rd *reader) document(data []byte, rest io.Reader) {
	at := place{index: -1}
	if trimmed := bytes.TrimSpace(data); rest == nil && trimmed[0] == '{' && bytes.IndexByte(trimmed, '\n') < 0 {
		at.line = 1
	}
	if rest == nil && len(data) <= min(rd.in.opts.wholeLimit(), rd.in.opts.maxRecord()) && utf8.Valid(data) {
		if v, err := rd.tryParse(data); err == nil {
			rd.value(v, at)
			rd.flush()
			return
		}
	}
	if rd.brokenLines(data, rest == nil) {
		rd.lines(data, rest)
		return
	}
	rd.walk(data, rest, at)
	rd.flush()
}

// value reads a parsed document.
func (rd *reader) value(v *fastjson.Value, at place) {
	switch v.Type() {
	case fastjson.TypeObject:
		rd.topObject(v, at)
	case fastjson.TypeArray:
		if isGraphList(v) {
			rd.graphList(v, place{index: -1})
			return
		}
		rd.elements(v, place{index: -1})
	default:
		rd.problem(place{index: -1}, CodeUnknownLayout, fmt.Sprintf("the file holds a JSON %s, not records", v.Type()))
	}
}

// topObject reads an object that stands alone in a document or a line: a
// record, or records by key.
func (rd *reader) topObject(v *fastjson.Value, at place) {
	if rd.in.known.of(v) != nil || !rd.isKeyed(v) {
		rd.object(v, at)
		return
	}
	o, _ := v.Object()
	i := 0
	o.Visit(func(k []byte, x *fastjson.Value) {
		if !rd.stop() {
			rd.element(x, place{line: at.line, index: i, key: string(k)})
		}
		i++
	})
}

// isKeyed says whether v is an object of records by key: its first value is
// an object of a known layout.
func (rd *reader) isKeyed(v *fastjson.Value) bool {
	o, _ := v.Object()
	i, keyed := 0, false
	o.Visit(func(_ []byte, x *fastjson.Value) {
		if i++; i == 1 && x.Type() == fastjson.TypeObject {
			l := rd.in.known.of(x)
			keyed = l != nil && l.kind != isPart
		}
	})
	return keyed
}

// elements reads the elements of an array. In a record that is a line of its
// own the line stays the place of all of them.
func (rd *reader) elements(v *fastjson.Value, at place) {
	a, _ := v.Array()
	if len(a) == 0 {
		rd.skip(at, "empty list")
	}
	for i, x := range a {
		if rd.stop() {
			return
		}
		rd.element(x, place{line: at.line, index: i})
	}
}

func (rd *reader) element(x *fastjson.Value, at place) {
	switch x.Type() {
	case fastjson.TypeObject:
		rd.object(x, at)
	case fastjson.TypeArray:
		rd.arrayRecord(x, at)
	default:
		rd.problem(at, CodeUnknownLayout, fmt.Sprintf("the element is a JSON %s, not a record", x.Type()))
	}
}

// unknownObject reports an object that no layout knows, by its keys.
func (rd *reader) unknownObject(v *fastjson.Value, at place) {
	o, _ := v.Object()
	var names []string
	o.Visit(func(k []byte, _ *fastjson.Value) {
		if len(names) < 8 {
			names = append(names, clip(string(k), 40))
		}
	})
	if len(names) == 0 {
		rd.problem(at, CodeUnknownLayout, "an empty JSON object: it holds no episode")
		return
	}
	rd.problem(at, CodeUnknownLayout, fmt.Sprintf("a JSON object of no known layout; its keys begin with %q", names))
}

// clip shortens s to at most n bytes, at a character boundary.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
