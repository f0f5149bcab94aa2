package merge

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gbt-policy/gbt/tree"
)

// minPoints is the least number of held-out matches that a calibration may
// rest on.
const minPoints = 50

// uncalibrated makes the posterior rise through one half where the best child
// has half of the probability: a cautious guess for logs too few to calibrate on.
var uncalibrated = [4]tree.Milli{-3000, 6000, 0, 0}

// fitPosterior fits P(right) = logistic(b0 + b1 prob + b2 margin + b3 sim) by
// iteratively reweighted least squares with a ridge of 0.01 (Hastie, Tibshirani
// and Friedman, The Elements of Statistical Learning, 2nd ed., §4.4.1). The
// coefficients are rounded to thousandths, so that the last bits of the solver
// decide nothing.
func fitPosterior(covers []Coverage) [4]tree.Milli {
	var points []point
	for i := range covers {
		for _, p := range covers[i].points {
			if !p.generic {
				points = append(points, p)
			}
		}
	}
	if len(points) < minPoints || !mixed(points) {
		return uncalibrated
	}
	var beta [4]float64
	for iter := 0; iter < 25; iter++ {
		step, ok := newton(points, beta)
		if !ok {
			return uncalibrated
		}
		size := 0.0
		for i := range beta {
			beta[i] += step[i]
			size = max(size, math.Abs(step[i]))
		}
		if size < 1e-6 {
			break
		}
	}
	var out [4]tree.Milli
	for i, b := range beta {
		out[i] = tree.Milli(math.Round(b * 1000))
	}
	return out
}

func mixed(points []point) bool {
	for _, p := range points {
		if p.right != points[0].right {
			return true
		}
	}
	return false
}

const ridge = 0.01

// newton returns one Newton step of the penalised log likelihood, false if the
// points do not determine one.
func newton(points []point, beta [4]float64) ([4]float64, bool) {
	h := mat.NewSymDense(4, nil)
	g := mat.NewVecDense(4, nil)
	for _, p := range points {
		x := [4]float64{1, p.prob.Float(), p.margin.Float(), p.sim.Float()}
		z := 0.0
		for i := range x {
			z += beta[i] * x[i]
		}
		mu := 1 / (1 + math.Exp(-z))
		y := 0.0
		if p.right {
			y = 1
		}
		for i := range x {
			g.SetVec(i, g.AtVec(i)+(y-mu)*x[i])
			for j := i; j < 4; j++ {
				h.SetSym(i, j, h.At(i, j)+mu*(1-mu)*x[i]*x[j])
			}
		}
	}
	for i := range beta {
		g.SetVec(i, g.AtVec(i)-ridge*beta[i])
		h.SetSym(i, i, h.At(i, i)+ridge)
	}
	var chol mat.Cholesky
	if !chol.Factorize(h) {
		return [4]float64{}, false
	}
	var step mat.VecDense
	if err := chol.SolveVecTo(&step, g); err != nil {
		return [4]float64{}, false
	}
	return [4]float64{step.AtVec(0), step.AtVec(1), step.AtVec(2), step.AtVec(3)}, true
}

// temperatures are the candidates for the router's softmax, in thousandths;
// 50 is the reference (003 §D.2).
var temperatures = []tree.Milli{10, 20, 35, 50, 75, 100, 150, 200}

// routing is one held-out task: the score of every family, and the right one.
type routing struct {
	odds []float64
	want int32
}

// fitTemperature picks the temperature with the best held-out log likelihood of
// the right family.
func fitTemperature(tasks []routing) tree.Milli {
	best, at := tree.Milli(50), math.Inf(-1)
	for _, temp := range temperatures {
		ll := 0.0
		for _, r := range tasks {
			ll += math.Log(max(r.probability(temp), 1e-3))
		}
		if ll > at {
			best, at = temp, ll
		}
	}
	return best
}

// probability is the softmax of the right family.
func (r *routing) probability(temp tree.Milli) float64 {
	if r.want < 0 || math.IsInf(r.odds[r.want], -1) {
		return 0
	}
	sum := 0.0
	for _, o := range r.odds {
		sum += math.Exp((o - r.odds[r.want]) / temp.Float())
	}
	return 1 / sum
}
