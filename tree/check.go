package tree

import (
	"errors"
	"fmt"
	"sort"

	"github.com/gbt-policy/gbt/gates/effect"
)

// Limits on a tree's parts. They bound what a decoder allocates and what one
// step at run time can cost; distillation keeps far below them.
const (
	MaxFamilies  = 256
	MaxStates    = 1 << 17
	MaxNodes     = 1 << 20
	MaxDepth     = 512 // nodes on a path; bounds recursion and recovery
	MaxLeafTasks = 16
	MaxVecs      = 8
	MaxCommon    = 64
	MaxText      = 1 << 14 // bytes of a description or task text
)

// Check reports every broken invariant of the tree (invariant 6 of DESIGN.md):
// one root, parents before children, first layer families, edges inside their
// family, sorted tables, gates inherited from parent to child.
func (t *Tree) Check() error {
	c := checker{t: t}
	c.sizes()
	c.states()
	c.parents()
	if len(c.errs) > 0 {
		return errors.Join(c.errs...) // the rest follows these indices
	}
	c.families()
	c.nodes()
	c.leaves()
	return errors.Join(c.errs...)
}

// maxErrors bounds what Check collects from a thoroughly broken tree.
const maxErrors = 20

type checker struct {
	t     *Tree
	errs  []error
	depth []int
}

func (c *checker) bad(format string, args ...any) {
	if len(c.errs) < maxErrors {
		c.errs = append(c.errs, fmt.Errorf(format, args...))
	}
}

func (c *checker) sizes() {
	t := c.t
	if len(t.Families) > MaxFamilies || len(t.States) > MaxStates || len(t.Nodes) > MaxNodes {
		c.bad("tree too large: %d families, %d states, %d nodes", len(t.Families), len(t.States), len(t.Nodes))
	}
	if len(t.Nodes) == 0 {
		c.bad("tree has no root")
	}
}

func (c *checker) states() {
	for i := range c.t.States {
		s := &c.t.States[i]
		if s.Family < 0 || int(s.Family) >= len(c.t.Families) {
			c.bad("state %d: no family %d", i, s.Family)
			continue
		}
		if i > 0 && lessState(s, &c.t.States[i-1]) {
			c.bad("state %d: out of order", i)
		}
		if s.Risk > effect.MaxRisk || s.Delta >= effect.NumDeltas || len(s.Vecs) > MaxVecs || len(s.Desc) > MaxText {
			c.bad("state %d: value out of range", i)
		}
		c.edges(i, s)
		c.pre(i, s)
	}
}

func lessState(a, b *State) bool {
	if a.Family != b.Family {
		return a.Family < b.Family
	}
	return a.Key < b.Key
}

func (c *checker) edges(i int, s *State) {
	for j, e := range s.Next {
		if e.To < 0 || int(e.To) >= len(c.t.States) || c.t.States[e.To].Family != s.Family {
			c.bad("state %d: successor %d is not of its family", i, e.To)
		}
		if j > 0 && s.Next[j-1].To >= e.To {
			c.bad("state %d: successors out of order", i)
		}
	}
}

func (c *checker) families() {
	for i := range c.t.Families {
		f := &c.t.Families[i]
		if i > 0 && c.t.Families[i-1].Name >= f.Name {
			c.bad("family %q: out of order", f.Name)
		}
		if f.First < 0 || int(f.First) >= len(c.t.States) || int(c.t.States[f.First].Family) != i ||
			f.First > 0 && int(c.t.States[f.First-1].Family) == i {
			c.bad("family %q: bad first state %d", f.Name, f.First)
		}
		if f.Start < 0 || int(f.Start) >= len(c.t.States) || int(c.t.States[f.Start].Family) != i {
			c.bad("family %q: bad start state %d", f.Name, f.Start)
		}
		if f.Node <= Root || int(f.Node) >= len(c.t.Nodes) || c.t.Nodes[f.Node].Parent != Root ||
			c.t.Nodes[f.Node].State != f.Start {
			c.bad("family %q: bad node %d", f.Name, f.Node)
		}
		c.common(i, f)
		c.fixes(i, f)
		if !sort.StringsAreSorted(f.Tools) {
			c.bad("family %q: tools out of order", f.Name)
		}
	}
}

func (c *checker) common(i int, f *Family) {
	if len(f.Common) > MaxCommon {
		c.bad("family %q: %d common states", f.Name, len(f.Common))
	}
	for _, s := range f.Common {
		if s < 0 || int(s) >= len(c.t.States) || int(c.t.States[s].Family) != i {
			c.bad("family %q: common state %d is not its own", f.Name, s)
		}
	}
}

// parents checks the one index that other checks follow from node to node.
func (c *checker) parents() {
	for i := 1; i < len(c.t.Nodes); i++ {
		if p := c.t.Nodes[i].Parent; p < 0 || int(p) >= i {
			c.bad("node %d: parent %d does not come before it", i, p)
		}
	}
}

func (c *checker) nodes() {
	c.depth = make([]int, len(c.t.Nodes))
	c.preorder()
	for i := range c.t.Nodes {
		n := &c.t.Nodes[i]
		if i == Root {
			if n.Parent != -1 || n.State != -1 {
				c.bad("node 0: not a root")
			}
			c.gates(i, n, nil)
			continue
		}
		c.node(i, n)
	}
}

// preorder checks that every subtree is one run of nodes: a node's parent is
// the node before it or one of that node's ancestors.
func (c *checker) preorder() {
	for i := 1; i < len(c.t.Nodes); i++ {
		p := int32(i - 1)
		for p > c.t.Nodes[i].Parent {
			if q := c.t.Nodes[p].Parent; q < p {
				p = q
				continue
			}
			return // reported as a bad parent
		}
		if p != c.t.Nodes[i].Parent {
			c.bad("node %d: not in preorder", i)
		}
	}
}

func (c *checker) node(i int, n *Node) {
	if c.depth[i] = c.depth[n.Parent] + 1; c.depth[i] > MaxDepth {
		c.bad("node %d: deeper than %d", i, MaxDepth)
	}
	if n.State < 0 || int(n.State) >= len(c.t.States) {
		c.bad("node %d: no state %d", i, n.State)
		return
	}
	s := &c.t.States[n.State]
	if n.Parent == Root {
		if c.t.Families[s.Family].Node != int32(i) {
			c.bad("node %d: in the first layer but not a family", i)
		}
	} else if p := c.t.Nodes[n.Parent].State; p < 0 || int(p) >= len(c.t.States) || c.t.States[p].Family != s.Family {
		c.bad("node %d: not of its parent's family", i)
	}
	c.gates(i, n, c.t.Nodes[n.Parent].Gates)
}

// gates checks order and inheritance (requirement S4, decision 9).
func (c *checker) gates(i int, n *Node, inherited []string) {
	if len(n.Gates) > 0 && len(n.Gates) == len(inherited) && &n.Gates[0] == &inherited[0] {
		return // the same list, as after decoding: checked at the parent
	}
	for j := 1; j < len(n.Gates); j++ {
		if n.Gates[j-1] >= n.Gates[j] {
			c.bad("node %d: gates out of order", i)
		}
	}
	for _, g := range inherited {
		if k := sort.SearchStrings(n.Gates, g); k == len(n.Gates) || n.Gates[k] != g {
			c.bad("node %d: does not inherit gate %s", i, g)
		}
	}
}

func (c *checker) pre(i int, s *State) {
	for j, a := range s.Pre.After {
		if a < 0 || int(a) >= len(c.t.States) || c.t.States[a].Family != s.Family {
			c.bad("state %d: precondition names state %d of another family", i, a)
		}
		if j > 0 && s.Pre.After[j-1] >= a {
			c.bad("state %d: precondition out of order", i)
		}
	}
	if !sort.StringsAreSorted(s.Pre.Tools) {
		c.bad("state %d: precondition tools out of order", i)
	}
}

func (c *checker) leaves() {
	for i := range c.t.Leaves {
		l := &c.t.Leaves[i]
		if l.Node <= Root || int(l.Node) >= len(c.t.Nodes) || c.t.Nodes[l.Node].Parent == -1 {
			c.bad("leaf %d: no node %d", i, l.Node)
		}
		if i > 0 && c.t.Leaves[i-1].Node >= l.Node {
			c.bad("leaf %d: out of order", i)
		}
		if len(l.Tasks) > MaxLeafTasks {
			c.bad("leaf %d: %d tasks", i, len(l.Tasks))
		}
		c.proofs(i, l)
	}
}
