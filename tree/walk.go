package tree

import (
	"cmp"
	"slices"
	"sort"

	"github.com/gbt-policy/gbt/gates/effect"
)

// Pos is a place in a policy: the states visited so far, and the explicit node
// they lead to. Off the explicit tree Node is -1 and the spine alone says where
// the walk is. Before the first macro several families may be open; then Family
// is -1 and the spine is empty. A Pos belongs to one caller.
type Pos struct {
	Family int32
	Node   int32       // -1 once the walk has left the nodes seen in training
	Spine  []int32     // states from the family's start state on
	Open   []Candidate // families that the first macro decides between
}

// StartAt returns the position at the root of a family.
func (t *View) StartAt(family int32) Pos {
	f := &t.Families[family]
	return Pos{Family: family, Node: f.Node, Spine: []int32{f.Start}}
}

// Start returns the position of a routed task.
func (t *View) Start(r *Route) Pos {
	if len(r.Open) == 1 {
		return t.StartAt(r.Open[0].Family)
	}
	return Pos{Family: -1, Node: -1, Open: r.Open}
}

// State returns the state the walk is in, -1 before the family is known.
func (p *Pos) State() int32 {
	if len(p.Spine) == 0 {
		return -1
	}
	return p.Spine[len(p.Spine)-1]
}

// Via says why a child is offered.
type Via uint8

// The reasons, from strongest to weakest.
const (
	ViaNode    Via = iota // a child node on a successful path with this prefix
	ViaState              // a successor of the state, seen after another prefix
	ViaCarried            // a successor of an earlier state: only reads since then
	ViaFamily             // common in the family, where the state's own successors are little known
	ViaGeneric            // a generic child, the last resort; always fragile
)

// Child is one macro offered at a position.
type Child struct {
	State int32
	Node  int32 // the explicit node, -1 for a child that would be made lazily
	Via   Via
	Count Count // evidence: training tasks that took this step, and how the episodes that did ended
	P     Milli // probability of its family; 1000 once that is known
	Share Milli // its share of the evidence among the children of its family here
}

// Likelihood is the probability of the child's family times how often that
// family takes this step here: what tells two families apart that share it.
func (c *Child) Likelihood() int64 { return int64(c.P) * int64(c.Share) }

// Children returns the macros offered at a position, by state index.
//
// In the reference profile these are the node's own children. In the default
// profile they are also the successors that other nodes of the same state had
// (decision 8), and those of earlier states while every macro since then has
// only read: what changes nothing leaves the earlier choices open. Carried
// successors come in order of evidence until the share of the family's
// vocabulary that p allows is offered. Generic children come last.
//
// While several families are open these are the first macros of all of them.
func (t *View) Children(pos *Pos, p *Params) []Child {
	if pos.Family >= 0 {
		return t.childrenOf(pos, p, 1000)
	}
	var out []Child
	for _, c := range pos.Open {
		start := t.StartAt(c.Family)
		out = append(out, t.childrenOf(&start, p, c.P)...)
	}
	sortByState(out)
	return out
}

func (t *View) childrenOf(pos *Pos, p *Params, prob Milli) []Child {
	var out []Child
	if pos.Node >= 0 {
		out = t.nodeChildren(pos.Node, out)
	}
	if p.Profile != ReferenceProfile {
		if !t.States[pos.State()].Generic {
			out = t.stateChildren(pos.State(), ViaState, out)
			out = t.prune(pos, p, out)
		}
		out = t.carried(pos, p, out)
		out = t.common(pos, p, out)
		out = t.generics(pos.Family, out)
	}
	all := evidence(out)
	for i := range out {
		out[i].P, out[i].Share = prob, 1000
		if p.Profile != ReferenceProfile { // which never has two families open
			out[i].Share = Milli((uint64(out[i].Count.Tasks) + 1) * 1000 / all)
		}
	}
	sortByState(out)
	return out
}

func sortByState(out []Child) {
	sort.SliceStable(out, func(i, j int) bool { return out[i].State < out[j].State })
}

func (t *View) nodeChildren(node int32, out []Child) []Child {
	for i := t.first[node]; i >= 0; i = t.sibling[i] {
		n := &t.Nodes[i]
		out = append(out, Child{State: n.State, Node: i, Via: ViaNode, Count: n.Count})
	}
	return out
}

func (t *View) stateChildren(state int32, via Via, out []Child) []Child {
	for _, e := range t.States[state].Next {
		if i := t.childIndex(out, e.To); i >= 0 {
			if via == ViaState && e.Count.Tasks > out[i].Count.Tasks {
				out[i].Count = e.Count
			}
			continue
		}
		to := e.To
		if via == ViaCarried { // what comes before it is another macro now
			to = t.whole[to]
		}
		out = append(out, Child{State: to, Node: -1, Via: via, Count: e.Count})
	}
	return out
}

// rareSuccessor is the share of a state's transitions below which a successor
// is dropped where more than the allowed share of the vocabulary is offered: one
// part in fifty.
const rareSuccessor = 50

// prune drops the rare successors of a state that leaves too many choices open.
func (t *View) prune(pos *Pos, p *Params, out []Child) []Child {
	limit := t.limit(pos, p)
	if len(out) <= limit {
		return out
	}
	sort.SliceStable(out, func(i, j int) bool { return byEvidence(out[i], out[j]) < 0 })
	all := uint64(0)
	for _, c := range out {
		all += uint64(c.Count.Tasks)
	}
	n := limit
	for n < len(out) && uint64(out[n].Count.Tasks)*rareSuccessor >= all {
		n++
	}
	return out[:n]
}

// byEvidence orders children by the number of tasks that took them.
func byEvidence(a, b Child) int {
	return cmp.Or(cmp.Compare(b.Count.Tasks, a.Count.Tasks), cmp.Compare(a.State, b.State))
}

// childIndex finds the child with a state's action. No two are offered.
func (t *View) childIndex(out []Child, state int32) int {
	return slices.IndexFunc(out, func(c Child) bool { return t.whole[c.State] == t.whole[state] })
}

// limit is the number of children up to which weaker evidence may fill.
func (t *View) limit(pos *Pos, p *Params) int {
	return min(int(int64(t.Families[pos.Family].Vocabulary)*int64(p.AllowedShare)/1000), int(p.MaxChildren))
}

func (t *View) carried(pos *Pos, p *Params, out []Child) []Child {
	var more []Child
	if s := pos.State(); t.States[s].Generic {
		more = t.stateChildren(s, ViaCarried, more)
	}
	for i := len(pos.Spine) - 1; i > 0 && t.States[pos.Spine[i]].Delta == effect.DeltaNone; i-- {
		more = t.stateChildren(pos.Spine[i-1], ViaCarried, more)
	}
	sort.SliceStable(more, func(i, j int) bool { return byEvidence(more[i], more[j]) < 0 })
	limit := t.limit(pos, p)
	for _, c := range more {
		if len(out) >= limit {
			break
		}
		if t.childIndex(out, c.State) < 0 {
			out = append(out, c)
		}
	}
	return out
}

// common offers the family's common states where the successors of the state
// itself are little known.
func (t *View) common(pos *Pos, p *Params, out []Child) []Child {
	if t.States[pos.State()].unseen() < p.Novelty {
		return out
	}
	limit := t.limit(pos, p)
	for _, s := range t.Families[pos.Family].Common {
		if len(out) >= limit {
			break
		}
		if s != t.whole[pos.State()] && t.childIndex(out, s) < 0 {
			out = append(out, Child{State: s, Node: -1, Via: ViaFamily})
		}
	}
	return out
}

// unseen estimates the probability that the next task takes a step that no
// training task took from this state: the share of steps seen in one task only
// (Good, "The population frequencies of species", Biometrika 1953).
func (s *State) unseen() Milli {
	var once, all uint64
	for _, e := range s.Next {
		all += uint64(e.Count.Tasks)
		if e.Count.Tasks == 1 {
			once++
		}
	}
	if all == 0 {
		return 1000
	}
	return Milli(once * 1000 / all)
}

// generics appends the family's generic states. They stand first in its run of
// states, because their keys begin with an asterisk.
func (t *View) generics(family int32, out []Child) []Child {
	for i := t.Families[family].First; int(i) < len(t.States) && t.States[i].Generic; i++ {
		out = append(out, Child{State: i, Node: -1, Via: ViaGeneric})
	}
	return out
}

// AtLeaf reports whether successful runs ended at a position: at its node, or off the
// explicit tree at a node of its state.
func (t *View) AtLeaf(pos *Pos, p *Params) bool {
	state := pos.State()
	if state < 0 {
		return false
	}
	if _, leaf := slices.BinarySearchFunc(t.Leaves, pos.Node, func(l Leaf, n int32) int { return cmp.Compare(l.Node, n) }); leaf {
		return true
	}
	return p.Profile != ReferenceProfile && t.ends[state]
}

// Step moves a position to a child. The spine gets its state; a child without
// a node leaves the explicit tree for good. The first step settles the family.
func (t *View) Step(pos *Pos, c Child) {
	if pos.Family < 0 {
		*pos = t.StartAt(t.States[c.State].Family)
	}
	pos.Node = c.Node
	pos.Spine = append(pos.Spine, c.State)
}

// FindState returns the state of a family with a key.
func (t *View) FindState(family int32, key string) (int32, bool) {
	first := t.Families[family].First
	end := len(t.States)
	if int(family)+1 < len(t.Families) {
		end = int(t.Families[family+1].First)
	}
	i, ok := slices.BinarySearchFunc(t.States[first:end], key, func(s State, key string) int { return cmp.Compare(s.Key, key) })
	return first + int32(i), ok
}
