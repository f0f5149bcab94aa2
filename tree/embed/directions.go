package embed

import (
	"errors"
	"math"
)

// Direction scores how well a text fits a class: linear in the text's vector,
// a cosine with a gain and a bias. Scores of one Directions call compare; they
// are log odds in thousandths, up to a common factor.
type Direction struct {
	Vec  Vec
	Gain int32 // score of a text that points exactly along Vec, without Bias
	Bias int32
}

// Score rounds to a whole thousandth.
func (d *Direction) Score(v Vec) int32 {
	return d.Bias + int32(math.Round(float64(float64(d.Gain)*Cos(d.Vec, v))))
}

const (
	// Shrinkage is the part of the covariance that is replaced by a multiple
	// of the unit matrix (Friedman 1989, regularised discriminant analysis).
	// Chosen by cross-validation over tasks, QUALITY.md: 0.3 to 0.8 are alike.
	Shrinkage = 0.5

	unitBits = 14 // precision of a coordinate while examples are added up
)

var errClasses = errors.New("embed: directions need two vectors of one length")

// Directions finds for each class of example vectors the direction that best
// tells it from the others, by linear discriminant analysis with one shrunken
// covariance for all classes and no prior (Fisher 1936). What all classes have
// in common, "let me now", is discounted; a mean of examples keeps it. A class
// without examples gets the zero Direction.
//
// The covariance is summed in whole numbers, so the order of a class's examples
// doesn't matter; the order of the classes may change a last digit. Cost grows
// with examples times the square of the dimensions, and once with its cube: a
// few hundred examples in all are as good as thousands, at under half a second.
func Directions(classes [][]Vec) ([]Direction, error) {
	d, err := newDiscriminant(classes)
	if err != nil {
		return nil, err
	}
	d.shrink()
	if !d.factor() {
		return nil, errors.New("embed: examples do not differ")
	}
	out := make([]Direction, len(classes))
	for i := range classes {
		if d.count[i] > 0 {
			out[i] = d.direction(d.mean(i))
		}
	}
	return out, nil
}

// discriminant holds the sums of the classes and then their covariance, the
// lower triangle of a symmetric matrix by rows.
type discriminant struct {
	dim     int
	count   []int
	sums    [][]int64
	scatter []float64
}

func newDiscriminant(classes [][]Vec) (*discriminant, error) {
	d := &discriminant{count: make([]int, len(classes)), sums: make([][]int64, len(classes))}
	var raw []int64
	for c, class := range classes {
		for _, v := range class {
			if len(v) == 0 {
				continue
			}
			if d.dim == 0 {
				d.dim = len(v)
				raw = make([]int64, d.dim*(d.dim+1)/2)
			}
			if len(v) != d.dim {
				return nil, errClasses
			}
			d.add(c, v, raw)
		}
	}
	if d.total() < 2 {
		return nil, errClasses
	}
	d.within(raw)
	return d, nil
}

func (d *discriminant) total() (n int) {
	for _, c := range d.count {
		n += c
	}
	return n
}

// add counts one example. Products of two coordinates have 28 bits at most, so
// 2^35 examples fit.
func (d *discriminant) add(class int, v Vec, raw []int64) {
	x := make([]int32, d.dim)
	length := math.Sqrt(float64(Dot(v, v)))
	for i, c := range v {
		x[i] = int32(math.Round(float64(int64(c)<<unitBits) / length))
	}
	if d.count[class]++; d.sums[class] == nil {
		d.sums[class] = make([]int64, d.dim)
	}
	at := 0
	for i, a := range x {
		d.sums[class][i] += int64(a)
		row := raw[at : at+i+1]
		for j := range row {
			row[j] += int64(a) * int64(x[j])
		}
		at += i + 1
	}
}

// within takes the scatter of the means out of the sums of products.
func (d *discriminant) within(raw []int64) {
	d.scatter = make([]float64, len(raw))
	n := float64(d.total())
	const one = 1 << unitBits
	for i, x := range raw {
		d.scatter[i] = float64(x) / (n * one * one)
	}
	for c, k := range d.count {
		if k == 0 {
			continue
		}
		m, share := d.mean(c), float64(k)/n
		at := 0
		for i := range m {
			for j := 0; j <= i; j++ {
				d.scatter[at+j] -= float64(float64(m[i]*m[j]) * share)
			}
			at += i + 1
		}
	}
}

func (d *discriminant) mean(class int) []float64 {
	m := make([]float64, d.dim)
	for i, x := range d.sums[class] {
		m[i] = float64(x) / (float64(d.count[class]) * (1 << unitBits))
	}
	return m
}

func (d *discriminant) shrink() {
	trace, at := 0.0, 0
	for i := range d.dim {
		at += i
		trace += d.scatter[at+i]
	}
	trace /= float64(d.dim)
	for i := range d.scatter {
		d.scatter[i] *= 1 - Shrinkage
	}
	at = 0
	for i := range d.dim {
		at += i
		d.scatter[at+i] += float64(trace * Shrinkage)
	}
}

// factor replaces the covariance by its Cholesky factor. Every product is
// rounded before it is added, so that no processor fuses the two.
func (d *discriminant) factor() bool {
	l, at := d.scatter, 0
	for i := range d.dim {
		at += i
		row, above := l[at:at+i+1], 0
		for j := range i + 1 {
			above += j
			other := l[above : above+j+1]
			s := row[j]
			for k := range j {
				s -= float64(row[k] * other[k])
			}
			if j < i {
				row[j] = s / other[j]
				continue
			}
			if !(s > 0) {
				return false
			}
			row[i] = math.Sqrt(s)
		}
	}
	return true
}

// solve overwrites x with the inverse of the covariance times x.
func (d *discriminant) solve(x []float64) {
	l, at := d.scatter, 0
	for i := range x {
		at += i
		s := x[i]
		for k := range i {
			s -= float64(l[at+k] * x[k])
		}
		x[i] = s / l[at+i]
	}
	for i := len(x) - 1; i >= 0; i-- {
		x[i] /= l[at+i]
		for k := range i {
			x[k] -= float64(l[at+k] * x[i])
		}
		at -= i
	}
}

// direction turns a class's mean m into its linear score: with w the inverse of
// the covariance times m, w·x - w·m/2.
func (d *discriminant) direction(m []float64) Direction {
	w := append([]float64(nil), m...)
	d.solve(w)
	square, dot := 0.0, 0.0
	for i, x := range w {
		square += float64(x * x)
		dot += float64(x * m[i])
	}
	v := quantise(nil, w)
	if len(v) == 0 {
		return Direction{}
	}
	return Direction{Vec: v, Gain: int32(math.Round(1000 * math.Sqrt(square))), Bias: -int32(math.Round(500 * dot))}
}
