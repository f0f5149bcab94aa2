package review

import (
	"slices"

	"github.com/gbt-policy/gbt/tree"
)

// Regrouped are nodes whose recorded macros stand at other nodes than before:
// one node in the place of several (merged), several in the place of one (split),
// or one in the place of another (moved). It rests on the spans that both policies
// keep, which are a sample of the episodes.
type Regrouped struct {
	From []NodeRef `json:"from"`
	To   []NodeRef `json:"to"`
}

// regrouped follows the spans of nodes that are gone to nodes that are new, and to
// those that stayed.
func (c *comparison) regrouped() {
	was, is := c.a.nodesByID(), c.b.nodesByID()
	to, from := c.follow()
	for _, i := range sortedKeys(from) {
		_, stays := is[c.a.ids.nodes[i]]
		if targets := from[i]; len(targets) > 1 && slices.ContainsFunc(targets, func(j int32) bool { return !known(was, c.b.ids.nodes[j]) }) {
			c.out.Nodes.Split = append(c.out.Nodes.Split, Regrouped{c.a.nodeRefs([]int32{i}), c.b.nodeRefs(targets)})
		} else if !stays && len(targets) == 1 && len(to[targets[0]]) == 1 && !known(was, c.b.ids.nodes[targets[0]]) {
			c.moved = append(c.moved, pair[int32]{i, targets[0]})
			c.out.Nodes.Moved = append(c.out.Nodes.Moved, Regrouped{c.a.nodeRefs([]int32{i}), c.b.nodeRefs(targets)})
		}
	}
	for _, j := range sortedKeys(to) {
		if sources := to[j]; len(sources) > 1 && slices.ContainsFunc(sources, func(i int32) bool { return !known(is, c.a.ids.nodes[i]) }) {
			c.out.Nodes.Merged = append(c.out.Nodes.Merged, Regrouped{c.a.nodeRefs(sources), c.b.nodeRefs([]int32{j})})
		}
	}
}

func known(ids map[id]int32, x id) bool { _, ok := ids[x]; return ok }

// follow says for every node which nodes of the other policy share spans with it.
func (c *comparison) follow() (to, from map[int32][]int32) {
	at := make(map[tree.Span][]int32)
	for i := 1; i < len(c.a.p.Tree.Nodes); i++ {
		for _, s := range c.a.p.Tree.Nodes[i].Spans {
			at[s] = append(at[s], int32(i))
		}
	}
	to, from = make(map[int32][]int32), make(map[int32][]int32)
	for j := int32(1); int(j) < len(c.b.p.Tree.Nodes); j++ {
		for _, s := range c.b.p.Tree.Nodes[j].Spans {
			for _, i := range at[s] {
				if !slices.Contains(to[j], i) {
					to[j], from[i] = append(to[j], i), append(from[i], j)
				}
			}
		}
	}
	return to, from
}

func sortedKeys(m map[int32][]int32) []int32 {
	var out []int32
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func (s *side) nodeRefs(nodes []int32) []NodeRef {
	var out []NodeRef
	for _, i := range nodes {
		out = append(out, s.nodeRef(i))
	}
	return out
}

// movedFrom finds nodes that took the place of one that is gone and lack a gate
// that it asked.
func (c *comparison) movedFrom() {
	for _, m := range c.moved {
		if g := c.unasked(c.a.p.Tree.Nodes[m.old].Gates, m.new); len(g) > 0 {
			from, to := c.a.nodeRef(m.old), c.b.nodeRef(m.new)
			c.weakens("gate/evaded", "node %s %s took the place of %s and does not ask gate %s", to.ID, path(to.Path), path(from.Path), short(g[0]))
		}
	}
}

// FamilyCount is how the counts of a family on both sides moved.
type FamilyCount struct {
	Family string `json:"family"`
	Old    Count  `json:"old"`
	New    Count  `json:"new"`
}

// served compares how many tasks the families have, and how they ended.
func (c *comparison) served() {
	_, _, both := split(c.a.p.Tree.Families, c.b.p.Tree.Families, familyName)
	for _, f := range both {
		old, new := c.a.p.Tree.Nodes[f.old.Node].Count, c.b.p.Tree.Nodes[f.new.Node].Count
		if old != new {
			c.out.Stats.Families = append(c.out.Stats.Families, FamilyCount{f.new.Name, Count(old), Count(new)})
		}
	}
}
