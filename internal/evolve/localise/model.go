package localise

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Case is a run of which somebody said at which step it failed.
type Case struct {
	Clues [][]float64
	At    int
}

// Model says which message of a run is the likeliest fault: a linear score of its
// clues, against the other messages of the same run. Make one with Fit.
type Model struct {
	mean, scale []float64
	Weights     []float64 // by clue, of clues with mean 0 and deviation 1
}

// Ridge is the penalty on squared weights that Fit takes where none is given: a
// normal prior of deviation 1/3 on each, wide beside what so few runs can tell.
const Ridge = 9

// rounds bounds Newton's method, which settles in less than ten here: the
// likelihood is concave and the penalty makes it strictly so.
const rounds = 30

// Fit fits the weights to cases: a conditional logit model (McFadden 1974,
// "Conditional logit analysis of qualitative choice behavior"), whose choices are
// the messages of a run, with a ridge penalty, by Newton's method. Without cases
// every message is as likely.
func Fit(cases []Case, ridge float64) *Model {
	m := standard(cases)
	d := len(m.mean)
	if d == 0 {
		return m
	}
	x := make([][][]float64, len(cases))
	for i := range cases {
		x[i] = m.scaled(cases[i].Clues)
	}
	for range rounds {
		gradient, curve := make([]float64, d), make([]float64, d*d)
		for k := range d {
			gradient[k] = -ridge * m.Weights[k]
			curve[k*d+k] = ridge
		}
		for i := range cases {
			m.learn(x[i], cases[i].At, gradient, curve)
		}
		var chol mat.Cholesky
		var step mat.VecDense
		if !chol.Factorize(mat.NewSymDense(d, curve)) || chol.SolveVecTo(&step, mat.NewVecDense(d, gradient)) != nil {
			break // not with a positive penalty
		}
		for k := range d {
			m.Weights[k] += step.AtVec(k)
		}
		if mat.Norm(&step, math.Inf(1)) < 1e-9 {
			break
		}
	}
	return m
}

// standard is a model without weights that brings clues to mean 0 and deviation 1.
func standard(cases []Case) *Model {
	m := &Model{}
	if len(cases) == 0 {
		return m
	}
	d, n := len(ClueNames()), 0.0
	m.mean, m.scale, m.Weights = make([]float64, d), make([]float64, d), make([]float64, d)
	each := func(f func(k int, v float64)) {
		for i := range cases {
			for _, row := range cases[i].Clues {
				for k, v := range row {
					f(k, v)
				}
			}
		}
	}
	for i := range cases {
		n += float64(len(cases[i].Clues))
	}
	each(func(k int, v float64) { m.mean[k] += v / n })
	each(func(k int, v float64) { m.scale[k] += (v - m.mean[k]) * (v - m.mean[k]) / n })
	for k, v := range m.scale {
		if m.scale[k] = math.Sqrt(v); v < 1e-12 {
			m.scale[k] = 1 // a clue that never varies tells nothing
		}
	}
	return m
}

func (m *Model) scaled(clues [][]float64) [][]float64 {
	out := make([][]float64, len(clues))
	for i, row := range clues {
		out[i] = make([]float64, len(row))
		for k, v := range row {
			out[i][k] = (v - m.mean[k]) / m.scale[k]
		}
	}
	return out
}

// learn adds one run to the gradient of the likelihood and to the upper triangle of
// its curvature.
func (m *Model) learn(x [][]float64, at int, gradient, curve []float64) {
	p := m.shares(x)
	mean := make([]float64, len(gradient))
	for i, row := range x {
		for k, v := range row {
			mean[k] += p[i] * v
		}
	}
	for k := range gradient {
		gradient[k] += x[at][k] - mean[k]
	}
	off := make([]float64, len(mean))
	for i, row := range x {
		for k, v := range row {
			off[k] = v - mean[k]
		}
		for k, v := range off {
			line := curve[k*len(off):]
			for l := k; l < len(off); l++ {
				line[l] += p[i] * v * off[l]
			}
		}
	}
}

// shares is the softmax of the scores of scaled clues.
func (m *Model) shares(x [][]float64) []float64 {
	out := make([]float64, len(x))
	top, sum := math.Inf(-1), 0.0
	for i, row := range x {
		for k, v := range row {
			out[i] += m.Weights[k] * v
		}
		top = max(top, out[i])
	}
	for i := range out {
		out[i] = math.Exp(out[i] - top)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

// Chances returns for each message of a run the probability that it is the fault.
func (m *Model) Chances(clues [][]float64) []float64 {
	if len(m.mean) == 0 {
		out := make([]float64, len(clues))
		for i := range out {
			out[i] = 1 / float64(len(clues))
		}
		return out
	}
	return m.shares(m.scaled(clues))
}

// Likeliest is the step with the most probability on it and at most reach steps to
// each side, the earliest of equals: with reach 0 the likeliest step, with more the
// one from which the fault is not far.
func Likeliest(chances []float64, reach int) int {
	best, most := 0, 0.0
	for i := range chances {
		sum := 0.0
		for _, p := range chances[max(0, i-reach):min(len(chances), i+reach+1)] {
			sum += p
		}
		if sum > most {
			best, most = i, sum
		}
	}
	return best
}
