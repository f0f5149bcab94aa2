package review

import (
	"reflect"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/tree"
)

func (c *comparison) families() {
	added, removed, both := split(c.a.p.Tree.Families, c.b.p.Tree.Families, familyName)
	for _, f := range added {
		c.out.Families.Added = append(c.out.Families.Added, c.b.familyRef(&f))
	}
	for _, f := range removed {
		c.out.Families.Removed = append(c.out.Families.Removed, c.a.familyRef(&f))
		c.lostWith(c.a.subtree(f.Node), "family "+quote(f.Name))
	}
	for _, f := range both {
		c.family(&f.old, &f.new)
	}
	c.moreByKey("FAMS", "", &c.out.Families.Changed, len(c.a.p.Tree.Families), len(c.b.p.Tree.Families), func(p *artifacts.Policy, i int) string { return p.Tree.Families[i].Name })
}

func familyName(f tree.Family) string { return f.Name }

func (c *comparison) family(old, new *tree.Family) {
	out, name := &c.out.Families.Changed, quote(old.Name)+"."
	changed(out, name+"tools", quoted(old.Tools), quoted(new.Tools))
	changed(out, name+"prototypes", quoted(texts(old.Prototypes)), quoted(texts(new.Prototypes)))
	changed(out, name+"vocabulary", old.Vocabulary, new.Vocabulary)
	changed(out, name+"start", quote(c.a.key(old.Start)), quote(c.b.key(new.Start)))
	changed(out, name+"common", quoted(c.a.keys(old.Common)), quoted(c.b.keys(new.Common)))
	changed(out, name+"exemplars", len(old.Exemplars), len(new.Exemplars))
	if !reflect.DeepEqual(old.Exemplars, new.Exemplars) || !reflect.DeepEqual(old.Fit, new.Fit) || !reflect.DeepEqual(old.Centroid, new.Centroid) || !reflect.DeepEqual(vecs(old.Prototypes), vecs(new.Prototypes)) {
		c.out.Stats.Vectors++
	}
	c.claimedFamily(old, new)
	c.retriesLonger(old, new)
}

// texts are the texts that are there: most policies have vectors alone.
func texts(list []tree.Text) []string {
	var out []string
	for _, t := range list {
		if t.Text != "" {
			out = append(out, t.Text)
		}
	}
	return out
}

func vecs(list []tree.Text) []tree.Vec {
	var out []tree.Vec
	for _, t := range list {
		out = append(out, t.Vec)
	}
	return out
}

func quoted(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = quote(s)
	}
	return strings.Join(out, " ")
}

func (s *side) key(state int32) string { return s.p.Tree.States[state].Key }

func (s *side) keys(states []int32) []string {
	var out []string
	for _, i := range states {
		out = append(out, s.key(i))
	}
	return out
}

// subtree returns the nodes of a subtree: one run, because nodes are in preorder.
func (s *side) subtree(node int32) []int32 {
	out := []int32{node}
	for i := node + 1; int(i) < len(s.p.Tree.Nodes) && s.p.Tree.Nodes[i].Parent >= node; i++ {
		out = append(out, i)
	}
	return out
}

func (s *side) leavesIn(nodes []int32) int {
	n := 0
	for _, i := range nodes {
		if _, ok := s.leaves[i]; ok {
			n++
		}
	}
	return n
}

func (s *side) familyRef(f *tree.Family) FamilyRef {
	nodes := s.subtree(f.Node)
	ref := FamilyRef{Name: f.Name, Nodes: len(nodes), Leaves: s.leavesIn(nodes), Tasks: int(s.p.Tree.Nodes[f.Node].Count.Tasks)}
	for i := f.First; int(i) < len(s.p.Tree.States) && s.p.Tree.States[i].Family == s.p.Tree.States[f.First].Family; i++ {
		ref.States++
	}
	return ref
}

// family returns the family of a state.
func (s *side) family(state int32) *tree.Family {
	return &s.p.Tree.Families[s.p.Tree.States[state].Family]
}

// common says which families are on both sides.
func (c *comparison) common() map[string]bool {
	out := make(map[string]bool)
	_, _, both := split(c.a.p.Tree.Families, c.b.p.Tree.Families, familyName)
	for _, f := range both {
		out[f.old.Name] = true
	}
	return out
}

// statesOf lists the states of the families on both sides.
func (s *side) statesOf(common map[string]bool) []int32 {
	var out []int32
	for i := range s.p.Tree.States {
		if common[s.family(int32(i)).Name] {
			out = append(out, int32(i))
		}
	}
	return out
}

func (c *comparison) states() {
	common := c.common()
	old, new := c.a.statesOf(common), c.b.statesOf(common)
	was := make(map[id]int32)
	for _, i := range old {
		was[c.a.ids.states[i]] = i
	}
	is := make(map[id]bool)
	for _, j := range new {
		is[c.b.ids.states[j]] = true
		if i, ok := was[c.b.ids.states[j]]; ok {
			c.state(i, j)
		} else {
			c.out.States.Added = append(c.out.States.Added, c.b.stateRef(j))
		}
	}
	for _, i := range old {
		if !is[c.a.ids.states[i]] {
			c.out.States.Removed = append(c.out.States.Removed, c.a.stateRef(i))
		}
	}
}

func (s *side) stateRef(i int32) StateRef {
	return StateRef{Family: s.family(i).Name, ID: s.ids.states[i].String(), Key: s.key(i), Desc: s.p.Tree.States[i].Desc}
}

func (c *comparison) state(i, j int32) {
	old, new := &c.a.p.Tree.States[i], &c.b.p.Tree.States[j]
	var f []Change
	changed(&f, "description", quote(old.Desc), quote(new.Desc))
	changed(&f, "delta", old.Delta, new.Delta)
	changed(&f, "risk", old.Risk, new.Risk)
	changed(&f, "generic", old.Generic, new.Generic)
	changed(&f, "tools", quoted(toolsOf(old)), quoted(toolsOf(new)))
	changed(&f, "after", quoted(c.a.keys(old.Pre.After)), quoted(c.b.keys(new.Pre.After)))
	changed(&f, "needs", quoted(old.Pre.Tools), quoted(new.Pre.Tools))
	c.pair(c.table.more["STAT"], "", &f, int(i), int(j))
	if f != nil {
		c.out.States.Changed = append(c.out.States.Changed, StateChange{c.b.stateRef(j), f})
	}
	if old.Count != new.Count || !slices.Equal(old.Tools, new.Tools) {
		c.out.Stats.States++
	}
	if !reflect.DeepEqual(old.Vecs, new.Vecs) || !reflect.DeepEqual(old.Fit, new.Fit) {
		c.out.Stats.Vectors++
	}
	c.claimedState(i, j)
	c.edges(i, j)
}

func toolsOf(s *tree.State) []string {
	var out []string
	for _, u := range s.Tools {
		out = append(out, u.Name)
	}
	slices.Sort(out)
	return out
}

// edges compares the successors of a state that is on both sides.
func (c *comparison) edges(i, j int32) {
	type edge struct {
		to    id
		key   string
		count tree.Count
	}
	of := func(s *side, state int32) []edge {
		var out []edge
		for _, e := range s.p.Tree.States[state].Next {
			out = append(out, edge{s.ids.states[e.To], s.key(e.To), e.Count})
		}
		return out
	}
	added, removed, both := split(of(c.a, i), of(c.b, j), func(e edge) id { return e.to })
	from := EdgeRef{Family: c.b.family(j).Name, From: c.b.key(j)}
	for _, e := range added {
		from.To = e.key
		c.out.Edges.Added = append(c.out.Edges.Added, from)
	}
	for _, e := range removed {
		from.To = e.key
		c.out.Edges.Removed = append(c.out.Edges.Removed, from)
	}
	for _, e := range both {
		if e.old.count != e.new.count {
			c.out.Stats.Edges++
		}
	}
}

// nodes compares the trees. The first layer is the families', compared above.
func (c *comparison) nodes() {
	common := c.common()
	was, is := c.a.nodesByID(), c.b.nodesByID()
	for j := range int32(len(c.b.p.Tree.Nodes)) {
		if i, ok := was[c.b.ids.nodes[j]]; ok {
			c.node(i, j)
		} else if c.b.topmost(j, was, common) {
			c.out.Nodes.Added = append(c.out.Nodes.Added, c.b.nodeRef(j))
		}
	}
	for i := range int32(len(c.a.p.Tree.Nodes)) {
		if _, ok := is[c.a.ids.nodes[i]]; !ok && c.a.topmost(i, is, common) {
			ref := c.a.nodeRef(i)
			c.out.Nodes.Removed = append(c.out.Nodes.Removed, ref)
			c.lostWith(c.a.subtree(i), "step "+path(ref.Path)+" ("+ref.ID+")")
		}
	}
}

func (s *side) nodesByID() map[id]int32 {
	out := make(map[id]int32, len(s.ids.nodes))
	for i, n := range s.ids.nodes {
		out[n] = int32(i)
	}
	return out
}

// topmost says whether a node that the other side lacks is the first of its
// path, in a family that the other side has.
func (s *side) topmost(i int32, other map[id]int32, common map[string]bool) bool {
	n := &s.p.Tree.Nodes[i]
	if !common[s.family(n.State).Name] {
		return false
	}
	_, ok := other[s.ids.nodes[n.Parent]]
	return ok
}

func (s *side) nodeRef(i int32) NodeRef {
	nodes := s.subtree(i)
	ref := NodeRef{Family: s.family(s.p.Tree.Nodes[i].State).Name, ID: s.ids.nodes[i].String(),
		Path: []string{}, Below: len(nodes) - 1, Leaves: s.leavesIn(nodes), Tasks: int(s.p.Tree.Nodes[i].Count.Tasks)}
	for k := i; k > tree.Root; k = s.p.Tree.Nodes[k].Parent {
		ref.Path = append(ref.Path, s.key(s.p.Tree.Nodes[k].State))
	}
	slices.Reverse(ref.Path)
	return ref
}

func (c *comparison) node(i, j int32) {
	old, new := &c.a.p.Tree.Nodes[i], &c.b.p.Tree.Nodes[j]
	if old.Count != new.Count {
		c.out.Stats.Nodes++
	}
	if i == tree.Root {
		return
	}
	self := func(g string) string { return g }
	if added, removed, _ := split(old.Gates, new.Gates, self); added != nil || removed != nil {
		ref := c.b.nodeRef(j)
		c.out.Nodes.Gated = append(c.out.Nodes.Gated, NodeGate{ref, list(added), list(removed)})
	}
	c.lostAt(i, j)
	c.pair(c.table.more["NODE"], "node "+c.b.ids.nodes[j].String()+".", &c.out.Nodes.Changed, int(i), int(j))
	c.leaf(i, j)
}

func (c *comparison) leaf(i, j int32) {
	k, hadLeaf := c.a.leaves[i]
	l, hasLeaf := c.b.leaves[j]
	switch {
	case !hadLeaf && !hasLeaf:
	case !hadLeaf:
		c.ending(j, nil, &c.b.p.Tree.Leaves[l], c.a.p.Tree.Nodes[i].Count, c.b.p.Tree.Nodes[j].Count)
		c.out.Leaves.Added = append(c.out.Leaves.Added, c.b.nodeRef(j))
	case !hasLeaf:
		c.out.Leaves.Removed = append(c.out.Leaves.Removed, c.a.nodeRef(i))
	default:
		c.pair(c.table.more["LEAF"], "leaf "+c.b.ids.nodes[j].String()+".", &c.out.Nodes.Changed, k, l)
		old, new := &c.a.p.Tree.Leaves[k], &c.b.p.Tree.Leaves[l]
		c.ending(j, old, new, c.a.p.Tree.Nodes[i].Count, c.b.p.Tree.Nodes[j].Count)
		if !slices.Equal(texts(old.Tasks), texts(new.Tasks)) {
			c.out.Leaves.Tasks++
		}
		if old.Count != new.Count {
			c.out.Stats.Leaves++
		}
		if !slices.Equal(old.Env, new.Env) || !reflect.DeepEqual(vecs(old.Tasks), vecs(new.Tasks)) {
			c.out.Stats.Vectors++
		}
	}
}

func path(keys []string) string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = quote(k)
	}
	return strings.Join(out, " > ")
}
