package export

import (
	"cmp"
	"slices"

	"github.com/gbt-policy/gbt/internal/artifacts/review"
)

// branch is a node with its state and what hangs below it.
type branch struct {
	*review.Node
	Key, Desc string
	Children  []*branch
}

// runs are the episodes that came through a node, where the document has them.
func (b *branch) runs() review.Count {
	if b.Stats == nil {
		return review.Count{}
	}
	return b.Stats.Count
}

// treeOf hangs a family's nodes below their parents, the most used first. Nodes that
// fewer runs came through are left out, with all below them.
func treeOf(f *review.Family, least uint32) *branch {
	states := map[string]*review.State{}
	for i := range f.States {
		states[f.States[i].ID] = &f.States[i]
	}
	nodes := map[string]*branch{}
	var top *branch
	for i := range f.Nodes {
		n := &f.Nodes[i]
		b := &branch{Node: n, Key: review.Plain(n.State.Key)}
		if s := states[n.State.ID]; s != nil {
			b.Desc = review.Plain(s.Desc)
		}
		up := nodes[n.Parent]
		switch c := b.runs(); {
		case n.Parent == "":
			b.Key, top = review.Plain(f.Name), b
		case up == nil || c.Success+c.Failure < least:
			continue
		default:
			up.Children = append(up.Children, b)
		}
		nodes[n.ID] = b
	}
	top.each(func(b *branch) {
		slices.SortStableFunc(b.Children, func(x, y *branch) int { return cmp.Compare(y.runs().Success, x.runs().Success) })
	})
	return top
}

// each visits a tree, parents before children. A policy's paths are at most
// tree.MaxDepth nodes long.
func (b *branch) each(visit func(*branch)) {
	visit(b)
	for _, c := range b.Children {
		c.each(visit)
	}
}
