package traverse

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/tree"
)

// maxRetries is how often a call that was stopped may be tried again in another
// form (requirement V6; 002 §4.4 has three and then lets the call run).
const maxRetries = 3

// maxKinds bounds the kinds that are counted at one time. The oldest is forgotten:
// its calls are decided by the gates again.
const maxKinds = 64

// ruleRetries is the reason of a call that is not decided any more.
const ruleRetries = "retries/exhausted"

// tries counts the stopped calls of one kind in the macro under way, since one of
// that kind was approved.
type tries struct {
	Kind    string `json:"kind"`
	Stopped int    `json:"stopped"`
}

// Retry says how to go on after a call that was stopped.
type Retry struct {
	// Left is how often a call of this kind may be tried again in this macro. At 0
	// every one is rejected, whatever it is, until the next macro begins.
	Left int
	// Feedback is for the executor. It becomes more directive with every retry: why,
	// then which macros may establish what is missing, then the one thing to do.
	Feedback string
}

// retry counts a stopped call and says what to do instead. Past the last retry it
// rejects: a call that was not revised in time does not run, even in a form that
// would have been asked about or approved. It looks at what calls do, and never
// at a word; a shadow session stops nothing, so nobody there tries again.
func (s *Session) retry(a *Answer, act call.Action) {
	stopped := a.Disposition < gates.ApprovedWithConstraints
	if s.task.Shadow || s.halted() || !stopped && len(s.tries) == 0 {
		return
	}
	i := slices.IndexFunc(s.tries, func(x tries) bool { return x.Stopped > maxRetries && isOf(a, act, x.Kind) })
	switch {
	case i >= 0:
		a.Disposition, a.Would = gates.Rejected, gates.Rejected
		a.Reasons = append(a.Reasons, gates.Reason{Rule: ruleRetries, Disposition: gates.Rejected, Effect: -1,
			Message: "Calls of this kind were stopped " + itoa(s.tries[i].Stopped) + " times in this step and no retry is left: none runs before the next step begins."})
	case a.Allowed():
		s.tries = slices.DeleteFunc(s.tries, func(x tries) bool { return isOf(a, act, x.Kind) })
		return
	case !stopped:
		return
	default:
		i = s.count(stoppedFor(a, act))
	}
	left := max(0, maxRetries+1-s.tries[i].Stopped)
	a.Retry = &Retry{Left: left, Feedback: s.feedback(a, act, left)}
}

// count notes one more stopped call of a kind and returns its place.
func (s *Session) count(kind string) int {
	i := slices.IndexFunc(s.tries, func(x tries) bool { return x.Kind == kind })
	if i < 0 {
		s.tries = last(append(s.tries, tries{Kind: kind}), maxKinds)
		i = len(s.tries) - 1
	}
	s.tries[i].Stopped++
	return i
}

// stoppedFor is the kind of a stopped call: its tool family, and the effect that
// the first deciding reason is about, or else its first high-risk one, or else its
// action.
func stoppedFor(a *Answer, act call.Action) string {
	for _, r := range a.Reasons {
		if r.Disposition == a.Disposition && r.Effect >= 0 && r.Effect < len(a.Effects) {
			return kindOf(a, &a.Effects[r.Effect])
		}
	}
	for i := range a.Effects {
		if e := &a.Effects[i]; e.High() && e.Kind != effect.Spawn {
			return kindOf(a, e)
		}
	}
	return a.Context.Class.Family.String() + "/" + act.Key
}

// isOf says whether a call is of a kind, by a high-risk effect or by its action.
// Other actions without such an effect, as a plain read, always remain to begin
// the next macro with.
func isOf(a *Answer, act call.Action, of string) bool {
	for i := range a.Effects {
		if e := &a.Effects[i]; e.High() && kindOf(a, e) == of {
			return true
		}
	}
	return a.Context.Class.Family.String()+"/"+act.Key == of
}

// kindOf names a family of calls and a kind of effect. Every shell command starts a
// program, so for those the program is part of it.
func kindOf(a *Answer, e *gates.Effect) string {
	k := a.Context.Class.Family.String() + "/" + e.Kind.String()
	if e.Kind == effect.Spawn {
		k += ":" + Name(e.Program)
	}
	return k
}

// feedback tells the executor why a call was stopped and, the fewer retries are
// left, the more exactly what to do instead.
func (s *Session) feedback(a *Answer, act call.Action, left int) string {
	var w strings.Builder
	w.WriteString("This call was stopped: " + a.Disposition.String() + ".")
	for _, r := range a.Reasons {
		if r.Disposition == a.Disposition {
			w.WriteString(" " + clip(r.Message, macroTokens))
			break
		}
	}
	if left == 0 {
		return w.String() + " No retry is left: do not make this call again. It does not run."
	}
	instead := s.establishing(a.Missing)
	if len(instead) == 0 {
		instead = s.instead(act)
	}
	switch {
	case left == maxRetries:
		w.WriteString(" Revise the call.")
	case len(instead) == 0:
		w.WriteString(" Do something else; the same call in other words is stopped again.")
	case left == 1:
		w.WriteString(" Do exactly this now, and nothing else: " + instead[0] + ".")
	default:
		w.WriteString(" First establish what is missing, by one of these steps: " + strings.Join(instead, "; ") + ".")
	}
	return w.String() + " Retries left: " + strconv.Itoa(left) + "."
}

// maxInstead is how many macros a feedback names.
const maxInstead = 3

// instead are the macros that may be realised in place of a stopped call: the one
// selected, else those offered, likeliest first, without the call's own.
func (s *Session) instead(act call.Action) []string {
	if m := s.macro.state; m >= 0 && s.p.view.States[m].Action() != act.Key {
		return []string{clip(s.p.view.States[m].Desc, bulletTokens)}
	}
	var out []string
	for _, m := range s.Offers() {
		if m.Key != act.Key && len(out) < maxInstead {
			out = append(out, clip(m.Desc, bulletTokens))
		}
	}
	return out
}

// Offers are the macros that the policy has at the place where proposals are
// matched, likeliest first. It is what an executor can choose from that has no
// idea of its own; to propose the Desc of one is to choose it.
func (s *Session) Offers() []Macro {
	list := slices.DeleteFunc(slices.Clone(s.steer.offers(s.p)), func(c tree.Child) bool { return s.p.view.States[c.State].Generic })
	sort.SliceStable(list, func(i, j int) bool { return list[j].Likelihood() < list[i].Likelihood() })
	var out []Macro
	for i := range list {
		out = append(out, *s.p.macroOf(list[i].State))
	}
	return out
}
