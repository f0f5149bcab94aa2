package logs

import (
	"bytes"
	"io"
	"unicode/utf8"

	"github.com/valyala/fastjson"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// plain reads content that is not compressed: JSON in one of its shapes, or
// text.
func (rd *reader) plain(data []byte, rest io.Reader) {
	rd.found = false
	data, rest = rd.decode(data, rest)
	head := bytes.TrimLeft(data, " \t\r\n")
	switch {
	case len(head) == 0:
		rd.skip(place{index: -1}, "empty")
	case head[0] != '{' && head[0] != '[':
		rd.text(data, rest)
	case isLines(head, rest == nil) || rd.isLongLine(head, rest == nil):
		rd.lines(data, rest)
	default:
		rd.document(data, rest)
	}
}

// decode turns UTF-16, marked or recognised by its zero bytes, into UTF-8 and
// drops a byte order mark.
func (rd *reader) decode(data []byte, rest io.Reader) ([]byte, io.Reader) {
	var t transform.Transformer
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return data[3:], rest
	case bytes.HasPrefix(data, []byte("\xff\xfe")), zerosAt(data, 1):
		t = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()
	case bytes.HasPrefix(data, []byte("\xfe\xff")), zerosAt(data, 0):
		t = unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder()
	default:
		return data, rest
	}
	all := io.Reader(bytes.NewReader(bytes.Clone(data)))
	if rest != nil {
		all = io.MultiReader(all, rest)
	}
	data, rest, err := rd.fill(transform.NewReader(all, t))
	if err != nil {
		rd.streamError(err)
		return nil, nil
	}
	return data, rest
}

// zerosAt says whether the first characters look like ASCII in UTF-16, with
// the zero bytes at the odd (1) or even (0) offsets.
func zerosAt(b []byte, odd int) bool {
	if len(b) < 8 {
		return false
	}
	for i := 0; i < 8; i++ {
		if (b[i] == 0) != (i%2 == odd) {
			return false
		}
	}
	return true
}

// isLines says whether content that begins with a bracket is JSON Lines: its
// first line is a JSON value of its own, and more follows.
func isLines(b []byte, complete bool) bool {
	first, more, found := bytes.Cut(b, []byte("\n"))
	return found && (!complete || len(bytes.TrimSpace(more)) > 0) && isValue(first)
}

// isLongLine says whether content whose first line goes on past the head is
// read as lines: it may be JSON Lines, and if it is one record after all, a
// line is as good a way to read it. Lists, and records by key, are walked
// instead, so that they need not be held.
func (rd *reader) isLongLine(b []byte, complete bool) bool {
	return !complete && b[0] == '{' && bytes.IndexByte(b, '\n') < 0 && !rd.startsKeyed(b)
}

// isValue says whether line is one JSON object or array. The brackets at its
// ends decide nearly always, so the parser sees few pieces.
func isValue(line []byte) bool {
	line = bytes.TrimSpace(line)
	if len(line) < 2 {
		return false
	}
	first, last := line[0], line[len(line)-1]
	if !(first == '{' && last == '}' || first == '[' && last == ']') {
		return false
	}
	return fastjson.ValidateBytes(line) == nil
}

// text reads content that does not begin like JSON.
func (rd *reader) text(data []byte, rest io.Reader) {
	at := place{index: -1}
	head := data[:min(len(data), 64<<10)]
	switch {
	case rd.hasLines(data, rest == nil):
		rd.lines(data, rest)
		return
	case isBinary(head):
		rd.unknownContent(at, CodeBinary, "binary content that is no log archive")
		return
	}
	if rd.isPane() {
		rd.skip(at, "the terminal capture of a trial, joined to its results")
		return
	}
	l := textLayoutOf(head)
	if l == nil {
		rd.unknownContent(at, CodeUnknownLayout, "text of no known log layout")
		return
	}
	all, err := rd.readAll(data, rest)
	if err != nil {
		rd.streamError(err)
		return
	}
	if !utf8.Valid(all) {
		rd.problem(at, CodeBadEncoding, "the text is not UTF-8; it was read as Windows-1252")
		all, _ = charmap.Windows1252.NewDecoder().Bytes(all)
	}
	l.read(rd, string(all), at)
}

// unknownContent is a problem where the name promises a log or the user named
// the file, and a skip where it just lies beside logs.
func (rd *reader) unknownContent(at place, code, what string) {
	if rd.promisesLog() {
		rd.problem(at, code, "not a log: "+what)
		return
	}
	rd.skip(at, "not a log: "+what)
}

// promisesLog says whether the content should be a log: its name says so, or
// the user named it.
func (rd *reader) promisesLog() bool {
	if rd.member != "" {
		return looksLikeLog(rd.member)
	}
	return rd.u.named || looksLikeLog(rd.u.Name)
}

// isBinary says whether b holds control characters that no text has.
func isBinary(b []byte) bool {
	for _, c := range b {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\b' && c != 0x1b {
			return true
		}
	}
	return false
}

// textLayout is a layout of plain text.
type textLayout struct {
	Layout
	match func(head string) bool
	read  func(rd *reader, text string, at place)
}

func textLayoutOf(head []byte) *textLayout {
	h := string(head)
	for _, l := range textLayouts() {
		if l.match(h) {
			return &l
		}
	}
	return nil
}

func textLayouts() []textLayout { return []textLayout{reactTextLayout()} }

// unkeyedLayouts are the layouts that no key set finds.
func unkeyedLayouts() []Layout {
	out := []Layout{episodesLayout()}
	for _, l := range textLayouts() {
		out = append(out, l.Layout)
	}
	return out
}
