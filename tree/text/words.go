package text

import "unicode/utf8"

// Scratch holds the working memory of an embedding, so that one caller can
// embed many texts without allocating. The zero value is ready. It may not be
// shared between goroutines.
type Scratch struct {
	buf   []byte // the words, one after the other
	from  int    // where the current word begins in buf
	spans []span
	ids   []uint16
	sem   []int32 // sums of token vectors
	lex   []int64 // sums of hashed features
	unit  []float64
	kept  kept
}

// span is a word in the buffer.
type span struct {
	from, to int32
	mark     bool // punctuation
}

// cut ends the current word, if there is one.
func (s *Scratch) cut() { s.end(false) }

func (s *Scratch) end(mark bool) {
	if len(s.buf) > s.from {
		s.spans = append(s.spans, span{int32(s.from), int32(len(s.buf)), mark})
		s.from = len(s.buf)
	}
}

// alone makes a word of one code point.
func (s *Scratch) alone(r rune, mark bool) {
	s.cut()
	s.buf = utf8.AppendRune(s.buf, r)
	s.end(mark)
}

func (s *Scratch) word(w span) []byte { return s.buf[w.from:w.to] }

// split cuts a text into lower-case words without accents. With humps, an
// identifier is cut where its case changes as well: getHTTPUser is get, http and
// user.
func (s *Scratch) split(t *Table, text string, humps bool) {
	s.buf, s.spans, s.from = s.buf[:0], s.spans[:0], 0
	for i := 0; i < len(text); {
		c := text[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(text[i:])
			s.add(t, r) // an invalid byte is U+FFFD, which is dropped
			i += n
			continue
		}
		switch asciiKind(c) {
		case asciiKeep:
			s.buf = append(s.buf, c)
		case asciiUpper:
			if humps && hump(text, i) {
				s.cut()
			}
			s.buf = append(s.buf, c|0x20)
		case asciiMark:
			s.alone(rune(c), true)
		case asciiSpace:
			s.cut()
		}
		i++
	}
	s.cut()
}

// hump reports whether the upper-case letter at i begins a word inside an
// identifier: aB, 1B, and the last capital of ABc.
func hump(text string, i int) bool {
	if i == 0 {
		return false
	}
	p := text[i-1]
	if asciiKind(p) == asciiKeep {
		return true
	}
	next := i+1 < len(text) && 'a' <= text[i+1] && text[i+1] <= 'z'
	return asciiKind(p) == asciiUpper && next
}
