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
//
// It is asked for every few proposals, and where no calls are told the macros
// proposed count as realised. So it moves the steering walk alone; the one that
// guards has reguard. In the reference profile both are one.
func (s *Session) reroute() {
	if s.abstained != "" {
		return
	}
	to := s.leads(&s.steer, s.visits, &s.left)
	if to < 0 {
		return
	}
	s.stats.Reroots++
	s.step.Rerooted = s.p.view.Families[to].Name
	s.lose("re-rooted")
	s.recovery = recovery{}
	s.steer.startAt(s.p, to)
	if s.literal() {
		s.guard.startAt(s.p, to)
	}
}

// maxDone is how many macros the guarding walk is routed by, the newest: more than
// the steps that the governance pack allows a run by default, so that what an
// answer takes does not grow with a run that has no such bound.
const maxDone = 64

// reguard is reroute for the walk that guards: after every few macros that
// executed calls led to, by those alone. Proposals decide neither when nor where
// to, so that no word changes which gates are asked (C5).
func (s *Session) reguard() {
	if s.moved%int64(s.params().RouteEvery) != 0 {
		return
	}
	if to := s.leads(&s.guard, s.done, &s.gone); to >= 0 {
		s.guard.startAt(s.p, to)
	}
}

// leads is the family that a walk should go over to, -1 for none. The one it
// leaves is noted.
func (s *Session) leads(w *walk, done []int32, left *[]int32) int32 {
	all := s.shares(done)
	to := best(all)
	if to < 0 || all[to] < s.params().RouteAbstain || slices.Contains(*left, to) {
		return -1
	}
	current := w.pos.Family
	switch {
	case w.lost():
	case current < 0 || current == to || all[to]-all[current] < s.params().RouteSwitch:
		return -1
	default:
		*left = append(*left, current)
	}
	return to
}

// shares are the probabilities of all families for the run so far: the softmax
// of 003 §D.2.
func (s *Session) shares(done []int32) []tree.Milli {
	scores := s.p.view.RouteScores(s.drift(done), s.env.Tools, s.params())
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

// drift is the direction of the task with macros that were realised.
func (s *Session) drift(done []int32) tree.Vec {
	if len(done) == 0 {
		return s.vec
	}
	return tree.Blend(s.vec, 2, s.p.view.Mean(done), 1)
}
