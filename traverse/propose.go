package traverse

import (
	"github.com/gbt-policy/gbt/tree"
)

// Propose answers what the executor proposes to do next with the macro to
// realise, or with the reason why there is none (requirements P1-P3). It ends
// the macro under way.
func (s *Session) Propose(pr Proposal) Move {
	m := s.propose(&pr)
	s.macro.told = true
	return m
}

func (s *Session) propose(pr *Proposal) Move {
	s.step = Step{}
	s.past.NextMacro() // whatever the answer is
	s.tries = nil      // and so are retries (V6)
	s.spend(pr.Used)
	s.scoreOf(pr.Score)
	if why := s.over(true); why != "" {
		return s.stop(why)
	}
	if s.halted() {
		return s.move(Stall, s.stopped, nil, nil)
	}
	s.closeMacro()
	s.nextStep() // whatever the answer is: words must not decide how long a run may last
	if s.stopped != "" {
		return s.move(Stall, s.stopped, nil, nil)
	}
	if s.p.arm != Raw && s.steps > 1 && (s.steps-1)%int64(s.params().RouteEvery) == 0 {
		s.reroute()
	}
	if s.p.arm == Raw {
		s.lose("not-routed")
		s.begin(Explore, -1, -1)
		return s.move(Explore, "not-routed", nil, nil)
	}
	if s.recovery.active() {
		if m, ok := s.nextRecovery(); ok {
			return m
		}
	}
	if m, ok := s.exhausted(); ok {
		return m
	}
	prop := s.proposal(pr)
	if why := s.stalled(pr, prop.Key); why != "" {
		if m, ok := s.stallOut(why); ok {
			return m
		}
	}
	if s.steer.lost() {
		s.begin(Explore, -1, -1)
		return s.move(Explore, "not-routed", nil, nil)
	}
	return s.match(&prop)
}

// proposal embeds the words of a proposal that names no call.
func (s *Session) proposal(pr *Proposal) tree.Proposal {
	out := tree.Proposal{Text: pr.Text}
	if pr.Action == nil && pr.Tool != "" {
		a := proposed(pr.Tool, pr.Args)
		pr.Action = &a
	}
	if pr.Action != nil && (counts(*pr.Action) || pr.Text == "") {
		out.Key, out.Kind = pr.Action.Key, pr.Action.Delta
		return out
	}
	out.Vec = s.p.enc.Embed(pr.Text)
	return out
}

// match ranks the children for a proposal and decides the regime (P1, P2).
func (s *Session) match(prop *tree.Proposal) Move {
	p := s.params()
	ms := s.p.view.Match(s.steer.offers(s.p), prop, p)
	verdict, reason := regime(&ms, prop, p)
	ambiguous := len(ms.Ranked) > 0 && verdict != Explore && ms.Margin < p.Ambiguous
	if ambiguous {
		s.stats.Ambiguous++
	}
	s.step.Ambiguous = ambiguous
	if verdict == Explore {
		return s.explore(reason, &ms)
	}
	best := ms.Ranked[0]
	if verdict == Advance {
		s.stats.Advance++
	} else {
		s.stats.Fragile++
	}
	if best.Via == tree.ViaGeneric {
		s.lose("generic")
	}
	s.begin(verdict, best.State, best.Node)
	if s.literal() {
		s.takeBoth(step{offered, best.Child})
	}
	return s.move(verdict, reason, &best.Child, &ms)
}

// explore lets the executor take a step that the policy does not know, within
// the episode's budget (P1).
func (s *Session) explore(reason string, ms *tree.Matches) Move {
	s.lose(reason)
	if s.explored++; s.explored > s.params().ExploreBudget {
		// A shadow session goes on past the budget; it stalls there once.
		if first := s.explored == s.params().ExploreBudget+1; first || !s.task.Shadow {
			if m, ok := s.stallOut("explore-budget"); ok {
				return m
			}
		}
	}
	s.stats.Explore++
	s.begin(Explore, -1, -1)
	return s.move(Explore, reason, nil, ms)
}

// regime decides on the best match (003 §F.1). A generic child stands for
// anything of its kind: following it is fragile at best.
func regime(ms *tree.Matches, prop *tree.Proposal, p *tree.Params) (Verdict, string) {
	if len(ms.Ranked) == 0 {
		return Explore, "no-children"
	}
	switch {
	case ms.Posterior < p.ThetaLow:
		if prop.Key != "" {
			return Explore, "unmatched"
		}
		return Explore, "below-theta-low"
	case ms.Ranked[0].Via == tree.ViaGeneric:
		return Fragile, "generic"
	case ms.Posterior < p.ThetaHigh:
		return Fragile, "below-theta-high"
	}
	return Advance, ""
}

// begin opens a macro.
func (s *Session) begin(v Verdict, state, node int32) {
	s.macro = macro{open: true, verdict: v, state: state, node: node, proposed: true}
	s.notes.begin()
}

// closeMacro ends the macro under way and judges its progress. Where the host
// reports no calls at all, the macro selected is taken for realised.
func (s *Session) closeMacro() {
	m := &s.macro
	if !m.open {
		return
	}
	silent := s.stats.Calls == 0 && s.stats.Blocked == 0 && m.checked == 0
	if m.proposed && m.state >= 0 {
		switch {
		case silent && m.verdict != Stall:
			s.realise()
		case m.realised:
			s.stats.Followed++
		default:
			s.stats.Deviated++
		}
	}
	s.progress()
	*m = macro{state: -1, node: -1}
}

// realise moves the steering walk to the selected macro on the executor's word.
// The walk that guards stays: nothing was executed.
func (s *Session) realise() {
	s.macro.realised, s.recovery.realised = true, true
	if s.literal() {
		return
	}
	s.steer.take(s.p, step{offered, tree.Child{State: s.macro.state, Node: s.macro.node}})
	s.visits = append(s.visits, s.macro.state)
}

// takeBoth moves both walks: in the reference profile the selected node is the
// place, and its gates are in force (G1).
func (s *Session) takeBoth(x step) {
	s.steer.take(s.p, x)
	s.visits = append(s.visits, x.child.State)
	s.guard = s.steer.clone()
}
