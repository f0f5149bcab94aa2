package traverse

import (
	"slices"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/tree"
)

// Observe takes note of a call that ran, or that was kept from running: what it
// read and wrote, what changed, and where in the tree it led. Its Env is what
// holds after the call; the call itself ran in the one that Check knew.
func (s *Session) Observe(c Call, r Result) {
	s.spend(c.Used)
	s.spend(r.Used)
	if !r.Blocked {
		s.executed(&c, &r)
	}
	if c.Env != nil {
		s.env = *c.Env
	}
}

// executed takes note of a call that ran.
func (s *Session) executed(c *Call, r *Result) {
	seen := s.read(c)
	if !s.past.Withdraw(seen.key) {
		s.stats.Unapproved++
	}
	s.stats.Calls++
	ctx, act := s.context(seen), seen.act
	if counts(act) {
		s.follow(act)
	}
	s.past.Ran(&ctx, c.Time)
	s.past.Returned(Name(ctx.ToolName()), c.Args, string(r.Output), r.Error)
	if r.Error == "" {
		s.past.Establish(&ctx, string(r.Output)) // an observed result, and nothing else (V1)
	}
	s.footprint[tree.EnvIndex("tool", c.Tool)]++
	if changed(act, r) {
		s.macro.changed, s.gained = true, true
	}
	if stale(act, &ctx, r) {
		s.changed++
	}
	s.showed(c, r, act)
	s.tried(r, act)
	s.notes.observed(&ctx, c, r)
}

// changed reports whether a call changed something, so that the run got on: what
// the host observed, else what its action does where it did not fail.
func changed(a call.Action, r *Result) bool {
	if r.Deltas != nil {
		return len(r.Deltas) > 0
	}
	return r.Error == "" && !a.ReadOnly()
}

// stale reports whether a call may have changed what the completion checks found:
// what the host observed, else whatever is no plain read. A call that failed
// counts too: it may have written before it failed.
func stale(a call.Action, ctx *gates.Context, r *Result) bool {
	if r.Deltas != nil {
		return len(r.Deltas) > 0
	}
	return mayChange(a, ctx)
}

// mayChange reports whether a call is anything but a plain read, by its action
// or by one of its effects. Every shell command starts a program: that alone
// changes nothing, nor does a connection.
func mayChange(a call.Action, ctx *gates.Context) bool {
	return !a.ReadOnly() || slices.ContainsFunc(ctx.Effects, func(e gates.Effect) bool {
		return e.Kind == effect.Opaque || e.Kind == effect.Write || e.Kind == effect.Delete || e.Kind == effect.Setting
	})
}

// follow moves the walks along an executed call.
func (s *Session) follow(a call.Action) {
	m := &s.macro
	if a.Key == m.key {
		m.calls++
		return // the macro goes on
	}
	if !m.proposed {
		s.unproposed()
	}
	m.open = true
	m.calls++
	m.key = a.Key
	s.footprint[tree.EnvIndex("delta", a.Delta.String())]++
	if m.state >= 0 && s.p.view.States[m.state].Action() == a.Key {
		m.realised = true
	}
	if s.literal() { // a proposal makes the guarding walk what the steering one is
		s.steer.enter(s.p, a)
		s.guard.enter(s.p, a)
		return
	}
	to := s.guard.toward(s.p, a)
	claimed := s.begins(a.Key, to)
	s.guard.take(s.p, to)
	s.guard.enter(s.p, a)
	if claimed {
		s.claimLate()
	}
	if to.rel != stays && to.rel != nowhere {
		s.moved++
		s.done = last(append(s.done, to.child.State), maxDone)
		s.reguard()
	}
	if !claimed {
		s.steerTo(a)
	}
}

// unproposed begins a macro that nobody proposed: the host only reports calls.
//
// After a proposal that was answered with a stall it goes on with the step, the
// history and the retries since then, as after any other proposal: the words of a
// proposal decide its answer, and must not decide what the gates see.
func (s *Session) unproposed() {
	told := s.macro.told
	s.closeMacro()
	if !told || !s.begun {
		s.nextStep()
	}
	s.begin(Explore, -1, -1)
	if !told {
		s.past.NextMacro()
		s.tries = nil
	}
	s.macro.proposed, s.macro.told = false, told
}

// steerTo moves the steering walk. On a recovery path only its own macros do.
func (s *Session) steerTo(a call.Action) {
	m := &s.macro
	if s.recovery.active() {
		if m.state >= 0 && s.p.view.States[m.state].Action() == a.Key && !s.recovery.realised {
			s.steer.take(s.p, step{offered, tree.Child{State: m.state, Node: m.node}})
			s.visits = append(s.visits, m.state)
			s.recovery.realised = true
		}
		return
	}
	to := s.steer.toward(s.p, a)
	if m.state >= 0 && m.realised && to.rel == stays && m.calls == 1 {
		// The tree has this macro after itself.
		to = step{offered, tree.Child{State: m.state, Node: m.node}}
	}
	s.steer.take(s.p, to)
	if to.rel != stays && to.rel != nowhere {
		s.visits = append(s.visits, to.child.State)
	}
	if to.rel == offered || to.rel == stays {
		return
	}
	if s.routed {
		s.lose(lostBy[to.rel])
	}
}

var lostBy = [...]string{nowhere: "unmatched", unknown: "generic", beside: "unmatched"}
