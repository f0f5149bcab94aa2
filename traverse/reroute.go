package traverse

import (
	"math"
	"slices"

	"github.com/gbt-policy/gbt/tree"
)

// reroute routes the task anew, with what the run did so far, and moves the
// anchor if another family leads clearly (R2). What was done is the mean
// direction of the macros realised, half as weighty as the task: words of the
// executor have no part in it. The families left are not entered again, which
// keeps the way acyclic.
func (s *Session) reroute() {
	all := s.shares()
	to := best(all)
	if to < 0 || all[to] < s.params().RouteAbstain || slices.Contains(s.left, to) {
		return
	}
	current := s.steer.pos.Family
	switch {
	case s.steer.lost():
	case current < 0 || current == to || all[to]-all[current] < s.params().RouteSwitch:
		return
	default:
		s.left = append(s.left, current)
	}
	s.stats.Reroots++
	s.step.Rerooted = s.p.view.Families[to].Name
	s.lose("re-rooted")
	s.recovery = recovery{}
	s.steer.startAt(s.p, to)
	s.guard.startAt(s.p, to)
}

// shares are the probabilities of all families for the run so far: the softmax
// of 003 §D.2.
func (s *Session) shares() []tree.Milli {
	scores := s.p.view.RouteScores(s.drift(), s.env.Tools, s.params())
	top := slices.Max(append(scores, math.Inf(-1)))
	out, sum := make([]tree.Milli, len(scores)), 0.0
	for _, x := range scores {
		sum += weight(x, top, s.params())
	}
	for i, x := range scores {
		if sum > 0 {
			out[i] = milli(weight(x, top, s.params()) / sum)
		}
	}
	return out
}

func weight(score, top float64, p *tree.Params) float64 {
	if math.IsInf(score, -1) {
		return 0
	}
	return math.Exp((score - top) / p.RouteTemperature.Float())
}

// best is the first of the largest, -1 if there is none above zero.
func best(all []tree.Milli) int32 {
	to := int32(-1)
	for i, x := range all {
		if x > 0 && (to < 0 || x > all[to]) {
			to = int32(i)
		}
	}
	return to
}

// drift is the direction of the task with the macros realised.
func (s *Session) drift() tree.Vec {
	var done []tree.Vec
	for _, x := range s.visits {
		done = append(done, tree.Mean(s.p.view.States[x].Vecs...))
	}
	if len(done) == 0 {
		return s.vec
	}
	return tree.Blend(s.vec, 2, tree.Mean(done...), 1)
}
