package traverse

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
)

// Defaults of the first stop layer (requirement B1).
const (
	defaultWall    = 1800
	defaultSteps   = 50
	defaultPlateau = 8
)

// action is what may come of a look at the bounds, in order of precedence (001): the
// user's interrupt, a halt by the governance pack, a way to the end by the limits of the
// task, or to go on. Its zero value is to go on.
type action uint8

const (
	goOn action = iota
	goTo
	haltNow
	interrupt
)

// ending is an action with its reason.
type ending struct {
	action action
	why    string
}

// Interrupt ends the run because somebody wants it to: before every bound that is reached
// at the same time. A run that is over stays so, for its first reason.
func (s *Session) Interrupt() {
	if !s.halted() {
		s.stopped = interrupted
	}
}

const interrupted = "interrupted"

// over says what ends the run: both stop layers are asked, and where both say so, there is
// one stop, by the action of the highest precedence (B3). Bounds on steps count where a
// new one would begin.
func (s *Session) over(newStep bool) string {
	var all [4]ending
	if s.stopped == interrupted {
		all[interrupt] = ending{interrupt, interrupted}
	}
	if r, ok := s.p.checker.Halts(gates.Run{Steps: s.steps, WallSeconds: s.used.Seconds, Tokens: s.used.Tokens, Begins: newStep}); ok {
		all[haltNow] = ending{haltNow, r.Rule}
	}
	if why := s.limits(newStep); why != "" {
		all[goTo] = ending{goTo, why}
	}
	return strongest(all[:]).why
}

// strongest is the one of the highest precedence.
func strongest(list []ending) ending {
	return slices.MaxFunc(list, func(a, b ending) int { return cmp.Compare(a.action, b.action) })
}

// limits is the first layer. A shadow session is not the host's loop: only the
// governance pack stops it.
func (s *Session) limits(newStep bool) string {
	l := &s.task.Limits
	switch {
	case s.task.Shadow:
	case s.used.Seconds >= or(l.WallSeconds, defaultWall):
		return "wallclock"
	case newStep && s.steps >= or(l.Steps, defaultSteps):
		return "max-steps"
	case newStep && s.plateau >= or(l.Plateau, defaultPlateau):
		return "plateau"
	case l.Target > 0 && s.scored && s.score >= l.Target:
		return "target"
	}
	return ""
}

func or(n, instead int64) int64 {
	if n <= 0 {
		return instead
	}
	return n
}

// nextStep begins a step. A run takes one with every proposal, whatever the answer
// is; where none came yet, with every call that begins a macro; and with the first
// that does after Finish. So the words of proposals change neither how many steps a run
// took nor which call is past the last of them (C5).
func (s *Session) nextStep() {
	s.endStep()
	s.steps++
	s.begun = true
}

// endStep judges the step that ends for the plateau: a change that a call of it
// made, or a better score, is an improvement.
func (s *Session) endStep() {
	switch {
	case s.begun && s.gained && !s.scored:
		s.plateau = 0
	case s.begun:
		s.plateau++
	}
	s.begun, s.gained = false, false
}

// scoreOf notes the host's measure of the task.
func (s *Session) scoreOf(score int64) {
	if score == 0 && !s.scored {
		return // not told
	}
	if !s.scored || score > s.score {
		s.score, s.plateau = score, 0
	}
	s.scored = true
}

// stop ends the run for a bound. Once stopped, a run stays stopped, for the
// first reason.
func (s *Session) stop(why string) Move {
	if !s.halted() {
		s.stopped = why
	}
	return s.move(Stall, s.stopped, nil, nil)
}

// halted reports whether the run is over: nothing more may be executed. A stall
// is not such an end: somebody may still help, under the gates.
func (s *Session) halted() bool {
	return s.stopped != "" && !strings.HasPrefix(s.stopped, "stall:")
}
