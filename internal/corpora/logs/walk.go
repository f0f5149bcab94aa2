package logs

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/valyala/fastjson"
)

// walk reads a document value by value: one that is too large to be parsed as
// a whole, or that is broken somewhere. Several documents after each other are
// read one by one.
func (rd *reader) walk(data []byte, rest io.Reader, at place) {
	s := &splitter{buf: data, rest: rest, max: rd.in.opts.maxRecord()}
	for !rd.stop() {
		c, ok := s.peek()
		if !ok {
			break
		}
		switch c {
		case '[':
			if rd.startsGraphList(*s) {
				s.take()
				rd.cutValue(s, place{index: -1})
				break
			}
			s.open()
			rd.walkList(s)
		case '{':
			rd.walkObject(s, at)
		default:
			rd.junk(s, c)
		}
		if s.cut {
			rd.partial = true
		}
	}
	if s.err != nil {
		rd.streamError(s.err)
	}
}

// junk reports text that stands where a record should begin, and goes on with
// the next record: behind commas and closing brackets right away, behind
// anything else in a later line. Where nothing was known before and nothing is
// known then, the content is no log, and the rest of it says no more.
func (rd *reader) junk(s *splitter, c byte) {
	at, first := s.here(s.pos), c
	for ok := true; ok && c != '{' && c != '['; c, ok = s.peek() {
		if strings.IndexByte(",;]}\x00", c) >= 0 {
			s.pos++
		} else {
			s.skipLine()
		}
	}
	rd.problem(place{line: at.line, index: -1}, CodeBadJSON, fmt.Sprintf("not valid JSON at byte %d: a record cannot begin with %q", at.byte, first))
	if !rd.found && !rd.startsRecord(s.buf[s.pos:]) {
		s.rest, s.buf, s.pos = nil, nil, 0
	}
}

// startsRecord says whether b begins with a value that is or holds a record.
func (rd *reader) startsRecord(b []byte) bool {
	s := &splitter{buf: b, max: len(b)}
	if _, ok := s.peek(); !ok || !s.take() || s.cut {
		return false
	}
	v, err := rd.tryParse(s.value)
	if err != nil {
		return false
	}
	return rd.isKnown(v)
}

// isKnown says whether v, or the first element of v, is of a known layout.
func (rd *reader) isKnown(v *fastjson.Value) bool {
	if a := v.GetArray(); len(a) > 0 {
		v = a[0]
	}
	return rd.in.known.of(v) != nil
}

func (rd *reader) walkList(s *splitter) {
	i, cut := 0, false
	for ; !rd.stop() && s.next(); i++ {
		cut = s.cut
		rd.cutValue(s, place{index: i})
	}
	switch {
	case i == 0 && !s.cut:
		rd.skip(place{index: -1}, "empty list")
	case s.cut && !cut:
		rd.cutOff(s, place{index: i}, len(s.buf), fmt.Sprintf("the JSON ends in the middle, after %d elements", i))
	}
}

// cutOff reports that the content ends inside a record, or between two, which
// begins at from in the buffer; unless the stream was at fault, which is reported
// already.
func (rd *reader) cutOff(s *splitter, at place, from int, sentence string) {
	rd.partial = true
	at.line = s.here(from).line
	if !rd.torn && s.err == nil {
		rd.problem(at, CodeCut, sentence)
	}
}

// cutValue parses and reads the value that s has cut.
func (rd *reader) cutValue(s *splitter, at place) {
	switch {
	case s.long:
		rd.problem(at, CodeTooLong, fmt.Sprintf("the record is longer than the limit of %d bytes", s.max))
	case s.cut:
		rd.cutOff(s, at, s.pos-len(s.value), fmt.Sprintf("the JSON ends in the middle of the record that begins at byte %d", s.at(s.pos-len(s.value)).byte))
	default:
		rd.from = s
		v := rd.parse(s.value, at)
		rd.from = nil
		if v != nil {
			rd.element(v, at)
		}
	}
}

// walkObject reads an object that stands at s. Records by key are read member
// by member; anything else has to be one record.
func (rd *reader) walkObject(s *splitter, at place) {
	if rd.startsKeyed(s.buf[s.pos:]) {
		s.open()
		i, cut := 0, false
		for ; !rd.stop() && s.next(); i++ {
			cut = s.cut
			rd.cutValue(s, place{line: at.line, index: i, key: rd.keyText(s.key)})
		}
		if s.cut && !cut {
			rd.cutOff(s, place{line: at.line, index: i}, len(s.buf), fmt.Sprintf("the JSON ends in the middle, after %d records", i))
		}
		return
	}
	s.object = false
	if !s.take() {
		return
	}
	switch {
	case s.long:
		rd.problem(at, CodeTooLong, fmt.Sprintf("the record is longer than the limit of %d bytes", s.max))
	case s.cut && (rd.torn || s.err != nil):
	default:
		rd.from = s
		v := rd.parse(s.value, at)
		rd.from = nil
		if v != nil {
			rd.topObject(v, at)
		}
	}
}

// startsKeyed says whether the first member of the object at the start of b
// is a record. A first member that is not wholly in b is none.
func (rd *reader) startsKeyed(b []byte) bool {
	s := &splitter{buf: b, max: len(b)}
	if !s.open() || !s.next() || s.cut || !bytes.HasPrefix(s.value, []byte("{")) {
		return false
	}
	v, err := rd.tryParse(s.value)
	if err != nil {
		return false
	}
	l := rd.in.known.of(v)
	return l != nil && l.kind != isPart
}

// keyText decodes a member's key.
func (rd *reader) keyText(raw []byte) string {
	v, err := rd.nested.ParseBytes(raw)
	if err != nil || v.Type() != fastjson.TypeString {
		return string(raw)
	}
	return string(v.GetStringBytes())
}
