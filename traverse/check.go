package traverse

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/scope"
)

// Answer is the verdict on a call before it runs.
type Answer struct {
	gates.Decision
	Context gates.Context // what was decided on
	ID      string        // stable name of the decision
	// Token confirms this very call, once, where the disposition asks for it.
	Token string
	// Consent is the token of the confirmation that let the call pass; empty where
	// none was needed.
	Consent string
	// InMacro says that the call belongs to the macro selected, or to none.
	InMacro bool
	// Retry says how to go on where the call was stopped; nil where it was not.
	Retry *Retry
}

// Allowed reports whether the call may run now.
func (a *Answer) Allowed() bool { return a.Disposition == gates.Approved }

// Check decides on a call before it runs (G1): by the guardrail, the global
// gates, and the gates of the node that the call leads to. That node follows
// from the calls executed so far and from this one, never from words.
func (s *Session) Check(c Call) Answer {
	s.arrive(&c)
	r := s.read(&c)
	if why := s.over(s.enters(r.act)); why != "" && !s.halted() {
		s.stopped = why
	}
	a := s.decide(r)
	switch a.Disposition {
	case gates.ApprovedWithConstraints:
		s.consent(&a, r.key)
	case gates.Approved:
		a.Consent = s.past.SpendToken(r.key) // it was for this call, which passes without it by now
	}
	s.macro.checked++
	s.stall.checked(&a.Context, a.Disposition < gates.ApprovedWithConstraints)
	if !a.Allowed() {
		s.stats.Blocked++
		s.notes.blocked(&a)
	}
	if s.task.Shadow && !s.halted() {
		a.Observe(&a.Context)
		a.Token = ""
	}
	if a.Allowed() {
		s.past.Approve(r.key)
		if mayChange(r.act, &a.Context) {
			s.changed++ // it may run from now on, whether or not anybody lives to tell
		}
	}
	return a
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
func (s *Session) enters(a call.Action) bool {
	return counts(a) && !(s.macro.told && s.begun) && a.Key != s.macro.key
}

func (s *Session) decide(r *reading) Answer {
	if !s.p.arm.gates() {
		return s.unasked(r)
	}
	a := s.judged(r)
	s.retry(&a, r.act)
	s.stopSpent(&a, r.act)
	a.ID = a.Decision.ID(&a.Context, s.p.digest)
	a.InMacro = !counts(r.act) || s.macro.state < 0 || s.p.view.States[s.macro.state].Action() == r.act.Key
	return a
}

// judged is the decision of the gates and of the task's constraints on a call. It changes
// nothing of the session.
func (s *Session) judged(r *reading) Answer {
	a, act := Answer{Context: s.context(r)}, r.act
	node := s.guard.gates
	if counts(act) {
		if !s.literal() {
			node = s.guard.gatesAt(s.p, s.guard.toward(s.p, act))
		}
		node = union(node, s.p.homes[act.Key])
	}
	a.Decision = s.p.checker.Check(&a.Context, s.guard.asked(s.p, node))
	s.constrain(&a)
	if s.halted() {
		a.Disposition, a.Would = gates.Rejected, gates.Rejected
		a.Reasons = append(a.Reasons, gates.Reason{Rule: s.stopped, Effect: -1, Message: "The run is over: " + s.stopped + "."})
	}
	return a
}

// consent lets a confirmed call pass, once, or offers a confirmation of exactly
// this call (V4).
func (s *Session) consent(a *Answer, key string) {
	if a.Consent = s.past.SpendToken(key); a.Consent != "" {
		a.Disposition, a.Would = gates.Approved, gates.Approved
		return
	}
	a.Token = s.past.Ask(key, func(n int64) string {
		sum := sha256.Sum256([]byte("gbt confirmation 1\x00" + s.task.ID + "\x00" + strconv.FormatInt(n, 10) + "\x00" + key))
		return hex.EncodeToString(sum[:16])
	})
	var what scope.Scope
	what, a.Offer = scope.Offer(&a.Context, &a.Decision)
	s.past.Offer(a.Token, what)
}

// Confirm records that the user agreed to the call a token was given for. The
// host then checks that call again: exactly that call passes, once, unless
// something stricter than consent has come up meanwhile. ok is false for a
// token that is unknown or used up.
func (s *Session) Confirm(token string) (ok bool) { return s.past.Confirm(token) }

// ConfirmSession is Confirm for as long as the session lasts: what the answer offered
// (Decision.Offer) is not asked about again. ok is also false where nothing was offered,
// or no longer is; then nothing is confirmed.
func (s *Session) ConfirmSession(token string) (ok bool) { return s.past.ConfirmSession(token) }

// Refuse withdraws a confirmation that was asked for.
func (s *Session) Refuse(token string) { s.past.Refuse(token) }

// last keeps the last n of a list.
func last[T any](list []T, n int) []T {
	if len(list) > n {
		list = slices.Clone(list[len(list)-n:])
	}
	return list
}
