package text

import (
	"math"
	"math/bits"
)

const (
	// weightBits is the precision of a word's weight: 1 is 1 << weightBits.
	weightBits = 15
	// maxScale keeps the sums of token vectors within 32 bits:
	// 127 * maxScale * maxWindow < 1<<31.
	maxScale = 1<<15 - 1
	// sumBits is what is kept of a sum when it is squared, so that the squares
	// of maxDim of them fit in 63 bits.
	sumBits = 26

	// MaxText is how many bytes of a text count, from its end. It holds far
	// more words than any table's window and bounds the cost of a huge text.
	MaxText = 16 << 10
)

// Vec writes the quantised vector of a text to dst, which it grows if need be,
// and returns it: of length 0 for a text without words. A nil Scratch
// allocates one.
func (t *Table) Vec(s *Scratch, dst Vec, text string) Vec {
	if s == nil {
		s = new(Scratch)
	}
	t.embed(s, text)
	return quantise(dst, s.unit)
}

// embed leaves the unit vector of a text in s.unit.
func (t *Table) embed(s *Scratch, text string) {
	s.reset(&t.mix)
	s.split(t, tail(text), true)
	t.sum(s)
	sem, lex := s.unit[:t.mix.dim], s.unit[t.mix.dim:]
	a, b := scaleSums(sem, s.sem), scaleRoots(lex, s.lex)
	if !a || !b {
		return // one block alone is a unit vector already, or all is zero
	}
	// 256 : lexicon are the lengths of the two blocks.
	l := int(t.mix.lexicon)
	whole := math.Sqrt(float64(256*256 + l*l))
	for i := range sem {
		sem[i] *= 256 / whole
	}
	for i := range lex {
		lex[i] *= float64(l) / whole
	}
}

func (s *Scratch) reset(m *mix) {
	s.sem, s.lex, s.unit = zeros(s.sem, m.dim), zeros(s.lex, m.lexical), zeros(s.unit, m.dim+m.lexical)
}

func zeros[T any](b []T, n int) []T {
	if cap(b) < n {
		return make([]T, n)
	}
	b = b[:n]
	clear(b)
	return b
}

// tail cuts a text down to its last bytes, at a code point.
func tail(text string) string {
	if len(text) <= MaxText {
		return text
	}
	i := len(text) - MaxText
	for i < len(text) && text[i]&0xc0 == 0x80 {
		i++
	}
	return text[i:]
}

// sum walks the words from the last to the first, since the last ones weigh
// most: agents end by saying what they do next.
func (t *Table) sum(s *Scratch) {
	weight := uint32(1 << weightBits)
	floor := t.mix.floor >> (16 - weightBits)
	next, words, left := uint32(0), 0, t.mix.maxToken
	for i := len(s.spans) - 1; i >= 0 && words < t.mix.window && left > 0; i-- {
		w := s.spans[i]
		left -= t.tokens(s, s.word(w), weight, left)
		if w.mark {
			continue
		}
		if len(s.lex) > 0 {
			next = s.features(&t.mix, s.word(w), next, int64(weight))
		}
		weight = max(weight*t.mix.decay>>16, floor)
		words++
	}
}

// tokens adds the vectors of a word's tokens, at most limit of them, and
// returns their number.
func (t *Table) tokens(s *Scratch, word []byte, weight uint32, limit int) int {
	s.ids = t.pieces(s.ids[:0], word)
	n := min(len(s.ids), limit)
	for _, id := range s.ids[:n] {
		if row := u16(t.rowOf[2*int(id):]); row != noRow {
			t.addRow(s, int(row), weight)
		}
	}
	return n
}

// addRow adds one row of 4-bit codes. There are only sixteen products.
func (t *Table) addRow(s *Scratch, row int, weight uint32) {
	scale := int32(uint32(u16(t.scales[2*row:])) * weight >> weightBits)
	var value [16]int32
	for i, c := range t.book {
		value[i] = c * scale
	}
	half := t.mix.dim / 2
	if t.packed != nil {
		addCodes(s.sem, s.kept.row(t.packed, row, half), &value)
	} else {
		addCodes(s.sem, t.codes[row*half:row*half+half], &value)
	}
}

func addCodes[T string | []byte](sum []int32, codes T, value *[16]int32) {
	sum = sum[:2*len(codes)]
	for i := range len(codes) {
		c := codes[i]
		sum[2*i] += value[c&15]
		sum[2*i+1] += value[c>>4]
	}
}

// scaleSums writes the unit vector of the sums to dst and reports whether there
// is one. Its squares are whole numbers, and each division is rounded once.
func scaleSums(dst []float64, sums []int32) bool {
	top := int32(0)
	for _, x := range sums {
		top = max(top, x, -x)
	}
	shift := max(0, bits.Len32(uint32(top))-sumBits)
	square := int64(0)
	for _, x := range sums {
		y := int64(x >> shift)
		square += y * y
	}
	if square == 0 {
		return false
	}
	length := math.Sqrt(float64(square))
	for i, x := range sums {
		dst[i] = float64(x>>shift) / length
	}
	return true
}

// scaleRoots writes the unit vector of the sums' signed square roots to dst.
// The squares of roots are whole numbers again.
func scaleRoots(dst []float64, sums []int64) bool {
	square := int64(0)
	for _, x := range sums {
		square += max(x, -x)
	}
	if square == 0 {
		return false
	}
	for i, x := range sums {
		if x == 0 {
			continue // most buckets of a short text
		}
		root := math.Sqrt(float64(max(x, -x)) / float64(square))
		if x < 0 {
			root = -root
		}
		dst[i] = root
	}
	return true
}
