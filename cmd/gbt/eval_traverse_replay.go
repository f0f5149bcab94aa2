package main

import (
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/evolve"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/segment"
	"github.com/gbt-policy/gbt/traverse"
	"github.com/gbt-policy/gbt/tree"
)

// arm is what the traverser made of a set of episodes, proposed in one way.
type arm struct {
	Proposals  int            `json:"proposals"`
	Covered    int            `json:"covered"` // episodes with covered = 1
	Lost       map[string]int `json:"lost"`    // episodes by why coverage was lost first
	Advance    int64          `json:"advance"`
	Fragile    int64          `json:"fragile"`
	Ambiguous  int64          `json:"ambiguous"`
	Explore    int64          `json:"explore"`
	Explored   int            `json:"explored_episodes"`
	Followed   int64          `json:"followed"` // macros selected that the episode then did
	Deviated   int64          `json:"deviated"`
	Stalls     int64          `json:"stalls"`
	Stalled    int            `json:"stalled_episodes"`
	StallWhy   map[string]int `json:"stall_reasons"`
	Recoveries int64          `json:"recoveries"` // stalls with a way to a success leaf
	WayMacros  int64          `json:"way_macros"` // macros of these ways
	WayUp      int64          `json:"way_up"`     // steps up before them
	Stopped    int            `json:"pack_stops"` // episodes that the governance pack ended
	Reroots    int64          `json:"reroots"`
}

// traverseFigures are one row of the table.
type traverseFigures struct {
	Episodes int `json:"episodes"`
	Steps    int `json:"steps"` // macros
	Routed   int `json:"routed"`
	Walk     int `json:"walk_covered"` // what gbt eval coverage counts as covered
	Calls    arm `json:"calls"`        // the macro's own call is proposed
	Words    arm `json:"words"`        // the agent's words are, where there are any
	// Differ counts the episodes in which Calls.Covered and Walk disagree, by why
	// the traverser lost coverage ("" where it did not).
	Differ map[string]int `json:"differ"`
	// LiteralIdle counts the episodes that K1's rule of three macros without a
	// change, taken literally, calls stalled.
	LiteralIdle int   `json:"literal_idle_episodes"`
	Checked     int64 `json:"checked"`
	Blocked     int64 `json:"blocked"` // calls the guardrail would not let pass
}

func newTraverseFigures() *traverseFigures {
	f := &traverseFigures{Differ: map[string]int{}}
	for _, a := range []*arm{&f.Calls, &f.Words} {
		a.Lost, a.StallWhy = map[string]int{}, map[string]int{}
	}
	return f
}

// replayer walks episodes through a policy in shadow sessions.
type replayer struct {
	p    *traverse.Policy
	view *tree.View
	enc  merge.Encoder
}

// replay adds one episode to a row.
func (r *replayer) replay(f *traverseFigures, h *distill.LeftOut) {
	art := r.p.Artifact()
	cov := merge.Cover(r.view, &art.Params, r.enc, h.Trace)
	f.Episodes++
	f.Steps += len(h.Trace.Macros)
	calls := r.session(&f.Calls, h, false)
	r.session(&f.Words, h, true)
	f.Checked += calls.Stats.Calls
	f.Blocked += calls.Stats.Blocked
	tally(&f.Routed, calls.Routed)
	tally(&f.Walk, cov.Full())
	if calls.Covered != cov.Full() {
		why := calls.Lost
		if why == "" {
			why = calls.Stopped
		}
		f.Differ[why]++
	}
	tally(&f.LiteralIdle, literalIdle(h.Trace))
}

func tally(n *int, yes bool) {
	if yes {
		*n++
	}
}

func literalIdle(t *merge.Trace) bool {
	idle := 0
	for i := range t.Macros {
		if idle++; t.Macros[i].Delta != effect.DeltaNone {
			idle = 0
		}
		if idle == 3 {
			return true
		}
	}
	return false
}

// session replays one episode: a proposal before each macro, then its calls.
func (r *replayer) session(a *arm, h *distill.LeftOut, byWords bool) traverse.Status {
	task := traverse.Task{ID: h.Episode.ID, Text: h.Trace.Task, Shadow: true}
	s := r.p.Start(task, traverse.Env{UID: -1, GID: -1, Tools: h.Trace.Offered})
	path := segment.Segment(h.Episode, r.profile())
	at := -1
	for j := range h.Episode.Steps {
		if m := path.Of[j]; m >= 0 && m != at {
			at = m
			a.propose(s.Propose(r.proposal(h, m, byWords)))
		}
		step := &h.Episode.Steps[j]
		c := traverse.Call{Tool: step.Tool, Args: []byte(step.Args)}
		if !byWords { // decisions do not depend on words; once is enough
			s.Check(c)
		}
		s.Observe(c, evolve.ResultOf(step))
	}
	st := s.Status()
	a.add(&st)
	return st
}

func (r *replayer) profile() segment.Profile {
	if r.p.Artifact().Params.Profile == tree.ReferenceProfile {
		return segment.Reference
	}
	return segment.Default
}

func (r *replayer) proposal(h *distill.LeftOut, macro int, byWords bool) traverse.Proposal {
	m := &h.Trace.Macros[macro]
	if byWords && m.Words != "" {
		return traverse.Proposal{Text: m.Words}
	}
	first := &h.Episode.Steps[m.From]
	return traverse.Proposal{Tool: first.Tool, Args: []byte(first.Args), Action: &call.Action{Key: m.Key, Delta: m.Does}}
}

// propose counts one answer. In a shadow session Would is the verdict.
func (a *arm) propose(m traverse.Move) {
	a.Proposals++
	if m.Step.Stall != "" {
		a.StallWhy[m.Step.Stall]++
	}
	if w := m.Step.Recovery; w != nil {
		a.WayMacros += int64(len(w.Macros))
		a.WayUp += int64(w.Up)
	}
}

func (a *arm) add(st *traverse.Status) {
	s := &st.Stats
	tally(&a.Covered, st.Covered && st.Stopped == "")
	if st.Lost != "" {
		a.Lost[st.Lost]++
	}
	a.Advance += s.Advance
	a.Fragile += s.Fragile
	a.Ambiguous += s.Ambiguous
	a.Explore += s.Explore
	a.Followed += s.Followed
	a.Deviated += s.Deviated
	a.Stalls += s.Stalls
	a.Recoveries += s.Recoveries
	a.Reroots += s.Reroots
	tally(&a.Explored, s.Explore > 0)
	tally(&a.Stalled, s.Stalls > 0)
	tally(&a.Stopped, st.Stopped != "")
}

// merge folds another row in.
func (f *traverseFigures) merge(o *traverseFigures) {
	f.Episodes += o.Episodes
	f.Steps += o.Steps
	f.Routed += o.Routed
	f.Walk += o.Walk
	f.LiteralIdle += o.LiteralIdle
	f.Checked += o.Checked
	f.Blocked += o.Blocked
	addAll(f.Differ, o.Differ)
	f.Calls.merge(&o.Calls)
	f.Words.merge(&o.Words)
}

func (a *arm) merge(o *arm) {
	a.Proposals += o.Proposals
	a.Covered += o.Covered
	a.Advance += o.Advance
	a.Fragile += o.Fragile
	a.Ambiguous += o.Ambiguous
	a.Explore += o.Explore
	a.Explored += o.Explored
	a.Followed += o.Followed
	a.Deviated += o.Deviated
	a.Stalls += o.Stalls
	a.Stalled += o.Stalled
	a.Recoveries += o.Recoveries
	a.WayMacros += o.WayMacros
	a.WayUp += o.WayUp
	a.Stopped += o.Stopped
	a.Reroots += o.Reroots
	addAll(a.Lost, o.Lost)
	addAll(a.StallWhy, o.StallWhy)
}

func addAll(into, from map[string]int) {
	for k, n := range from {
		into[k] += n
	}
}
