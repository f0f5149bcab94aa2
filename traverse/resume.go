package traverse

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/gbt-policy/gbt/tree"
)

// Resume decodes a session that MarshalBinary encoded. Under the same policy it
// goes on as if nothing had happened. Under another one it obeys that policy
// from now on: its place is found again by the keys of the macros realised, and
// it is no longer covered.
func (p *Policy) Resume(data []byte) (*Session, error) {
	var w wire
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&w); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSession, err)
	}
	if w.Version != wireVersion {
		return nil, fmt.Errorf("%w: version %d, this program reads %d", ErrSession, w.Version, wireVersion)
	}
	s, err := p.session(&w)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSession, err)
	}
	if w.Policy != p.digest {
		s.transfer(&w)
		return s, nil
	}
	if err := s.place(&w); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSession, err)
	}
	if again, err := s.MarshalBinary(); err != nil || !bytes.Equal(again, data) {
		return nil, fmt.Errorf("%w: it does not encode back to the same bytes", ErrSession)
	}
	return s, nil
}

// session takes over what no policy is needed for.
func (p *Policy) session(w *wire) (*Session, error) {
	m := &w.Macro
	s := &Session{
		p: p, task: w.Task, env: w.Env, vec: p.enc.Embed(tree.TaskWords(w.Task.Text)), shown: clip(w.Task.Text, taskTokens),
		routed: w.Routed, abstained: w.Abstained, late: w.Late, first: w.First, steps: w.Steps, used: w.Used,
		score: w.Score, scored: w.Scored, plateau: w.Plateau, begun: w.Begun, gained: w.Gained, stopped: w.Stopped, lost: w.Lost, lostAt: w.LostAt,
		macro:     macro{m.Open, Verdict(m.Verdict), -1, -1, m.Key, m.Checked, m.Calls, m.Changed, m.Realised, m.Proposed, m.Told},
		footprint: w.Footprint, explored: w.Explored,
		tries: w.Tries, moved: w.Moved, checks: w.Checks, proofs: w.Proofs, falls: w.Falls, unseen: w.Unseen, changed: w.Changed, refused: w.Refused, notes: w.Notes, stats: w.Stats,
	}
	s.stall.idle, s.stall.proposals, s.stall.window = w.Idle, w.Proposals, w.Window
	if w.Steps < 0 || w.Used.Seconds < 0 || w.Used.Tokens < 0 || m.Verdict > uint8(Advance) {
		return nil, errors.New("a counter is out of range")
	}
	if !slices.EqualFunc(w.Checks, w.Task.Checks, func(a checkState, b Check) bool { return a.ID == b.ID }) {
		return nil, errors.New("its checks are not those of its task")
	}
	s.uncovered, s.past.Observes = s.audited(), true
	return s, s.past.UnmarshalBinary(w.Past)
}

// place takes over the places in the tree, under the same policy.
func (s *Session) place(w *wire) error {
	if !(within{s.p.view}).all(w) {
		return errors.New("a place is not in the tree")
	}
	s.steer, s.guard = placed(&w.Steer), placed(&w.Guard)
	s.visits, s.stall.reads, s.done = indexes(w.Visits), indexes(w.Reads), indexes(w.Done)
	s.left, s.gone = w.Left, w.Gone
	s.macro.state, s.macro.node = w.Macro.State.State, w.Macro.Node
	r := &w.Recovery
	s.recovery = recovery{r.Why, r.Nodes, r.At, r.Tries, r.Realised}
	return nil
}

func placed(x *wireWalk) walk {
	pos := tree.Pos{Family: x.Family, Node: x.Node, Open: x.Open, Spine: indexes(x.Spine)}
	return walk{pos: pos, nodes: x.Nodes, gates: x.Gates, held: x.Held}
}

func indexes(list []ref) (out []int32) {
	for _, r := range list {
		out = append(out, r.State)
	}
	return out
}

// within says whether stored places lie in a tree. Every method takes the least
// index that may stand there: -1 where none is allowed.
type within struct{ v *tree.View }

func (in within) all(w *wire) bool {
	r, m := &w.Recovery, &w.Macro
	return in.walk(&w.Steer) && in.walk(&w.Guard) &&
		in.states(w.Visits, 0) && in.states(w.Reads, -1) && in.states(w.Done, 0) &&
		in.families(w.Left, 0) && in.families(w.Gone, 0) &&
		in.states([]ref{m.State}, -1) && in.nodes([]int32{m.Node}, -1) &&
		in.nodes(r.Nodes, tree.Root+1) && r.At >= -1 && r.At <= len(r.Nodes)
}

// walk says whether a walk is in no family and has no spine, or has a spine of
// states of its own family with a node for each.
func (in within) walk(x *wireWalk) bool {
	for _, c := range x.Open {
		if !in.families([]int32{c.Family}, 0) {
			return false
		}
	}
	if !in.families([]int32{x.Family}, -1) || !in.nodes([]int32{x.Node}, -1) || !in.nodes(x.Nodes, -1) || !in.states(x.Spine, 0) {
		return false
	}
	if len(x.Nodes) != len(x.Spine) || (x.Family >= 0) != (len(x.Spine) > 0) {
		return false
	}
	return !slices.ContainsFunc(x.Spine, func(r ref) bool { return in.v.States[r.State].Family != x.Family })
}

func (in within) states(list []ref, least int32) bool {
	return inRange(indexes(list), least, len(in.v.States))
}

func (in within) nodes(list []int32, least int32) bool {
	return inRange(list, least, len(in.v.Nodes))
}

func (in within) families(list []int32, least int32) bool {
	return inRange(list, least, len(in.v.Families))
}

func inRange(list []int32, least int32, end int) bool {
	return !slices.ContainsFunc(list, func(i int32) bool { return i < least || int(i) >= end })
}

// transfer finds the places again under another policy, and drops what is not
// in it any more. Gates that were in force stay in force where they still are. The
// run is never covered again, and once it has begun no macro is its first. What the
// user agreed to under the other policy is void.
func (s *Session) transfer(w *wire) {
	s.past.Revoke()
	s.proofs, s.unseen = nil, s.unseen || s.stats.Calls > 0 // its checks are others
	s.lost, s.lostAt = "policy-changed", s.steps
	s.macro.state, s.macro.node = -1, -1
	s.macro.realised = true // whatever was selected is over
	s.macro.proposed = false
	s.stall.proposals = nil // what was proposed to the other policy is no loop when it is proposed to this one
	s.steer, s.guard = s.replay(&w.Steer), s.replay(&w.Guard)
	r := s.route()
	switch {
	case s.abstained == tree.AbstainSteps:
		r.Abstain = s.abstained // what it began with is not kept
	case r.Late && s.first.Claims() && !s.steer.lost():
		r.Abstain = "" // nor is it asked again
	}
	if s.steer.lost() || r.Abstain != "" { // the family is gone, or the task no longer claimed: route anew
		s.claim(&r)
	}
	if s.stats.Calls > 0 || len(w.Visits) > 0 {
		s.late = false
	}
	if s.guard.lost() {
		held := s.guard.held
		s.guard.start(s.p, &r)
		s.guard.held, s.guard.gates = held, union(s.guard.gates, held)
	}
	s.steer.held = s.guard.held // in the reference profile the guarding walk follows it
	s.visits, s.done = s.found(w.Visits), s.found(w.Done)
}

// found are the states of a stored list that the policy still has.
func (s *Session) found(list []ref) (out []int32) {
	for _, r := range list {
		if f, ok := s.p.family(r.Family); ok {
			if x, ok := s.p.view.FindState(f, r.Key); ok {
				out = append(out, x)
			}
		}
	}
	return out
}

// replay walks a stored spine by its keys.
func (s *Session) replay(x *wireWalk) walk {
	out := walk{pos: tree.Pos{Family: -1, Node: -1}, gates: x.Gates, held: x.Gates}
	f, ok := s.p.family(x.Name)
	if !ok {
		return out
	}
	out.startAt(s.p, f)
	for _, r := range x.Spine[min(1, len(x.Spine)):] {
		state, ok := s.p.view.FindState(f, r.Key)
		if !ok {
			continue
		}
		c := tree.Child{State: state, Node: -1}
		if i := slices.IndexFunc(out.offers(s.p), func(c tree.Child) bool { return c.State == state }); i >= 0 {
			c = out.children[i]
		}
		out.take(s.p, step{offered, c})
	}
	return out
}

func (p *Policy) family(name string) (int32, bool) {
	i := slices.IndexFunc(p.view.Families, func(f tree.Family) bool { return f.Name == name && name != "" })
	return int32(i), i >= 0
}
