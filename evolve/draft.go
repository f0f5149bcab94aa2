package evolve

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/gbt-policy/gbt/tree"
)

// draft is a tree that edits can change: its parts name each other by keys and not
// by indices. A draft of a tree to which nothing is done becomes that tree again.
// It is of the default profile, in which a family has one state of each key.
type draft struct {
	families []*family
	clusters []tree.Cluster
	places   []*place // of the tree's nodes, by index; nil for the root
}

// family is one task family of a draft.
type family struct {
	tree.Family
	states  map[string]*state
	common  []string // keys of Family.Common
	root    *place
	changed bool // its common states, vocabulary and tools are worked out again
}

// state is a macro class of a draft.
type state struct {
	tree.State
	next  map[string]tree.Count // successors, by key
	after []string              // keys of Pre.After
}

// place is a node of a draft. Its children are named by their actions.
type place struct {
	node  tree.Node
	state string // key
	kids  map[string]*place
	leaf  *tree.Leaf
}

// newDraft takes a tree apart. The tree is not changed by what is done to the draft.
func newDraft(t *tree.Tree) *draft {
	d := &draft{clusters: t.Clusters}
	for i := range t.Families {
		f := &family{Family: t.Families[i], states: map[string]*state{}}
		for _, s := range f.Common {
			f.common = append(f.common, t.States[s].Key)
		}
		d.families = append(d.families, f)
	}
	for i := range t.States {
		s := &state{State: t.States[i], next: map[string]tree.Count{}}
		for _, e := range s.Next {
			s.next[t.States[e.To].Key] = e.Count
		}
		for _, a := range s.Pre.After {
			s.after = append(s.after, t.States[a].Key)
		}
		d.families[s.Family].states[s.Key] = s
	}
	d.takePlaces(t)
	return d
}

func (d *draft) takePlaces(t *tree.Tree) {
	places := make([]*place, len(t.Nodes))
	d.places = places
	for i := 1; i < len(t.Nodes); i++ {
		n := t.Nodes[i]
		s := &t.States[n.State]
		places[i] = &place{node: n, state: s.Key, kids: map[string]*place{}}
		if n.Parent == tree.Root {
			d.families[s.Family].root = places[i]
		} else {
			places[n.Parent].kids[s.Action()] = places[i]
		}
	}
	for i := range t.Leaves {
		l := t.Leaves[i]
		places[l.Node].leaf = &l
	}
}

// tree puts the draft together again.
func (d *draft) tree() *tree.Tree {
	t := &tree.Tree{Nodes: []tree.Node{{Parent: -1, State: -1}}, Clusters: d.clusters}
	anew := false
	for _, f := range d.families {
		anew = anew || f.changed
		f.put(t)
	}
	if anew {
		t.Clusters = clusters(t.States)
	}
	return t
}

// put appends a family with its states and places.
func (f *family) put(t *tree.Tree) {
	out := f.Family
	out.First = int32(len(t.States))
	at := map[string]int32{}
	keys := slices.Sorted(maps.Keys(f.states))
	for i, key := range keys {
		at[key] = out.First + int32(i)
	}
	for _, key := range keys {
		t.States = append(t.States, f.states[key].put(at))
	}
	if f.changed {
		f.settle(&out, keys)
	}
	out.Common = nil
	for _, key := range f.common {
		out.Common = append(out.Common, at[key])
	}
	out.Start = at[f.root.state]
	out.Node = int32(len(t.Nodes))
	t.Families = append(t.Families, out)
	f.root.put(t, tree.Root, at)
}

// settle works out again what sums up a family's states, as distillation does:
// keys are sorted.
func (f *family) settle(out *tree.Family, keys []string) {
	tools := map[string]bool{}
	for _, tool := range out.Tools {
		tools[tool] = true
	}
	var macros []string
	for _, key := range keys {
		s := f.states[key]
		for _, u := range s.Tools {
			tools[u.Name] = true
		}
		if !s.Generic && key != f.root.state && s.Action() == key {
			macros = append(macros, key)
		}
	}
	out.Tools = slices.Sorted(maps.Keys(tools))
	out.Vocabulary = int32(len(macros))
	slices.SortStableFunc(macros, func(a, b string) int { return cmp.Compare(f.states[b].Count.Tasks, f.states[a].Count.Tasks) })
	f.common = macros[:min(len(macros), tree.MaxCommon)]
}

func (s *state) put(at map[string]int32) tree.State {
	out := s.State
	out.Next, out.Pre.After = nil, nil
	for _, key := range slices.Sorted(maps.Keys(s.next)) { // indices grow with keys
		if to, ok := at[key]; ok { // a state that was refused has no steps to it
			out.Next = append(out.Next, tree.Edge{To: to, Count: s.next[key]})
		}
	}
	for _, key := range s.after {
		out.Pre.After = append(out.Pre.After, at[key])
	}
	slices.Sort(out.Pre.After)
	return out
}

// put appends a subtree, parents before children, children by their actions.
func (p *place) put(t *tree.Tree, parent int32, at map[string]int32) {
	index := int32(len(t.Nodes))
	n := p.node
	n.Parent, n.State = parent, at[p.state]
	t.Nodes = append(t.Nodes, n)
	if p.leaf != nil {
		l := *p.leaf
		l.Node = index
		t.Leaves = append(t.Leaves, l)
	}
	for _, action := range slices.Sorted(maps.Keys(p.kids)) {
		p.kids[action].put(t, index, at)
	}
}

// child returns the place of an action below p, or makes it: a new place inherits
// all gates of its parent (requirement S4).
func (f *family) child(p *place, action string) (*place, bool) {
	if c := p.kids[action]; c != nil {
		return c, false
	}
	c := &place{node: tree.Node{Gates: p.node.Gates}, state: f.after(p.state, action), kids: map[string]*place{}}
	p.kids[action] = c
	return c, true
}

// after is the key of the state of an action after another state: the one that is
// split off for it, where there is one.
func (f *family) after(before, action string) string {
	if s := f.states[before]; s != nil {
		before = s.Action()
	}
	if key := tree.SplitKey(action, before); f.states[key] != nil {
		return key
	}
	return action
}

// clusters sums the states that look alike (requirement S5), as
// internal/tree/merge does.
func clusters(states []tree.State) []tree.Cluster {
	sums := map[string]tree.Count{}
	for i := range states {
		s := &states[i]
		if s.Generic || len(s.Tools) == 0 || s.Action() != s.Key {
			continue // a start has no tools, and one that is split off is in the whole
		}
		key := tree.ClusterKey(s)
		sums[key] = sum(sums[key], s.Count)
	}
	var out []tree.Cluster
	for _, key := range slices.Sorted(maps.Keys(sums)) {
		out = append(out, tree.Cluster{Key: key, Count: sums[key]})
	}
	return out
}

// sum adds evidence up. It stays at the most that a policy can hold.
func sum(a, b tree.Count) tree.Count {
	return tree.Count{Tasks: add(a.Tasks, b.Tasks), Success: add(a.Success, b.Success), Failure: add(a.Failure, b.Failure)}
}

func add(a, b uint32) uint32 {
	if a > math.MaxUint32-b {
		return math.MaxUint32
	}
	return a + b
}
