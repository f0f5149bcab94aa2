package artifacts

import (
	"slices"
	"sort"

	"github.com/gbt-policy/gbt/tree"
)

// vec walks a quantised vector: one byte a dimension, two's complement.
func (c *codec) vec(v *tree.Vec) {
	if c.err != nil {
		return
	}
	if c.decoding() {
		*v = nil
		if b := c.take(binCode, MaxDim); len(b) > 0 {
			to := c.space(len(b))
			for i := range to {
				to[i] = int8(b[i])
			}
			*v = to
		}
		return
	}
	b := make([]byte, len(*v))
	for i, x := range *v {
		b[i] = byte(x)
	}
	c.bin(&b, MaxDim)
}

// space returns room for a vector. It takes memory in pieces of 64 KiB, or of
// what is left of the section where that is less: a policy has tens of
// thousands of vectors, and one allocation for each was a fifth of the time
// that opening took (BenchmarkOpen).
func (c *codec) space(n int) tree.Vec {
	if len(c.room) < n {
		c.room = make(tree.Vec, max(n, min(1<<16, c.in.left())))
	}
	v := c.room[:n:n]
	c.room = c.room[n:]
	return v
}

func (c *codec) namedText(t *tree.Text) {
	c.tuple(2)
	c.text(&t.Text)
	c.vec(&t.Vec)
}

func (c *codec) names(p *[]string, limit int) { list(c, p, limit, 1, (*codec).name) }

// fit: [vector, gain, bias].
func (c *codec) fit(f *tree.Fit) {
	c.tuple(3)
	c.vec(&f.Vec)
	integer(c, &f.Gain, -1<<31, 1<<31-1)
	integer(c, &f.Bias, -1<<31, 1<<31-1)
}

// families: [[name, [[text, vector], ...], centroid, fit, [tool, ...], first
// state, start state, node, vocabulary, [common state, ...]], ...].
func (c *codec) families(d *document) {
	list(c, &d.p.Tree.Families, tree.MaxFamilies, 16, func(c *codec, f *tree.Family) {
		c.tuple(10)
		c.name(&f.Name)
		list(c, &f.Prototypes, MaxPrototypes, 4, (*codec).namedText)
		c.vec(&f.Centroid)
		c.fit(&f.Fit)
		c.names(&f.Tools, MaxTools)
		c.index(&f.First, tree.MaxStates)
		c.index(&f.Start, tree.MaxStates)
		c.index(&f.Node, tree.MaxNodes)
		integer(c, &f.Vocabulary, 0, tree.MaxStates)
		list(c, &f.Common, tree.MaxCommon, 1, stateIndex)
	})
}

func stateIndex(c *codec, i *int32) { c.index(i, tree.MaxStates) }

// states: [[family, key, [cont, ...], description, [tag, ...], risk, delta,
// generic, [[tool, calls], ...], [vector, ...], fit, [[state, tasks, success,
// failure], ...], [state before, ...], [tool needed, ...], tasks, success,
// failure], ...].
func (c *codec) states(d *document) {
	families := len(d.p.Tree.Families)
	list(c, &d.p.Tree.States, tree.MaxStates, 24, func(c *codec, s *tree.State) {
		c.tuple(17)
		c.index(&s.Family, families)
		c.text(&s.Key)
		list(c, &s.Cont, MaxCont, 1, (*codec).milli)
		c.text(&s.Desc)
		c.names(&s.Tags, MaxTags)
		integer(c, &s.Risk, 0, tree.MaxRisk)
		integer(c, &s.Delta, 0, 1<<8-1)
		c.bool(&s.Generic)
		list(c, &s.Tools, MaxTools, 3, (*codec).use)
		list(c, &s.Vecs, tree.MaxVecs, 2, (*codec).vec)
		c.fit(&s.Fit)
		list(c, &s.Next, tree.MaxStates, 5, (*codec).edge)
		list(c, &s.Pre.After, tree.MaxStates, 1, stateIndex)
		c.names(&s.Pre.Tools, MaxTools)
		c.evidence(&s.Count)
	})
}

func (c *codec) use(u *tree.Use) {
	c.tuple(2)
	c.name(&u.Name)
	integer(c, &u.Calls, 0, 1<<32-1)
}

func (c *codec) edge(e *tree.Edge) {
	c.tuple(4)
	c.index(&e.To, tree.MaxStates)
	c.evidence(&e.Count)
}

// episodes: [bytes, ...], the episodes that spans point to.
func (c *codec) episodes(d *document) {
	list(c, &d.episodes, MaxEpisodes, 10, func(c *codec, e *string) {
		c.hex(e, 8, 16, 20, 32)
	})
	if !slices.IsSorted(d.episodes) || len(slices.Compact(slices.Clone(d.episodes))) != len(d.episodes) {
		c.fail("episodes are not sorted or not unique")
	}
}

// nodes: [[parent, state, [gate of its own, ...], tasks, success, failure,
// [[episode, from, to], ...]], ...]. A node's gates are its parent's and its
// own, so a file can't hold a node that lacks a gate of its parent.
func (c *codec) nodes(d *document) {
	used := make([]bool, len(d.episodes))
	list(c, &d.p.Tree.Nodes, tree.MaxNodes, 8, func(c *codec, n *tree.Node) {
		i := c.path[0]
		c.tuple(7)
		integer(c, &n.Parent, min(0, int64(i)-1), int64(i)-1)
		if i == tree.Root {
			integer(c, &n.State, -1, -1)
		} else {
			c.index(&n.State, len(d.p.Tree.States))
		}
		c.ownGates(d, n)
		c.evidence(&n.Count)
		list(c, &n.Spans, tree.MaxSpans, 4, func(c *codec, s *tree.Span) { c.span(d, s, used) })
	})
	if c.err == nil && slices.Contains(used, false) {
		c.fail("an episode has no span")
	}
}

func (c *codec) span(d *document, s *tree.Span, used []bool) {
	c.tuple(3)
	e := int32(sort.SearchStrings(d.episodes, s.Episode))
	if c.index(&e, len(d.episodes)); c.err != nil {
		return
	}
	used[e] = true
	if c.decoding() {
		s.Episode = d.episodes[e]
	}
	integer(c, &s.From, 0, 1<<31-1)
	integer(c, &s.To, 0, 1<<31-1)
}

// ownGates walks the gates that a node has and its parent has not, as indices
// into the gate section.
func (c *codec) ownGates(d *document, n *tree.Node) {
	if c.err != nil {
		return
	}
	var inherited []string
	if n.Parent >= 0 {
		inherited = d.p.Tree.Nodes[n.Parent].Gates
	}
	var own []int32
	if !c.decoding() {
		own = c.gateIndices(d, n.Gates, inherited)
	}
	list(c, &own, MaxNodeGates, 1, func(c *codec, g *int32) { c.index(g, len(d.p.Gates)) })
	if c.err != nil {
		return
	}
	if len(own) == 0 {
		if c.decoding() {
			n.Gates = inherited // shared: decoded values are never written to
		}
		return
	}
	if d.gateRefs += len(inherited) + len(own); d.gateRefs > MaxGateRefs {
		c.fail("more than %d gates of nodes", MaxGateRefs)
	}
	if len(inherited)+len(own) > MaxNodeGates {
		c.fail("node with more than %d gates", MaxNodeGates)
	}
	if c.decoding() && c.err == nil {
		n.Gates = c.merged(d, inherited, own)
	}
}

// gateIndices returns the places of the gates that are not inherited.
func (c *codec) gateIndices(d *document, gates, inherited []string) []int32 {
	var own []int32
	for _, id := range gates {
		if _, ok := slices.BinarySearch(inherited, id); ok {
			continue
		}
		k := sort.Search(len(d.p.Gates), func(k int) bool { return d.p.Gates[k].ID >= id })
		if k == len(d.p.Gates) || d.p.Gates[k].ID != id {
			c.fail("gate %.80q is not in the policy", id)
			return nil
		}
		own = append(own, int32(k))
	}
	return own
}

// merged returns inherited and own gates, sorted, and refuses a gate that
// stands twice or out of order.
func (c *codec) merged(d *document, inherited []string, own []int32) []string {
	out := make([]string, 0, len(inherited)+len(own))
	out = append(out, inherited...)
	for i, k := range own {
		if _, ok := slices.BinarySearch(inherited, d.p.Gates[k].ID); ok || i > 0 && own[i-1] >= k {
			c.fail("a node's own gates are not sorted, or it has one of them from its parent")
		}
		out = append(out, d.p.Gates[k].ID)
	}
	slices.Sort(out)
	return out
}

// leaves: [[node, [[text, vector], ...], environment, count], ...].
func (c *codec) leaves(d *document) {
	nodes := len(d.p.Tree.Nodes)
	list(c, &d.p.Tree.Leaves, tree.MaxNodes, 6, func(c *codec, l *tree.Leaf) {
		c.tuple(4)
		c.index(&l.Node, nodes)
		list(c, &l.Tasks, tree.MaxLeafTasks, 4, (*codec).namedText)
		c.vec(&l.Env)
		integer(c, &l.Count, 0, 1<<32-1)
	})
}

// clusters: [[key, tasks, success, failure], ...].
func (c *codec) clusters(d *document) {
	list(c, &d.p.Tree.Clusters, MaxClusters, 5, func(c *codec, k *tree.Cluster) {
		c.tuple(4)
		c.text(&k.Key)
		c.evidence(&k.Count)
	})
}
