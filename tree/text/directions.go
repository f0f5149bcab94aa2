package text

import (
	"errors"
	"math"
)

// Direction scores how well a text fits a class. Scores of directions made with
// one Spread compare, those of two don't.
type Direction struct {
	Vec  Vec
	Gain int32 // score of a text that points exactly along Vec, without Bias
	Bias int32 // 0 from this package; a caller may put what it knows beforehand here
}

var (
	errClasses = errors.New("embed: spread needs classes of vectors of one length, one class with two")
	errAlike   = errors.New("embed: the examples of each class are all alike")
)

// Spread is how texts of one class differ: the covariance within classes, which
// whitening takes out (linear discriminant analysis, Fisher 1936). What all
// classes have in common, "let me now", spreads much and so counts little; a
// mean of examples keeps it. A Spread may be shared; it is immutable.
//
// The covariance is that of a sample of at most maxSpread examples. It is shrunk
// towards a multiple of the unit matrix as if that had been seen in as many
// examples as there are dimensions (the posterior mean under an inverse Wishart
// prior), so with few examples a direction is close to the mean. With fewer
// examples than dimensions its inverse is cheapest by the Woodbury identity,
// over the examples instead of the dimensions.
type Spread struct {
	dim    int
	rows   [][]float64 // examples less their class's mean
	floor  float64     // the multiple of the unit matrix
	factor cholesky    // of the rows' products, plus a ridge
}

// maxSpread bounds the examples of a covariance. More are better by a hundredth
// or two of top-1 and cost their square in time (QUALITY.md has the figures).
const maxSpread = 256

// NewSpread estimates the spread within classes. Neither the order of the
// classes nor that of their examples matters: the examples are chosen and
// ordered by their hash. Cost grows with the square of the sample times the
// dimensions: about 40 ms for a full one.
func NewSpread(classes [][]Vec) (*Spread, error) {
	some, dim, err := choose(classes)
	if err != nil {
		return nil, err
	}
	s := &Spread{dim: dim}
	means := map[int][]float64{}
	trace := 0.0
	for _, e := range some {
		if means[e.class] == nil {
			means[e.class] = unitMean(classes[e.class], dim)
		}
		row := unitVec(e.vec)
		for i, m := range means[e.class] {
			row[i] -= m
			trace += float64(row[i] * row[i])
		}
		s.rows = append(s.rows, row)
	}
	return s, s.invert(trace, len(means))
}

// invert prepares the inverse of a*S + floor*I, where S is the covariance and a
// what is left of it after shrinking.
func (s *Spread) invert(trace float64, classes int) error {
	n := len(s.rows)
	freedom := float64(n - classes)
	a := freedom / (freedom + float64(s.dim))
	s.floor = (1 - a) * trace / float64(n*s.dim)
	if !(a > 0) || !(s.floor > 0) {
		return errAlike
	}
	s.factor = make(cholesky, n)
	for i := range s.rows {
		s.factor[i] = make([]float64, i+1)
		for j := range i + 1 {
			s.factor[i][j] = inner(s.rows[i], s.rows[j])
		}
		s.factor[i][i] += float64(n) * s.floor / a
	}
	if !s.factor.factorise() {
		return errAlike
	}
	return nil
}

// Direction is the direction of one class. With w the inverse of the covariance
// times the class's mean m, a text x has the cosine w·x / sqrt(w·m) in the
// whitened space, but for the text's own length there, which is the same for all
// classes. Without that root, classes of few examples, whose means are longer,
// would win; discriminant analysis proper takes w·m/2 away and lets them lose.
// A class without examples, or of another length, gets the zero Direction.
func (s *Spread) Direction(class []Vec) Direction {
	m := unitMean(class, s.dim)
	if m == nil {
		return Direction{}
	}
	w := s.solve(m)
	square, dot := inner(w, w), inner(w, m)
	v := quantise(nil, w)
	if len(v) == 0 || !(dot > 0) {
		return Direction{}
	}
	return Direction{Vec: v, Gain: int32(math.Round(gainUnit * math.Sqrt(square/dot)))}
}

// gainUnit keeps four digits of a gain.
const gainUnit = 1000

// solve returns the inverse of the covariance times m.
func (s *Spread) solve(m []float64) []float64 {
	c := make([]float64, len(s.rows))
	for i, row := range s.rows {
		c[i] = inner(row, m)
	}
	s.factor.solve(c)
	w := append([]float64(nil), m...)
	for i, row := range s.rows {
		for k, x := range row {
			w[k] -= float64(c[i] * x)
		}
	}
	for k := range w {
		w[k] /= s.floor
	}
	return w
}
