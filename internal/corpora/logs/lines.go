package logs

import (
	"bytes"
	"fmt"
	"io"

	"github.com/valyala/fastjson"
)

// lines reads JSON Lines: every line is a record or a part of one, and each is
// classified on its own.
func (rd *reader) lines(data []byte, rest io.Reader) {
	sc := lineScanner{buf: data, rest: rest, max: rd.in.opts.maxRecord(), torn: rd.torn}
	for sc.next() && !rd.stop() {
		at := place{line: sc.line, index: -1}
		if sc.long {
			rd.problem(at, CodeTooLong, fmt.Sprintf("the line is longer than the limit of %d bytes", sc.max))
			continue
		}
		if line := bytes.TrimSpace(sc.text); len(line) > 0 {
			rd.line(line, at)
		}
	}
	if rest != nil {
		rd.wholes = sc.buf[:0] // the scanner may have grown it
	}
	if sc.err != nil {
		rd.partial = true
		rd.streamError(sc.err)
	}
	rd.flush()
}

func (rd *reader) line(line []byte, at place) {
	v := rd.parse(line, at)
	if v == nil {
		return
	}
	switch v.Type() {
	case fastjson.TypeObject:
		rd.topObject(v, at)
	case fastjson.TypeArray:
		rd.arrayRecord(v, at)
	default:
		rd.problem(at, CodeUnknownLayout, fmt.Sprintf("the line holds a JSON %s, not a record", v.Type()))
	}
}

// arrayRecord reads a line that is an array: the messages or events of a run.
func (rd *reader) arrayRecord(v *fastjson.Value, at place) {
	if isGraphList(v) {
		rd.graphList(v, at)
		return
	}
	gathers, order, base := rd.gathers, rd.order, rd.base
	rd.gathers, rd.order, rd.base = nil, nil, &at
	rd.elements(v, at)
	rd.flush()
	rd.gathers, rd.order, rd.base = gathers, order, base
}

// lineScanner cuts a stream into lines without copying them.
type lineScanner struct {
	buf  []byte // buf[pos:] is unread
	pos  int
	rest io.Reader // nil when buf holds everything
	max  int

	text []byte // the line, valid until the next call
	line int    // 1-based
	long bool   // the line was longer than max and was dropped
	torn bool   // the stream broke off: an unfinished last line is none
	err  error
}

func (s *lineScanner) next() bool {
	s.line++
	s.long = false
	for from := s.pos; ; {
		if i := bytes.IndexByte(s.buf[from:], '\n'); i >= 0 {
			s.take(from + i)
			s.pos = from + i + 1
			return true
		}
		from = len(s.buf)
		if len(s.buf)-s.pos > s.max {
			s.long = true
			s.buf, s.pos, from = s.buf[:0], 0, 0
		}
		if s.rest == nil || s.err != nil {
			return s.last()
		}
		from -= s.more()
	}
}

// take sets the line that ends before end.
func (s *lineScanner) take(end int) {
	s.text = s.buf[s.pos:end]
	if len(s.text) > s.max {
		s.long = true
	}
}

// last gives what stands after the last newline.
func (s *lineScanner) last() bool {
	if s.torn || s.err != nil {
		return false
	}
	s.take(len(s.buf))
	s.pos = len(s.buf)
	return s.long || len(s.text) > 0
}

// more reads on, after moving the unread bytes to the front; it returns by how
// much they moved.
func (s *lineScanner) more() (moved int) {
	moved = s.pos
	if s.pos > 0 {
		s.buf = s.buf[:copy(s.buf, s.buf[s.pos:])]
		s.pos = 0
	}
	if len(s.buf) == cap(s.buf) {
		s.buf = grow(s.buf, max(2*cap(s.buf), 1<<20))
	}
	n, err := s.rest.Read(s.buf[len(s.buf):cap(s.buf)])
	s.buf = s.buf[:len(s.buf)+n]
	if err == io.EOF {
		s.rest = nil
	} else {
		s.err = err
	}
	return moved
}
