package logs

import (
	"bytes"
	"fmt"
	"io"

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
			s.open()
			rd.walkList(s)
		case '{':
			rd.walkObject(s, at)
		default:
			rd.problem(place{index: -1}, CodeBadJSON, fmt.Sprintf("not valid JSON: a value cannot begin with %q", c))
			s.rest, s.buf, s.pos = nil, nil, 0
		}
		if s.cut {
			rd.partial = true
		}
	}
	if s.err != nil {
		rd.streamError(s.err)
	}
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
		rd.cutOff(s, place{index: i}, fmt.Sprintf("the JSON ends in the middle, after %d elements", i))
	}
}

// cutOff reports that the content ends inside a record, unless the stream was
// at fault, which is reported already.
func (rd *reader) cutOff(s *splitter, at place, sentence string) {
	rd.partial = true
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
		rd.cutOff(s, at, "the JSON ends in the middle of this record")
	default:
		if v := rd.parse(s.value, at); v != nil {
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
			rd.cutOff(s, place{line: at.line, index: i}, fmt.Sprintf("the JSON ends in the middle, after %d records", i))
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
		if v := rd.parse(s.value, at); v != nil {
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
