package traverse

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
)

// maxAdvice is how many conditions a brief tells beforehand.
const maxAdvice = 3

// advice is what successful runs had before calls of the macro to realise, of all strengths,
// but for what holds already whatever the call is about.
func (s *Session) advice(next *Macro) []string {
	if next == nil || s.macro.state < 0 {
		return nil
	}
	var out []string
	for _, c := range s.p.checker.Conditions.Before(s.p.view.States[s.macro.state].Action()) {
		done := slices.ContainsFunc(c.Needs, func(n gates.Need) bool {
			ok, _ := s.past.Established(&n, "")
			return ok
		})
		if len(out) < maxAdvice && !done {
			out = append(out, clip(c.NeedsString(), macroTokens))
		}
	}
	return out
}

// owed are the conditions that an end does not meet (requirement V5). A shadow session and
// an arm without gates stop nothing.
func (s *Session) owed() []*gates.Condition {
	if s.task.Shadow || !s.p.arm.gates() {
		return nil
	}
	return s.past.Owed(s.p.checker.Conditions)
}

// unmet are the findings of conditions that the end does not meet.
func (s *Session) unmet() (out []Finding) {
	for _, c := range s.owed() {
		out = append(out, s.finding("postcondition:"+c.Act, false, "postcondition-missing:"+c.Act))
	}
	return out
}

// establishing are the macros that establish what conditions lack: those of the family that
// the run is in first, and in words where no macro does.
func (s *Session) establishing(missing []*gates.Condition) (out []string) {
	for _, c := range missing {
		for _, n := range c.Needs {
			if n.Act == "" {
				continue
			}
			if x := s.macroFor(n.Act); !slices.Contains(out, x) && len(out) < maxInstead {
				out = append(out, x)
			}
		}
	}
	return out
}

// macroFor words the macro of an action.
func (s *Session) macroFor(act string) string {
	found := int32(-1)
	for i := range s.p.view.States {
		if x := &s.p.view.States[i]; x.Action() == act && !x.Generic && (found < 0 || x.Family == s.steer.pos.Family && s.p.view.States[found].Family != x.Family) {
			found = int32(i)
		}
	}
	if found < 0 {
		return clip(call.Phrase(act), bulletTokens)
	}
	return clip(s.p.view.States[found].Desc, bulletTokens)
}

// endFeedback tells the executor what an end lacks, the more exactly the fewer claims are
// left (requirement V6); empty where it lacks no fact.
func (s *Session) endFeedback(again bool) string {
	owed := s.owed()
	if len(owed) == 0 {
		return ""
	}
	why := "This is no end yet: revision_required. Missing " + clip(owed[0].String(), macroTokens) + "."
	by := s.establishing(owed)
	switch {
	case !again:
		return why + " No retry is left: the run ends as it stands."
	case s.refused == 1:
		return why + " Do that and finish again."
	case s.refused == maxRefusals-1:
		return why + " Do exactly this now, and nothing else: " + by[0] + "."
	}
	return why + " First do one of these steps: " + strings.Join(by, "; ") + "."
}
