package tree

import (
	"math"

	"github.com/gbt-policy/gbt/tree/text"
)

// Vec is a quantised embedding: the direction of a text. The zero-length Vec is
// the embedding of the empty text.
type Vec = text.Vec

// Cos returns the cosine of two vectors, 0 if either is empty, zero or of
// another length.
func Cos(a, b Vec) float64 { return text.Cos(a, b) }

// Mean returns the direction of the mean of unit vectors; empty vectors and
// those of another length than the first do not count. It is exact integer
// arithmetic but for the square roots, and does not depend on the order.
func Mean(vecs ...Vec) Vec {
	var sum []int64
	for _, v := range vecs {
		sum = addUnit(sum, v, 1)
	}
	return quantise(sum)
}

// Blend returns the direction of wa parts of a and wb parts of b.
func Blend(a Vec, wa int64, b Vec, wb int64) Vec {
	return quantise(addUnit(addUnit(nil, a, wa), b, wb))
}

// addUnit adds weight times the unit vector of v to sum.
func addUnit(sum []int64, v Vec, weight int64) []int64 {
	n := norm(v)
	if n == 0 || sum != nil && len(v) != len(sum) {
		return sum
	}
	if sum == nil {
		sum = make([]int64, len(v))
	}
	for i, x := range v {
		sum[i] += weight * (int64(x) << meanShift / n)
	}
	return sum
}

// meanShift is the precision of Mean: bits after the point of one coordinate.
const meanShift = 20

func norm(v Vec) int64 {
	var n int64
	for _, x := range v {
		n += int64(x) * int64(x)
	}
	return int64(math.Sqrt(float64(n)))
}

// quantise scales a vector so that its largest coordinate is 127.
func quantise(sum []int64) Vec {
	var top int64
	for _, x := range sum {
		top = max(top, x, -x)
	}
	if top == 0 {
		return nil
	}
	v := make(Vec, len(sum))
	for i, x := range sum {
		v[i] = int8(divRound(x*127, top))
	}
	return v
}

// divRound divides by a positive number, halves away from zero.
func divRound(x, by int64) int64 {
	if x < 0 {
		return -((-x + by/2) / by)
	}
	return (x + by/2) / by
}
