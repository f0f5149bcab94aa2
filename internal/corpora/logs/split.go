package logs

import (
	"bytes"
	"io"
)

// position is a place in the text of a document.
type position struct {
	byte int64 // 0-based
	line int   // 1-based
}

// splitter cuts the elements of one JSON array, or the members of one JSON
// object, out of a stream. It looks at quotes and brackets only and leaves the
// judgement of each value to the parser: so a broken value costs itself and
// not the rest of the file, which a validating token reader cannot give, and a
// value longer than the limit is passed over without being held.
type splitter struct {
	buf  []byte // buf[pos:] is unread
	pos  int
	rest io.Reader // nil when buf holds everything
	max  int
	err  error
	base position // of buf[0], counted from the beginning with line 0

	object bool
	atKey  bool   // a key is being cut: it ends at a colon
	key    []byte // of the value last cut, undecoded, with its quotes
	value  []byte // valid until the next call
	long   bool   // the value was longer than max and is not in value
	cut    bool   // the stream ended inside the container
}

// open enters the container at the next byte that is not white space. It is
// false if there is none or another byte stands there.
func (s *splitter) open() bool {
	c, ok := s.peek()
	if !ok || c != '[' && c != '{' {
		return false
	}
	s.object = c == '{'
	s.cut = false
	s.pos++
	return true
}

// peek skips white space and gives the next byte.
func (s *splitter) peek() (byte, bool) {
	for {
		for ; s.pos < len(s.buf); s.pos++ {
			switch c := s.buf[s.pos]; c {
			case ' ', '\t', '\r', '\n':
			default:
				return c, true
			}
		}
		if !s.more() {
			return 0, false
		}
	}
}

// skipLine passes over the rest of the line.
func (s *splitter) skipLine() {
	for {
		if i := bytes.IndexByte(s.buf[s.pos:], '\n'); i >= 0 {
			s.pos += i + 1
			return
		}
		s.pos = len(s.buf)
		if !s.more() {
			return
		}
	}
}

// next cuts the next value; false at the end of the container or the stream.
func (s *splitter) next() bool {
	s.long = false
	c, ok := s.peek()
	if ok && c == ',' {
		s.pos++
		c, ok = s.peek()
	}
	if !ok {
		s.cut = true
		return false
	}
	if c == ']' || c == '}' {
		s.pos++
		return false
	}
	if !s.object {
		return s.take()
	}
	// The key is copied: cutting the value may move the buffer.
	s.atKey = true
	ok = s.take()
	s.atKey = false
	if !ok {
		return false
	}
	s.key = append(s.key[:0], s.value...)
	if c, ok := s.peek(); ok && c == ':' {
		s.pos++
		if _, ok = s.peek(); ok {
			return s.take()
		}
	}
	s.cut = true
	return false
}

// take cuts the value at pos. At the end of the stream it gives what there is
// and sets cut.
func (s *splitter) take() bool {
	var st scanState
	from := s.pos
	for {
		end, done := st.scan(s.buf, from, s.atKey)
		if done || s.rest == nil || s.err != nil {
			s.value = s.buf[s.pos:end]
			s.long = s.long || len(s.value) > s.max
			s.cut = !done
			s.pos = end
			return true
		}
		from = len(s.buf)
		if from-s.pos > s.max {
			s.long = true
			s.pos = from
		}
		from -= s.compact()
		s.read()
	}
}

// compact moves the unread bytes to the front and returns by how much.
func (s *splitter) compact() int {
	moved := s.pos
	if moved > 0 {
		s.base = s.at(moved)
		s.buf = s.buf[:copy(s.buf, s.buf[moved:])]
		s.pos = 0
	}
	return moved
}

// at is the position of buf[i], with lines counted from 0.
func (s *splitter) at(i int) position {
	return position{byte: s.base.byte + int64(i), line: s.base.line + bytes.Count(s.buf[:i], []byte("\n"))}
}

// here is the position of buf[i] as people count.
func (s *splitter) here(i int) position {
	p := s.at(i)
	p.line++
	return p
}

func (s *splitter) more() bool {
	if s.rest == nil || s.err != nil {
		return false
	}
	s.compact()
	n := len(s.buf)
	s.read()
	return len(s.buf) > n || s.rest != nil && s.err == nil
}

func (s *splitter) read() {
	if len(s.buf) == cap(s.buf) {
		s.buf = grow(s.buf, max(2*cap(s.buf), 1<<20))
	}
	n, err := s.rest.Read(s.buf[len(s.buf):cap(s.buf)])
	s.buf = s.buf[:len(s.buf)+n]
	if err == io.EOF {
		s.rest = nil
	} else if err != nil {
		s.err = err
	}
}

// scanState is where a scan for the end of a value stands between two reads.
type scanState struct {
	depth    int
	inString bool
	escaped  bool
}

// scan looks for the end of the value in b[from:] and returns it, or len(b)
// and false if the value goes on.
func (st *scanState) scan(b []byte, from int, key bool) (end int, done bool) {
	for i := from; i < len(b); i++ {
		if st.inString {
			if i = st.endOfString(b, i); i < 0 {
				return len(b), false
			}
			if st.depth == 0 {
				return i + 1, true
			}
			continue
		}
		switch b[i] {
		case '"':
			st.inString = true
		case '{', '[':
			st.depth++
		case '}', ']':
			if st.depth == 0 {
				return i, true
			}
			if st.depth--; st.depth == 0 {
				return i + 1, true
			}
		case ',':
			if st.depth == 0 {
				return i, true
			}
		case ':':
			if st.depth == 0 && key {
				return i, true
			}
		}
	}
	return len(b), false
}

// endOfString finds the quote that closes the string that b[i] is in; -1 if it
// is not in b.
func (st *scanState) endOfString(b []byte, i int) int {
	if st.escaped {
		st.escaped = false
		i++
	}
	for i < len(b) {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			st.escaped = odd(b[i:])
			return -1
		}
		if !odd(b[i : i+n]) {
			st.inString = false
			return i + n
		}
		i += n + 1
	}
	return -1
}

// odd says whether b ends in an odd number of backslashes.
func odd(b []byte) bool {
	n := 0
	for n < len(b) && b[len(b)-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}
