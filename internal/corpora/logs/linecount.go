package logs

import (
	"bytes"

	"github.com/valyala/fastjson"
)

// lineCount is what the lines of some content are, blank ones left out.
type lineCount struct {
	lines, values     int // values are the lines that are a JSON object or array of their own
	bytes, valueBytes int
	record, part      bool // one of them is a run, or a part of one, of a layout that is known
}

// mostly says whether values are at least half of the content, by number or by
// size.
func (c *lineCount) mostly() bool {
	return c.values > 0 && (2*c.values >= c.lines || 2*c.valueBytes >= c.bytes)
}

// countLines counts at most max lines of b. Unless b is all there is, its last
// line goes on, and counts as a value if it begins like a record.
func (rd *reader) countLines(b []byte, complete bool, max int) lineCount {
	var c lineCount
	for line := range bytes.Lines(b) {
		whole := complete || line[len(line)-1] == '\n'
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if c.lines == max {
			break
		}
		c.lines++
		c.bytes += len(line)
		if whole && isValue(line) {
			rd.countValue(&c, line)
		} else if !whole && bytes.HasPrefix(line, []byte(`{"`)) {
			c.values++
			c.valueBytes += len(line)
		}
	}
	return c
}

func (rd *reader) countValue(c *lineCount, line []byte) {
	c.values++
	c.valueBytes += len(line)
	if c.record {
		return
	}
	v, err := rd.tryParse(line)
	if err != nil {
		return
	}
	if l := rd.in.known.of(v); l != nil {
		c.record = c.record || l.kind == isRecord
		c.part = c.part || l.kind == isPart
	}
}

// allLines is more lines than are ever counted.
const allLines = 1 << 30

// hasLines says whether text that does not begin like JSON is JSON Lines behind
// lines of another kind: a comment, warnings of the program that wrote it, a
// torn record. Prose may quote a record, so one is enough only where the file's
// name, or that the user named this very content, promises a log.
func (rd *reader) hasLines(b []byte, complete bool) bool {
	const first = 20
	if c := rd.countLines(b, complete, first); c.values > 0 && 2*c.values >= c.lines {
		return true
	}
	c := rd.countLines(b, complete, allLines)
	return c.values > 0 && 2*c.valueBytes >= c.bytes || (c.record || c.part) && rd.promisesLog()
}

// brokenLines says whether content that begins with a bracket, and is no JSON
// document, is JSON Lines with a broken first line: the value at its beginning
// is broken, never ends, or has other text behind it, and lines after it are
// values of their own. In a document that is cut or broken the next lines are
// pieces, or end in a comma.
func (rd *reader) brokenLines(b []byte, complete bool) bool {
	s := splitter{buf: b, max: len(b)}
	first, ok := s.peek()
	if !ok || !s.take() || s.cut && !complete && first == '[' {
		return false
	}
	behind, _, _ := bytes.Cut(b[s.pos:], []byte("\n"))
	inLine := !s.cut && bytes.IndexByte(s.value, '\n') < 0
	if !s.cut && (!inLine || len(bytes.TrimSpace(behind)) == 0) && fastjson.ValidateBytes(s.value) == nil {
		return false
	}
	_, more, _ := bytes.Cut(bytes.TrimLeft(b, " \t\r\n"), []byte("\n"))
	c := rd.countLines(more, complete, allLines)
	// Lines of a list that spans lines may be whole records by chance, those of
	// an object hardly ever.
	return c.values > 0 && 2*c.values >= c.lines || (inLine || first == '{') && (c.record || c.mostly())
}
