package traverse

import "strings"

// Defaults of the first stop layer (requirement B1).
const (
	defaultWall    = 1800
	defaultSteps   = 50
	defaultPlateau = 8
)

// packPrefix begins the reasons of the second stop layer, and no others (B3).
const packPrefix = "pack:budget-"

// over says which stop layer ends the run, and by which bound: the first layer
// in its order (B1), then the governance pack (B2). Bounds on steps count where
// a new one would begin.
func (s *Session) over(newStep bool) string {
	if why := s.limits(newStep); why != "" {
		return why
	}
	pack := s.p.art.Pack
	switch {
	case newStep && s.steps >= pack.Steps():
		return packPrefix + "steps"
	case s.used.Seconds > pack.WallSeconds():
		return packPrefix + "wall-seconds"
	case s.used.Tokens > pack.Tokens():
		return packPrefix + "tokens"
	}
	return ""
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
