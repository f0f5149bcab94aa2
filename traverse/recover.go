package traverse

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/gbt-policy/gbt/tree"
)

// maxLeaves is how many success leaves are retrieved: R of 003 §F.2, where the
// same retrieval serves repair.
const maxLeaves = 50

// upCost is the cost of leaving the macro the run is in for its parent, in
// thousandths: that of a macro without risk. Nothing is undone or executed, but
// the work of that macro is given up. The paper knows no such step.
const upCost = 1000

// maxTries is how often a macro of a recovery path is given out.
const maxTries = 3

// route is a way to a success leaf.
type route struct {
	up    int     // entries of the spine that are left
	from  int32   // explicit node that the way begins at
	nodes []int32 // explicit nodes of the macros to realise
	cost  int64   // in thousandths
}

// recovery is the way that the run is on.
type recovery struct {
	why      string
	nodes    []int32
	at       int // the macro under way
	tries    int // how often it was given out
	realised bool
}

func (r *recovery) active() bool { return r.nodes != nil }

// plan finds the cheapest way to a matched success leaf (K2-K4): down from the
// place, else from its parent, and so on up to the family's root. A place that
// was made lazily has no nodes below it; in the default profile the nodes of
// its state stand for it, as they share their successors.
func (s *Session) plan() *route {
	w := s.anchor()
	if w == nil {
		return nil
	}
	for up := 0; up < len(w.pos.Spine); up++ {
		at := len(w.pos.Spine) - 1 - up
		if r := s.best(s.below(s.places(w, at))); r != nil {
			r.up = up
			r.cost += int64(up) * upCost
			return r
		}
	}
	return nil
}

// anchor is the place that recovery starts from: the likeliest family's root
// while several are open, nil where the router abstained.
func (s *Session) anchor() *walk {
	if s.steer.lost() {
		return nil
	}
	if s.steer.pos.Family < 0 {
		s.steer.startAt(s.p, s.steer.family())
	}
	return &s.steer
}

// places are the explicit nodes that an entry of the spine stands for.
func (s *Session) places(w *walk, at int) []int32 {
	if w.nodes[at] >= 0 {
		return w.nodes[at : at+1]
	}
	if s.literal() {
		return nil
	}
	return s.p.twins[w.pos.Spine[at]]
}

// label is a node reached by a search.
type label struct {
	node   int32
	from   int32 // where the search began
	parent int32 // label before it, -1 for none
	depth  int32
	cost   int64
}

// below reaches every feasible node within MaxRecovery macros of the sources
// and returns the labels of all, and the indexes of those that are leaves. In a
// tree each node has one way from a source, so the search needs no queue: its
// costs are those of Dijkstra's algorithm (003 §G.3; a test compares).
func (s *Session) below(sources []int32) ([]label, []int32) {
	p, params := s.p, s.params()
	var labels []label
	var leaves []int32
	for _, n := range sources {
		labels = append(labels, label{node: n, from: n, parent: -1})
	}
	been := s.been()
	for i := 0; i < len(labels); i++ {
		l := labels[i]
		if l.depth == params.MaxRecovery {
			continue
		}
		for c := p.first[l.node]; c >= 0; c = p.sibling[c] {
			state := &p.view.States[p.view.Nodes[c].State]
			if !s.feasible(state, been, labels, int32(i)) {
				continue
			}
			if p.leaves[c] >= 0 {
				leaves = append(leaves, int32(len(labels)))
			}
			labels = append(labels, label{node: c, from: l.from, parent: int32(i), depth: l.depth + 1,
				cost: l.cost + 1000 + int64(params.Lambda)*int64(state.Risk)})
		}
	}
	return labels, leaves
}

// been marks the states that the run has realised.
func (s *Session) been() map[int32]bool {
	been := make(map[int32]bool, len(s.visits)+len(s.steer.pos.Spine))
	for _, x := range s.visits {
		been[s.p.view.Whole(x)] = true
	}
	for _, x := range s.steer.pos.Spine {
		been[s.p.view.Whole(x)] = true
	}
	return been
}

// feasible is pre(node, env) of 003 §G.2: one of the tools is offered, and what
// came before in every success came before here too, in the run or on the way.
func (s *Session) feasible(state *tree.State, been map[int32]bool, labels []label, at int32) bool {
	pre := &state.Pre
	if s.env.Tools != nil && len(pre.Tools) > 0 && !slices.ContainsFunc(s.env.Tools, func(t string) bool {
		_, ok := slices.BinarySearch(pre.Tools, t)
		return ok
	}) {
		return false
	}
	for _, x := range pre.After {
		if !been[s.p.view.Whole(x)] && !s.onWay(x, labels, at) {
			return false
		}
	}
	return true
}

func (s *Session) onWay(state int32, labels []label, at int32) bool {
	for ; at >= 0; at = labels[at].parent {
		if s.p.view.Whole(s.p.view.Nodes[labels[at].node].State) == s.p.view.Whole(state) {
			return true
		}
	}
	return false
}

// candidate is a matched leaf.
type candidate struct {
	label int32
	sim   tree.Milli
}

// best returns the cheapest way to a leaf whose environment is like this one,
// among the most similar by task; ties go to the more similar, then to the
// lesser node.
func (s *Session) best(labels []label, leaves []int32) *route {
	found := s.matched(labels, leaves)
	if len(found) == 0 {
		return nil
	}
	top := slices.MinFunc(found, func(a, b candidate) int {
		x, y := &labels[a.label], &labels[b.label]
		return cmp.Or(cmp.Compare(x.cost, y.cost), cmp.Compare(b.sim, a.sim), cmp.Compare(x.node, y.node), cmp.Compare(x.from, y.from))
	})
	r := &route{from: labels[top.label].from, cost: labels[top.label].cost}
	for at := top.label; labels[at].parent >= 0; at = labels[at].parent {
		r.nodes = append(r.nodes, labels[at].node)
	}
	slices.Reverse(r.nodes)
	return r
}

// matched filters leaves by environment, where the policy has signatures, and by
// task (K2).
func (s *Session) matched(labels []label, leaves []int32) []candidate {
	env := s.signature()
	var found []candidate
	for _, l := range leaves {
		leaf := &s.p.view.Leaves[s.p.leaves[labels[l].node]]
		if env == nil || len(leaf.Env) == 0 || milli(tree.Cos(env, leaf.Env)) >= s.params().EnvCos {
			found = append(found, candidate{l, s.similar(leaf)})
		}
	}
	if len(found) > maxLeaves {
		sort.SliceStable(found, func(i, j int) bool {
			a, b := found[i], found[j]
			return a.sim > b.sim || a.sim == b.sim && labels[a.label].node < labels[b.label].node
		})
		found = found[:maxLeaves]
	}
	return found
}

func (s *Session) similar(leaf *tree.Leaf) tree.Milli {
	best := tree.Milli(math.MinInt32)
	for _, t := range leaf.Tasks {
		best = max(best, milli(tree.Cos(s.vec, t.Vec)))
	}
	return best
}

func milli(x float64) tree.Milli { return tree.Milli(math.Round(x * 1000)) }

// signature is the environment signature of the run so far, in the form of the
// leaves' (003 §G.1). It is nil before anything was executed: there is nothing
// to compare then, and the filter lets all pass.
func (s *Session) signature() tree.Vec {
	top := slices.Max(s.footprint[:])
	if top == 0 {
		return nil
	}
	v := make(tree.Vec, len(s.footprint))
	for i, n := range s.footprint {
		v[i] = int8((uint64(n)*127 + uint64(top)/2) / uint64(top))
	}
	return v
}

// adopt puts the run on a way.
func (s *Session) adopt(r *route, why string) {
	s.steer.back(s.p, len(s.steer.pos.Spine)-1-r.up, r.from)
	if s.literal() {
		s.guard = s.steer.clone()
	}
	s.recovery = recovery{why: why, nodes: r.nodes, at: -1, realised: true}
}

// nextRecovery gives out the next macro of the way. ok is false at its end: the
// run is at a success leaf, and proposals are matched again.
func (s *Session) nextRecovery() (m Move, ok bool) {
	r := &s.recovery
	if r.realised {
		r.at, r.tries, r.realised = r.at+1, 0, false
	}
	if r.at == len(r.nodes) {
		s.recovery = recovery{}
		s.stall = stallState{}
		return Move{}, false
	}
	if r.tries++; r.tries > maxTries {
		s.recovery = recovery{}
		s.stats.Stalls++
		s.step.Stall = "recovery-not-followed"
		s.stopped = "stall:recovery-not-followed"
		return s.move(Stall, "recovery-not-followed", nil, nil), true
	}
	node := r.nodes[r.at]
	child := tree.Child{State: s.p.view.Nodes[node].State, Node: node, Via: tree.ViaNode, P: 1000}
	s.stats.Recover++
	s.begin(Recover, child.State, node)
	if s.literal() {
		if r.tries == 1 {
			s.takeBoth(step{offered, child})
		}
		r.realised = true
	}
	return s.move(Recover, r.why, &child, nil), true
}
