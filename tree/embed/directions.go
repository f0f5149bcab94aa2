package embed

import (
	"cmp"
	"errors"
	"math"
	"slices"
)

// Direction scores how well a text fits a class. Scores of one Directions call
// compare, those of two calls don't.
type Direction struct {
	Vec  Vec
	Gain int32 // score of a text that points exactly along Vec, without Bias
	Bias int32 // 0 from Directions; a caller may put what it knows beforehand here
}

// Score is the gain times the cosine, rounded, and the bias.
func (d *Direction) Score(v Vec) int32 {
	return d.Bias + int32(math.Round(float64(d.Gain)*Cos(d.Vec, v)))
}

const (
	// sampled bounds the examples that the covariance is estimated from. With
	// all of thousands, top-1 is less than a hundredth better (QUALITY.md).
	sampled = 600

	unitBits = 14 // precision of a coordinate while examples are added up
	unitOne  = 1 << unitBits
)

var errClasses = errors.New("embed: directions need classes of vectors of one length, one class with two")

// Directions finds for each class of example vectors the direction that best
// tells it from the others: the cosine with the class's mean, in the space where
// the spread within classes is the same in every direction (the whitening of
// linear discriminant analysis, Fisher 1936). What all classes have in common,
// "let me now", spreads much and so counts little; a mean of examples keeps it.
// A class without examples gets the zero Direction.
//
// The covariance is shrunk towards a multiple of the unit matrix as if that had
// been seen in as many examples as there are dimensions (the posterior mean
// under an inverse Wishart prior), so with few examples a direction is close to
// the mean.
//
// Sums are whole numbers and the examples of the covariance are chosen by their
// hash, so the order of a class's examples doesn't matter, nor that of the
// classes. Cost grows with the examples times the dimensions, and has a fixed
// part for the covariance: a few tenths of a second.
func Directions(classes [][]Vec) ([]Direction, error) {
	d, err := newDiscriminant(classes)
	if err != nil {
		return nil, err
	}
	d.shrink()
	if !d.factor() {
		return nil, errors.New("embed: the examples of each class are all alike")
	}
	out := make([]Direction, len(classes))
	for i := range classes {
		if d.means[i] != nil {
			out[i] = d.direction(d.means[i])
		}
	}
	return out, nil
}

// discriminant holds the means of the classes and their covariance, which is
// the lower triangle of a symmetric matrix by rows.
type discriminant struct {
	dim     int
	freedom int       // examples of the covariance less their classes
	means   [][]int32 // in units of 1/unitOne, nil for an empty class
	scatter []float64
}

func newDiscriminant(classes [][]Vec) (*discriminant, error) {
	d := &discriminant{means: make([][]int32, len(classes))}
	for i, class := range classes {
		if err := d.mean(i, class); err != nil {
			return nil, err
		}
	}
	some := choose(classes)
	if len(some) == 0 {
		return nil, errClasses
	}
	raw := make([]int64, d.dim*(d.dim+1)/2)
	x := make([]int32, d.dim)
	seen := make([]bool, len(classes))
	d.freedom = len(some)
	for _, e := range some {
		d.residual(x, e)
		addSquare(raw, x)
		if !seen[e.class] {
			seen[e.class] = true
			d.freedom--
		}
	}
	d.scatter = make([]float64, len(raw))
	for i, v := range raw {
		d.scatter[i] = float64(v) / float64(int64(len(some))<<(2*unitBits))
	}
	return d, nil
}

// mean sets the mean of a class's unit vectors.
func (d *discriminant) mean(class int, vecs []Vec) error {
	var sum []int64
	n := int64(0)
	for _, v := range vecs {
		if len(v) == 0 {
			continue
		}
		if d.dim == 0 {
			d.dim = len(v)
		}
		if len(v) != d.dim {
			return errClasses
		}
		if sum == nil {
			sum = make([]int64, d.dim)
		}
		n++
		length := math.Sqrt(float64(Dot(v, v)))
		for i, c := range v {
			sum[i] += int64(unitCoordinate(c, length))
		}
	}
	if n > 0 {
		m := make([]int32, d.dim)
		for i, x := range sum {
			m[i] = int32(math.Round(float64(x) / float64(n)))
		}
		d.means[class] = m
	}
	return nil
}

func unitCoordinate(c int8, length float64) int32 {
	if length == 0 {
		return 0
	}
	return int32(math.Round(float64(int32(c)<<unitBits) / length))
}

// example is a vector that the covariance is estimated from.
type example struct {
	class int
	hash  uint32
	vec   Vec
}

// choose takes up to sampled examples, those of the least hashes, from classes
// that have two: one alone says nothing about spread.
func choose(classes [][]Vec) (out []example) {
	for i, class := range classes {
		if len(class) < 2 {
			continue
		}
		for _, v := range class {
			if len(v) > 0 {
				out = append(out, example{i, hashVec(v), v})
			}
		}
	}
	slices.SortFunc(out, func(a, b example) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), slices.Compare(a.vec, b.vec), cmp.Compare(a.class, b.class))
	})
	return out[:min(len(out), sampled)]
}

func hashVec(v Vec) uint32 {
	h := uint32(fnvBasis)
	for _, x := range v {
		h = (h ^ uint32(uint8(x))) * fnvPrime
	}
	return fmix(h)
}

// residual writes an example less its class's mean to x.
func (d *discriminant) residual(x []int32, e example) {
	length := math.Sqrt(float64(Dot(e.vec, e.vec)))
	for i, c := range e.vec {
		x[i] = unitCoordinate(c, length) - d.means[e.class][i]
	}
}

// addSquare adds the products of every two coordinates. They have 30 bits, and
// there are at most sampled of them.
func addSquare(raw []int64, x []int32) {
	at := 0
	for i, a := range x {
		row := raw[at : at+i+1]
		for j := range row {
			row[j] += int64(a) * int64(x[j])
		}
		at += i + 1
	}
}

// direction turns a class's mean m into its linear score. With w the inverse of
// the covariance times m, a text x has the cosine w·x / sqrt(w·m) in the
// whitened space, but for the text's own length there, which is the same for all
// classes. Without that root, classes of few examples, whose means are longer,
// would win; discriminant analysis proper takes w·m/2 away and lets them lose.
func (d *discriminant) direction(mean []int32) Direction {
	m, w := make([]float64, d.dim), make([]float64, d.dim)
	for i, x := range mean {
		m[i] = float64(x) / unitOne
	}
	copy(w, m)
	d.solve(w)
	square, dot := 0.0, 0.0
	for i, x := range w {
		square += float64(x * x)
		dot += float64(x * m[i])
	}
	v := quantise(nil, w)
	if len(v) == 0 || !(dot > 0) {
		return Direction{}
	}
	return Direction{Vec: v, Gain: int32(math.Round(gainUnit * math.Sqrt(square/dot)))}
}

// gainUnit keeps four digits of a gain.
const gainUnit = 1000
