package traverse

import (
	"slices"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/tree"
)

// walk is a place in the tree with the explicit nodes and the gates along its
// spine. A session has two: one that steers, and one that guards, which only
// executed calls move, so that no word ever changes which gates are asked (C5).
type walk struct {
	pos   tree.Pos
	nodes []int32  // the explicit node of each entry of pos.Spine, -1 for a lazily made one
	gates []string // node-local gates in force, sorted
	held  []string // of these, the ones that stay whatever comes: a re-root moves the anchor only (R2)

	children []tree.Child // offered at pos; nil if not worked out yet
	next     seen         // the last answer of toward
}

// seen remembers one answer of toward, for the calls of one macro.
type seen struct {
	valid bool
	act   call.Action
	step  step
}

// How an action relates to a place.
type relation uint8

const (
	nowhere relation = iota // the family does not know it: the walk stays
	stays                   // it continues the macro the walk is in
	unknown                 // only a generic child stands for it
	beside                  // the family knows it, but not from here
	offered                 // it leads to a child that is offered
)

// step is where an action leads from a place.
type step struct {
	rel   relation
	child tree.Child
}

func (w *walk) start(p *Policy, r *tree.Route) {
	*w = walk{pos: p.view.Start(r)}
	w.pos.Open = slices.Clone(w.pos.Open)
	w.settled(p)
}

// startAt puts the walk at the root of a family and keeps its gates for good.
func (w *walk) startAt(p *Policy, family int32) {
	*w = walk{pos: p.view.StartAt(family), gates: w.gates, held: w.gates}
	w.settled(p)
}

// settled fills in what belongs to a walk that was put at a family's root.
func (w *walk) settled(p *Policy) {
	if w.pos.Family < 0 {
		return
	}
	w.nodes = []int32{w.pos.Node}
	w.gates = w.gatesOf(p, w.pos.State(), w.pos.Node)
}

// lost says that the walk has no family: the router abstained.
func (w *walk) lost() bool { return w.pos.Family < 0 && len(w.pos.Open) == 0 }

// offers returns the children of the place.
func (w *walk) offers(p *Policy) []tree.Child {
	if w.children == nil && !w.lost() {
		w.children = p.view.Children(&w.pos, &p.art.Params)
	}
	return w.children
}

// toward finds where an action leads: to the state with its key, in the
// likeliest family that has it, among the children offered; else to that state
// wherever else the family has it; else to the generic child with its change.
func (w *walk) toward(p *Policy, a call.Action) step {
	if w.next.valid && w.next.act == a {
		return w.next.step
	}
	s := w.find(p, a)
	w.next = seen{valid: true, act: a, step: s}
	return s
}

func (w *walk) find(p *Policy, a call.Action) step {
	if w.lost() {
		return step{}
	}
	if s := w.pos.State(); s >= 0 && p.view.States[s].Action() == a.Key {
		return step{rel: stays, child: tree.Child{State: s, Node: w.pos.Node}}
	}
	best := step{}
	for _, c := range w.offers(p) {
		s := &p.view.States[c.State]
		switch {
		case !s.Generic && s.Action() == a.Key:
			if best.rel != offered || c.Likelihood() > best.child.Likelihood() {
				best = step{offered, c}
			}
		case s.Generic && s.Delta == a.Delta && best.rel != offered:
			if best.rel != unknown || c.Likelihood() > best.child.Likelihood() {
				best = step{unknown, c}
			}
		}
	}
	if best.rel != offered {
		if s, ok := p.view.FindState(w.family(), a.Key); ok && !p.view.States[s].Generic {
			return step{beside, tree.Child{State: s, Node: -1}}
		}
	}
	return best
}

// family is the family of the place, the likeliest while several are open.
func (w *walk) family() int32 {
	if w.pos.Family < 0 && len(w.pos.Open) > 0 {
		return w.pos.Open[0].Family
	}
	return w.pos.Family
}

// gatesAt returns the gates in force for a call that a step leads to.
func (w *walk) gatesAt(p *Policy, s step) []string {
	if s.rel == stays || s.rel == nowhere {
		return w.gates
	}
	return w.gatesOf(p, s.child.State, s.child.Node)
}

// gatesOf returns the gates of a node below the place: its own, or for one made
// lazily its parent's (S4, decision 9), and in the default profile those that any
// node of the same action has of its own, so that a twin is no way around one.
func (w *walk) gatesOf(p *Policy, state, node int32) []string {
	out := w.gates
	if node >= 0 {
		out = union(p.view.Nodes[node].Gates, w.held)
	}
	if p.art.Params.Profile != tree.ReferenceProfile {
		out = union(out, p.local[state])
	}
	return out
}

// take moves the walk along a step.
func (w *walk) take(p *Policy, s step) {
	if s.rel == stays || s.rel == nowhere {
		return
	}
	if w.pos.Family < 0 {
		w.startAt(p, p.view.States[s.child.State].Family)
	}
	gates := w.gatesAt(p, s)
	p.view.Step(&w.pos, s.child)
	w.nodes = append(w.nodes, s.child.Node)
	w.moved(gates)
}

// back returns the walk to an entry of its spine, at one of that state's nodes.
func (w *walk) back(p *Policy, at int, node int32) {
	w.pos.Spine, w.nodes = w.pos.Spine[:at+1], w.nodes[:at+1]
	w.pos.Node, w.nodes[at] = node, node
	w.moved(w.gatesOf(p, w.pos.State(), node))
}

func (w *walk) moved(gates []string) {
	w.gates, w.children, w.next = gates, nil, seen{}
}

// enter keeps the gates of the subtrees that an executed action begins, whether or
// not the tree has a node for it: all that comes after is below them.
func (w *walk) enter(p *Policy, a call.Action) {
	if begun := p.homes[a.Key]; !contains(w.held, begun) {
		w.gates, w.held = union(w.gates, begun), union(w.held, begun)
	}
}

// asked returns the gates that a call is checked by, of those in force there. A
// walk without a family is nowhere: the gates of all subtrees are asked. The list
// is not nil, which would say the same of a known place (gates.Checker.Check).
func (w *walk) asked(p *Policy, gates []string) []string {
	if w.lost() {
		gates = union(gates, p.below)
	}
	if gates == nil {
		gates = []string{}
	}
	return gates
}

func (w *walk) clone() walk {
	out := *w
	out.pos.Spine, out.pos.Open, out.nodes = slices.Clone(w.pos.Spine), slices.Clone(w.pos.Open), slices.Clone(w.nodes)
	return out
}
