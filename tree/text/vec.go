package text

import (
	"math"
	"slices"
)

// Vec is a quantised vector: a direction, its largest coordinate 127. The zero
// length is the vector of a text without words.
type Vec []int8

// quantise rounds half away from zero. Each step rounds once, and there is
// nothing to fuse, so that every processor gives the same bytes.
func quantise(dst Vec, v []float64) Vec {
	dst = slices.Grow(dst[:0], len(v))
	top := 0.0
	for _, x := range v {
		top = max(top, math.Abs(x))
	}
	if top == 0 || math.IsInf(top, 0) || math.IsNaN(top) {
		return dst
	}
	for _, x := range v {
		q := int8(0)
		if x != 0 {
			q = int8(math.Round(x / top * 127))
		}
		dst = append(dst, q)
	}
	return dst
}

// Dot is the sum of the products of two vectors of one length.
func Dot(a, b Vec) int64 {
	if len(a) != len(b) {
		return 0
	}
	var sum int32 // 127 * 127 * (maxDim + maxLexical) fits
	for i, x := range a {
		sum += int32(x) * int32(b[i])
	}
	return int64(sum)
}

// Cos is the cosine of two vectors, 0 if either is empty, zero or of another
// length. Its sums are whole numbers, and it rounds twice.
func Cos(a, b Vec) float64 {
	na, nb := Dot(a, a), Dot(b, b)
	if len(a) != len(b) || na == 0 || nb == 0 {
		return 0
	}
	return float64(Dot(a, b)) / math.Sqrt(float64(na*nb))
}
