package traverse

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/action"
)

// Bounds on what a session keeps of calls that were checked and not yet
// observed. The oldest are dropped: such a call is asked for again.
const (
	maxApproved = 64
	maxAsked    = 16
)

// Answer is the verdict on a call before it runs.
type Answer struct {
	gates.Decision
	Context gates.Context // what was decided on
	ID      string        // stable name of the decision
	// Token confirms this very call, once, where the disposition asks for it.
	Token string
	// InMacro says that the call belongs to the macro selected, or to none.
	InMacro bool
	// Retry says how to go on where the call was stopped; nil where it was not.
	Retry *Retry
}

// Allowed reports whether the call may run now.
func (a *Answer) Allowed() bool { return a.Disposition == gates.Approved }

// asked is a confirmation that was offered.
type asked struct {
	Token     string `json:"token"`
	Call      string `json:"call"`
	Confirmed bool   `json:"confirmed,omitempty"`
}

// Check decides on a call before it runs (G1): by the guardrail, the global
// gates, and the gates of the node that the call leads to. That node follows
// from the calls executed so far and from this one, never from words.
func (s *Session) Check(c Call) Answer {
	s.arrive(&c)
	act := actionOf(c.Tool, c.Args)
	if why := s.over(s.enters(act)); why != "" && !s.halted() {
		s.stopped = why
	}
	a := s.decide(&c, act)
	call := hashCall(&c, &s.env)
	if a.Disposition == gates.ApprovedWithConstraints {
		s.consent(&a, call)
	}
	s.macro.checked++
	s.stall.checked(&a.Context, a.Disposition < gates.ApprovedWithConstraints)
	if !a.Allowed() {
		s.stats.Blocked++
		s.memory.blocked(&a)
	}
	if s.task.Shadow && !s.halted() {
		a.Disposition, a.Token = gates.Approved, ""
	}
	if a.Allowed() {
		s.approve(call)
		if mayChange(act, &a.Context) {
			s.changed++ // it may run from now on, whether or not anybody lives to tell
		}
	}
	return a
}

// approve lets a call run once, however often it was asked for before it ran.
func (s *Session) approve(call string) {
	s.withdraw(call)
	s.approved = last(append(s.approved, call), maxApproved)
}

// withdraw ends every approval of a call, and says whether there was one. Sessions
// stored by older versions may hold several.
func (s *Session) withdraw(call string) bool {
	n := len(s.approved)
	s.approved = slices.DeleteFunc(s.approved, func(x string) bool { return x == call })
	return len(s.approved) < n
}

// arrive takes over what a call says about its surroundings.
func (s *Session) arrive(c *Call) {
	s.spend(c.Used)
	if c.Env != nil {
		s.env = *c.Env
	}
}

// enters reports whether a call begins a step: a macro that nothing was proposed
// for. The step of a proposal goes on until the next one or Finish, whatever the
// answer was.
func (s *Session) enters(a action.Action) bool {
	return counts(a) && !(s.macro.told && s.begun) && a.Key != s.macro.key
}

func (s *Session) decide(c *Call, act action.Action) Answer {
	a := Answer{Context: s.context(c)}
	node := s.guard.gates
	if counts(act) && !s.literal() {
		node = s.guard.gatesAt(s.p, s.guard.toward(s.p, act))
	}
	a.Decision = s.p.checker.Check(&a.Context, node)
	if s.halted() {
		a.Disposition, a.Would = gates.Rejected, gates.Rejected
		a.Reasons = append(a.Reasons, gates.Reason{Rule: s.stopped, Effect: -1, Message: "The run is over: " + s.stopped + "."})
	}
	s.retry(&a, act)
	a.ID = a.Decision.ID(&a.Context, s.p.digest)
	a.InMacro = !counts(act) || s.macro.state < 0 || s.p.view.States[s.macro.state].Action() == act.Key
	return a
}

// context builds the structured context of a call.
func (s *Session) context(c *Call) gates.Context {
	roots := s.env.Roots
	if len(roots) == 0 {
		roots = s.p.art.Guardrail.Roots
	}
	return s.p.checker.Context(
		gates.Call{Tool: c.Tool, Args: c.Args, Sources: &s.index, Hints: c.Hints},
		gates.State{Cwd: s.env.Cwd, Home: s.env.Home, Roots: roots, Links: s.env.Links, UID: s.env.UID, GID: s.env.GID,
			History: s.history, Flow: s.flow})
}

// consent lets a confirmed call pass, once, or offers a confirmation of exactly
// this call (V4).
func (s *Session) consent(a *Answer, call string) {
	for i := range s.asked {
		if x := &s.asked[i]; x.Call == call {
			if !x.Confirmed {
				a.Token = x.Token
				return
			}
			s.asked = slices.Delete(s.asked, i, i+1)
			a.Disposition, a.Would = gates.Approved, gates.Approved
			return
		}
	}
	s.tokens++
	sum := sha256.Sum256([]byte("gbt confirmation 1\x00" + s.task.ID + "\x00" + strconv.FormatInt(s.tokens, 10) + "\x00" + call))
	a.Token = hex.EncodeToString(sum[:16])
	s.asked = last(append(s.asked, asked{Token: a.Token, Call: call}), maxAsked)
}

// Confirm records that the user agreed to the call a token was given for. The
// host then checks that call again: exactly that call passes, once, unless
// something stricter than consent has come up meanwhile. ok is false for a
// token that is unknown or used up.
func (s *Session) Confirm(token string) (ok bool) {
	for i := range s.asked {
		if x := &s.asked[i]; x.Token == token && !x.Confirmed {
			x.Confirmed = true
			return true
		}
	}
	return false
}

// Refuse withdraws a confirmation that was asked for.
func (s *Session) Refuse(token string) {
	s.asked = slices.DeleteFunc(s.asked, func(x asked) bool { return x.Token == token })
}

// hashCall names a call to the byte, with what it runs in.
func hashCall(c *Call, env *Env) string {
	place, err := json.Marshal(env)
	if err != nil {
		panic("gbt: internal error: environment: " + err.Error())
	}
	h := sha256.New()
	for _, part := range [][]byte{[]byte(c.Tool), c.Args, place} {
		h.Write([]byte(strconv.Itoa(len(part)) + ":"))
		h.Write(part)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// last keeps the last n of a list.
func last[T any](list []T, n int) []T {
	if len(list) > n {
		list = slices.Clone(list[len(list)-n:])
	}
	return list
}
