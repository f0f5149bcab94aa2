package text

import "math"

// What tests look at beside vectors: a text's tokens and numbers before they are
// rounded, and scores.

// Score is the gain times the cosine, rounded, and the bias.
func (d *Direction) Score(v Vec) int32 {
	return d.Bias + int32(math.Round(float64(d.Gain)*Cos(d.Vec, v)))
}

// Directions finds for each class of example vectors the direction that best
// tells it from the others, with a Spread of their own. A class without examples
// gets the zero Direction.
func Directions(classes [][]Vec) ([]Direction, error) {
	s, err := NewSpread(classes)
	if err != nil {
		return nil, err
	}
	out := make([]Direction, len(classes))
	for i, class := range classes {
		out[i] = s.Direction(class)
	}
	return out, nil
}

// Quantise writes the direction of v to dst, which it grows if need be.
func Quantise(dst Vec, v []float32) Vec {
	wide := make([]float64, len(v))
	for i, x := range v {
		wide[i] = float64(x)
	}
	return quantise(dst, wide)
}

// Embed writes the unit vector of a text to dst, which it grows if need be, and
// returns it: all zeros for a text without words. A nil Scratch allocates one.
func (t *Table) Embed(s *Scratch, dst []float32, text string) []float32 {
	if s == nil {
		s = new(Scratch)
	}
	t.embed(s, text)
	dst = dst[:0]
	for _, x := range s.unit {
		dst = append(dst, float32(x))
	}
	return dst
}

// Tokens appends the token numbers of a text to dst: the same ones as the
// encoder's own tokenizer gives without its special tokens. A special token
// spelled out in a text, as "[SEP]", is a word like any other: texts aren't
// trusted.
func (t *Table) Tokens(dst []uint16, text string) []uint16 {
	var s Scratch
	s.split(t, text, false)
	for _, w := range s.spans {
		dst = t.pieces(dst, s.word(w))
	}
	return dst
}
