package embed

import "math"

// shrink moves the covariance towards a multiple of the unit matrix.
func (d *discriminant) shrink() {
	part := float64(d.dim) / float64(d.dim+d.freedom)
	trace, at := 0.0, 0
	for i := range d.dim {
		at += i
		trace += d.scatter[at+i]
	}
	trace /= float64(d.dim)
	for i := range d.scatter {
		d.scatter[i] *= 1 - part
	}
	at = 0
	for i := range d.dim {
		at += i
		d.scatter[at+i] += float64(trace * part)
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
