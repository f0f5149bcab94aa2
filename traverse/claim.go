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
// under its policy.
func (s *Session) claim(r *tree.Route) {
	s.abstained, s.routed = r.Abstain, r.OK()
	s.steer.start(s.p, r)
	if !s.routed {
		s.unsteer()
	}
}

// unsteer takes the steering walk out of the tree.
func (s *Session) unsteer() {
	s.steer = walk{pos: tree.Pos{Family: -1, Node: -1}, gates: s.steer.gates, held: s.steer.held}
}

// begins looks at the first macros of the run: where none of them is known, it is
// no run of a task that the policy knows.
func (s *Session) begins(action string) {
	if !s.routed || s.params().RouteNear == 0 || !s.first.Strange(s.p.view, &s.steer.pos, action) {
		return
	}
	s.abstained, s.routed = tree.AbstainSteps, false
	s.lose("not-routed")
	s.recovery = recovery{}
	s.unsteer()
}
