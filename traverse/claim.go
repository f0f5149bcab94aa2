package traverse

import (
	"github.com/gbt-policy/gbt/tree"
)

// The claim boundary at run time. Abstaining takes claims away and nothing else:
// the policy does not steer, the run is not covered and no leaf is success. The
// walk that guards stands where it would have stood, so that no word of a task
// changes which gates are asked (C5).

// route routes the task in the environment of now.
func (s *Session) route() tree.Route {
	words := tree.TaskWords(s.task.Text)
	return s.p.view.Route(&tree.Ask{Vec: s.vec, Known: s.p.enc.Known(words), Offered: s.env.Tools}, s.params())
}

// claim takes over what the router says. Once a run is abstained from, it stays so
// under its policy, but for what begins finds.
func (s *Session) claim(r *tree.Route) {
	s.abstained, s.routed, s.late = r.Abstain, r.OK(), r.Late
	s.steer.start(s.p, r)
	if !s.routed {
		s.unsteer()
	}
}

// unsteer takes the steering walk out of the tree.
func (s *Session) unsteer() {
	s.steer = walk{pos: tree.Pos{Family: -1, Node: -1}, gates: s.steer.gates, held: s.steer.held}
}

// begins looks at the first macros of the run, which the guarding walk moves along by
// to. Where none of them is known, it is no run of a task that the policy knows. A
// task that is far, but not too far, is steered as long as each of them is offered
// where it stands: from the first one on, and claimed for good with the second.
// begins reports that the steering begins now.
func (s *Session) begins(action string, to step) (claimed bool) {
	if s.params().RouteNear == 0 {
		return false
	}
	switch {
	case s.late:
		if !s.first.Add(s.p.view, &s.guard.pos, action, to.rel == offered) {
			return false
		}
		if s.first.Fits() {
			return !s.routed
		}
		s.late = false
		s.disclaim(tree.AbstainFar)
	case s.routed && s.first.Add(s.p.view, &s.steer.pos, action, to.rel == offered) && s.first.Strange():
		s.disclaim(tree.AbstainSteps)
	}
	return false
}

// trial reports that the run is steered by the first of its first macros alone: it is
// not covered yet, and no leaf is success.
func (s *Session) trial() bool { return s.late && s.routed && !s.first.Claims() }

// loss is why the run is not covered, and the step since when; empty while it is.
func (s *Session) loss() (why string, at int64) {
	if s.lost == "" && s.trial() {
		return "not-routed", 0
	}
	return s.lost, s.lostAt
}

// lossAtEnd is why a run that ends here is not covered; empty if it is. The end of a
// run counts as a macro: a run of a single one is claimed where successful runs end
// after it.
func (s *Session) lossAtEnd() string {
	if s.lost == "" && s.trial() && s.atLeaf() {
		return ""
	}
	why, _ := s.loss()
	return why
}

// disclaim abstains from a run under way.
func (s *Session) disclaim(why string) {
	s.abstained, s.routed = why, false
	s.lose("not-routed")
	s.recovery = recovery{}
	s.unsteer()
}

// claimLate puts the steering walk where the guarding one is. The run counts as
// covered once it is no longer on trial: what it did was all offered where it stood,
// though nobody steered it.
func (s *Session) claimLate() {
	s.abstained, s.routed = "", true
	s.steer = s.guard.clone()
	s.visits = append(s.visits, s.steer.pos.Spine[1:]...)
	if s.lost == "not-routed" {
		s.lost, s.lostAt = "", 0
	}
}
