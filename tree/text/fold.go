package text

import "unicode/utf8"

// The fold table says what becomes of each code point when a text is cleaned,
// lower-cased, stripped of accents and cut at punctuation, as the uncased BERT
// tokenizer does (Devlin et al. 2018; Hugging Face tokenizers, BertNormalizer
// and BertPreTokenizer). It is made by asking that tokenizer about every code
// point and travels in the table file: the unicode package would give other
// tokens, and so other vectors, with every release of Go that updates Unicode.
//
// What the table can't express: NFD also sorts several combining marks on one
// letter. Nearly all of them are removed, so the order hardly ever shows.

// foldKind is what happens to the code points of one range.
type foldKind uint8

const (
	foldDrop    foldKind = iota // removed; the word goes on
	foldSpace                   // ends the word
	foldMark                    // a word of its own that isn't one: punctuation
	foldAlone                   // a word of its own: an ideograph
	foldShift                   // replaced by the code point at a distance
	foldShift2                  // the same, for every second code point
	foldMarkAt                  // replaced likewise, by punctuation
	foldAloneAt                 // replaced likewise, by an ideograph
	foldString                  // replaced by a string
	foldHangul                  // a syllable, taken apart by arithmetic
	foldKinds
)

// foldEntry is one range of the fold table, 12 bytes in the file: the first
// code point with the kind in the top byte, the last one, the argument.
type foldEntry struct {
	first, last rune
	kind        foldKind
	arg         int32
}

const foldEntrySize = 12

func (t *Table) foldEntry(i int) foldEntry {
	b := t.fold[i*foldEntrySize:]
	first := u32(b)
	return foldEntry{rune(first & 0xffffff), rune(u32(b[4:])), foldKind(first >> 24), int32(u32(b[8:]))}
}

// folding finds the entry for a code point, or reports that it stays as it is.
func (t *Table) folding(r rune) (foldEntry, bool) {
	lo, hi := 0, len(t.fold)/foldEntrySize
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if t.foldEntry(mid).last < r {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == len(t.fold)/foldEntrySize {
		return foldEntry{}, false
	}
	e := t.foldEntry(lo)
	if r < e.first || e.kind == foldShift2 && (r-e.first)&1 == 1 {
		return foldEntry{}, false
	}
	return e, true
}

// ASCII needs no table: these are the same rules for it, and a test compares
// the two.
const (
	asciiKeep = iota
	asciiUpper
	asciiMark
	asciiSpace
	asciiDrop
)

func asciiKind(c byte) int {
	switch {
	case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
		return asciiKeep
	case 'A' <= c && c <= 'Z':
		return asciiUpper
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		return asciiSpace
	case c < ' ' || c == 0x7f:
		return asciiDrop
	}
	return asciiMark
}

// add folds one code point beyond ASCII into the words.
func (s *Scratch) add(t *Table, r rune) {
	e, ok := t.folding(r)
	if !ok {
		s.buf = utf8.AppendRune(s.buf, r)
		return
	}
	switch e.kind {
	case foldDrop:
	case foldSpace:
		s.cut()
	case foldMark, foldAlone:
		s.alone(r, e.kind == foldMark)
	case foldShift, foldShift2:
		s.buf = utf8.AppendRune(s.buf, r+e.arg)
	case foldMarkAt, foldAloneAt:
		s.alone(r+e.arg, e.kind == foldMarkAt)
	case foldString:
		off := int(e.arg >> 8)
		s.buf = append(s.buf, t.foldText[off:off+int(e.arg&0xff)]...)
	case foldHangul:
		s.hangul(r)
	}
}

// The precomposed syllables.
const hangulFirst, hangulLast = 0xAC00, 0xD7A3

// hangul appends the letters of a syllable (Unicode standard, 3.12, arithmetic
// decomposition).
func (s *Scratch) hangul(r rune) {
	i := r - hangulFirst
	s.buf = utf8.AppendRune(s.buf, 0x1100+i/588)
	s.buf = utf8.AppendRune(s.buf, 0x1161+i%588/28)
	if tail := i % 28; tail > 0 {
		s.buf = utf8.AppendRune(s.buf, 0x11A7+tail)
	}
}
