package text

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// The arithmetic of a Spread. Every product is rounded before it is added, so
// that no processor fuses the two and all give the same bytes.

// example is a vector that a covariance is estimated from.
type example struct {
	class int
	hash  uint32
	vec   Vec
}

// choose takes up to maxSpread examples, those of the least hashes, from classes
// that have two: one alone says nothing about spread. It also finds the length
// of all vectors.
func choose(classes [][]Vec) (out []example, dim int, err error) {
	for i, class := range classes {
		for _, v := range class {
			if len(v) == 0 {
				continue
			}
			if dim == 0 {
				dim = len(v)
			}
			if len(v) != dim {
				return nil, 0, errClasses
			}
			if len(class) > 1 {
				out = append(out, example{i, hashVec(v), v})
			}
		}
	}
	if len(out) == 0 {
		return nil, 0, errClasses
	}
	sort.Slice(out, func(i, j int) bool { // with less code than by type
		a, b := &out[i], &out[j]
		return cmp.Or(cmp.Compare(a.hash, b.hash), slices.Compare(a.vec, b.vec), cmp.Compare(a.class, b.class)) < 0
	})
	return out[:min(len(out), maxSpread)], dim, nil
}

func hashVec(v Vec) uint32 {
	h := uint32(fnvBasis)
	for _, x := range v {
		h = (h ^ uint32(uint8(x))) * fnvPrime
	}
	return fmix(h)
}

// unitScale is the factor that brings a vector to length one, in whole units, so
// that sums of many scaled vectors are exact and have no order.
func unitScale(v Vec) int64 {
	d := Dot(v, v)
	if d == 0 {
		return 0
	}
	return int64(math.Round(unitOne / math.Sqrt(float64(d))))
}

const unitOne = 1 << 30 // one, in the units of unitScale

// unitVec is a vector at length one.
func unitVec(v Vec) []float64 {
	scale := unitScale(v)
	out := make([]float64, len(v))
	for i, c := range v {
		out[i] = float64(int64(c)*scale) / unitOne
	}
	return out
}

// unitMean is the mean of a class's unit vectors; nil if it has none of the
// right length.
func unitMean(class []Vec, dim int) []float64 {
	sum := make([]int64, dim)
	n := int64(0)
	for _, v := range class {
		scale := unitScale(v)
		if len(v) != dim || scale == 0 {
			continue
		}
		n++
		for i, c := range v {
			sum[i] += int64(c) * scale
		}
	}
	if n == 0 {
		return nil
	}
	out := make([]float64, dim)
	for i, x := range sum {
		out[i] = float64(x) / float64(n*unitOne)
	}
	return out
}

func inner(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += float64(a[i] * b[i])
		s1 += float64(a[i+1] * b[i+1])
		s2 += float64(a[i+2] * b[i+2])
		s3 += float64(a[i+3] * b[i+3])
	}
	for ; i < len(a); i++ {
		s0 += float64(a[i] * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// cholesky is a symmetric positive matrix, its lower triangle by rows, and then
// its factor.
type cholesky [][]float64

// factorise replaces the matrix by its factor; false if it is not positive.
func (l cholesky) factorise() bool {
	for i, row := range l {
		for j := range i {
			row[j] = (row[j] - inner(row[:j], l[j][:j])) / l[j][j]
		}
		d := row[i] - inner(row[:i], row[:i])
		if !(d > 0) {
			return false
		}
		row[i] = math.Sqrt(d)
	}
	return true
}

// solve overwrites x with the inverse of the matrix times x.
func (l cholesky) solve(x []float64) {
	for i, row := range l {
		x[i] = (x[i] - inner(row[:i], x[:i])) / row[i]
	}
	for i := len(x) - 1; i >= 0; i-- {
		x[i] /= l[i][i]
		for k := range i {
			x[k] -= float64(l[i][k] * x[i])
		}
	}
}
