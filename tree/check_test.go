package tree

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gbt-policy/gbt/gates/effect"
)

// checked is a tree that Check accepts: two families, a gated path and a branch.
func checked() *Tree {
	return &Tree{
		Families: []Family{
			{Name: "notes", Tools: []string{"read", "write"}, First: 0, Start: 0, Node: 1, Common: []int32{1, 0}},
			{Name: "tickets", First: 2, Start: 4, Node: 3},
		},
		States: []State{
			{Family: 0, Key: "start", Next: []Edge{{To: 0}, {To: 1}}},
			{Family: 0, Key: "write:note", Pre: Pre{After: []int32{0, 1}, Tools: []string{"read", "write"}}},
			{Family: 1, Key: "read:ticket"},
			{Family: 1, Key: "send:reply", Risk: effect.MaxRisk},
			{Family: 1, Key: "start", Next: []Edge{{To: 2}}},
		},
		Nodes: []Node{
			{Parent: -1, State: -1},
			{Parent: 0, State: 0},
			{Parent: 1, State: 1},
			{Parent: 0, State: 4, Gates: []string{"g1"}},
			{Parent: 3, State: 2, Gates: []string{"g1", "g2"}},
			{Parent: 4, State: 3, Gates: []string{"g1", "g2"}},
			{Parent: 3, State: 3, Gates: []string{"g1"}},
		},
		Leaves: []Leaf{{Node: 2}, {Node: 5, Tasks: []Text{{Text: "Answer"}}}},
	}
}

func TestCheckAccepts(t *testing.T) {
	if err := checked().Check(); err != nil {
		t.Error(err)
	}
	root := &Tree{Nodes: []Node{{Parent: -1, State: -1}}}
	if err := root.Check(); err != nil {
		t.Errorf("a root alone: %v", err)
	}
}

// TestCheckRefuses breaks one invariant at a time. The message must be about it.
func TestCheckRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(*Tree)
		want string
	}{
		{"no nodes", func(t *Tree) { *t = Tree{} }, "tree has no root"},
		{"too many families", func(t *Tree) { t.Families = make([]Family, MaxFamilies+1) }, "too large"},
		{"root with a parent", func(t *Tree) { t.Nodes[0].Parent = 0 }, "node 0: not a root"},
		{"root with a state", func(t *Tree) { t.Nodes[0].State = 0 }, "node 0: not a root"},
		{"cycle", func(t *Tree) { t.Nodes[4].Parent = 5 }, "node 4: parent 5 does not come before it"},
		{"own parent", func(t *Tree) { t.Nodes[4].Parent = 4 }, "node 4: parent 4 does not come before it"},
		{"second root", func(t *Tree) { t.Nodes[4].Parent = -1 }, "node 4: parent -1 does not come before it"},
		{"not in preorder", func(t *Tree) { t.Nodes[6] = Node{Parent: 2, State: 1} }, "node 6: not in preorder"},
		{"state too large", func(t *Tree) { t.Nodes[6].State = 5 }, "node 6: no state 5"},
		{"state negative", func(t *Tree) { t.Nodes[6].State = -1 }, "node 6: no state -1"},
		{"first layer", func(t *Tree) { t.Nodes[6] = Node{Parent: 0, State: 4} }, "node 6: in the first layer but not a family"},
		{"other family", func(t *Tree) { t.Nodes[6].State = 1 }, "node 6: not of its parent's family"},
		{"gate not inherited", func(t *Tree) { t.Nodes[5].Gates = []string{"g1"} }, "node 5: does not inherit gate g2"},
		{"no gate inherited", func(t *Tree) { t.Nodes[5].Gates = nil }, "node 5: does not inherit gate g1"},
		{"gates unsorted", func(t *Tree) { t.Nodes[5].Gates = []string{"g2", "g1"} }, "node 5: gates out of order"},
		{"gate twice", func(t *Tree) { t.Nodes[5].Gates = []string{"g1", "g2", "g2"} }, "node 5: gates out of order"},
		{"root's gates unsorted", func(t *Tree) { t.Nodes[0].Gates = []string{"b", "a"} }, "node 0: gates out of order"},
		{"states unsorted", func(t *Tree) { t.States[3].Key = "a" }, "state 3: out of order"},
		{"state of no family", func(t *Tree) { t.States[4].Family = 2 }, "state 4: no family 2"},
		{"state of a negative family", func(t *Tree) { t.States[0].Family = -1 }, "state 0: no family -1"},
		{"risk", func(t *Tree) { t.States[3].Risk = effect.MaxRisk + 1 }, "state 3: value out of range"},
		{"delta", func(t *Tree) { t.States[3].Delta = 99 }, "state 3: value out of range"},
		{"vectors", func(t *Tree) { t.States[3].Vecs = make([]Vec, MaxVecs+1) }, "state 3: value out of range"},
		{"long description", func(t *Tree) { t.States[3].Desc = strings.Repeat("x", MaxText+1) }, "state 3: value out of range"},
		{"edge to another family", func(t *Tree) { t.States[4].Next[0].To = 1 }, "state 4: successor 1 is not of its family"},
		{"edge to nowhere", func(t *Tree) { t.States[4].Next[0].To = 5 }, "state 4: successor 5 is not of its family"},
		{"edge backwards", func(t *Tree) { t.States[4].Next[0].To = -1 }, "state 4: successor -1 is not of its family"},
		{"edge twice", func(t *Tree) { t.States[0].Next[1].To = 0 }, "state 0: successors out of order"},
		{"precondition of another family", func(t *Tree) { t.States[1].Pre.After[1] = 2 }, "state 1: precondition names state 2"},
		{"precondition of nowhere", func(t *Tree) { t.States[1].Pre.After[1] = 5 }, "state 1: precondition names state 5"},
		{"precondition unsorted", func(t *Tree) { slices.Reverse(t.States[1].Pre.After) }, "state 1: precondition out of order"},
		{"precondition tools", func(t *Tree) { slices.Reverse(t.States[1].Pre.Tools) }, "state 1: precondition tools out of order"},
		{"families unsorted", func(t *Tree) { t.Families[0].Name = "z" }, `family "tickets": out of order`},
		{"family twice", func(t *Tree) { t.Families[0].Name = "tickets" }, `family "tickets": out of order`},
		{"first state", func(t *Tree) { t.Families[1].First = 3 }, `family "tickets": bad first state 3`},
		{"first state of another", func(t *Tree) { t.Families[1].First = 1 }, `family "tickets": bad first state 1`},
		{"start state", func(t *Tree) { t.Families[1].Start = 0 }, `family "tickets": bad start state 0`},
		{"start state nowhere", func(t *Tree) { t.Families[1].Start = 5 }, `family "tickets": bad start state 5`},
		{"family's node", func(t *Tree) { t.Families[1].Node = 4 }, `family "tickets": bad node 4`},
		{"family's node of another", func(t *Tree) { t.Families[1].Node = 1 }, `family "tickets": bad node 1`},
		{"family's node the root", func(t *Tree) { t.Families[1].Node = 0 }, `family "tickets": bad node 0`},
		{"family tools", func(t *Tree) { slices.Reverse(t.Families[0].Tools) }, `family "notes": tools out of order`},
		{"common of another", func(t *Tree) { t.Families[0].Common[0] = 2 }, `family "notes": common state 2 is not its own`},
		{"many common", func(t *Tree) { t.Families[0].Common = make([]int32, MaxCommon+1) }, `family "notes": 65 common states`},
		{"leaf at the root", func(t *Tree) { t.Leaves[0].Node = 0 }, "leaf 0: no node 0"},
		{"leaf nowhere", func(t *Tree) { t.Leaves[1].Node = 7 }, "leaf 1: no node 7"},
		{"leaf twice", func(t *Tree) { t.Leaves[1].Node = 2 }, "leaf 1: out of order"},
		{"leaf tasks", func(t *Tree) { t.Leaves[1].Tasks = make([]Text, MaxLeafTasks+1) }, "leaf 1: 17 tasks"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := checked()
			c.edit(tree)
			if err := tree.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// TestCheckDepth is at the bound on both sides.
func TestCheckDepth(t *testing.T) {
	chain := func(depth int) *Tree {
		t := &Tree{Families: []Family{{Name: "a", Node: 1}}, States: []State{{Key: "start"}}, Nodes: []Node{{Parent: -1, State: -1}}}
		for i := range depth {
			t.Nodes = append(t.Nodes, Node{Parent: int32(i)})
		}
		return t
	}
	if err := chain(MaxDepth).Check(); err != nil {
		t.Error(err)
	}
	if err := chain(MaxDepth + 1).Check(); err == nil {
		t.Errorf("a path of %d nodes is accepted", MaxDepth+1)
	}
}

// TestCheckSharedGates: a list shared with the parent is taken as checked, a
// list of its own is not, and a shared beginning does not count as shared.
func TestCheckSharedGates(t *testing.T) {
	tree := checked()
	tree.Nodes[5].Gates = tree.Nodes[4].Gates
	if err := tree.Check(); err != nil {
		t.Error(err)
	}
	tree.Nodes[5].Gates = tree.Nodes[4].Gates[:1]
	if err := tree.Check(); err == nil {
		t.Error("a part of the parent's gates is accepted")
	}
	both := []string{"g2", "g1"} // unsorted at the parent: reported there
	tree.Nodes[4].Gates, tree.Nodes[5].Gates = both, both
	if err := tree.Check(); err == nil {
		t.Error("unsorted gates, shared, are accepted")
	}
}

// TestCheckBoundsItsReport: a thoroughly broken tree gives some errors, not one
// for each node.
func TestCheckBoundsItsReport(t *testing.T) {
	tree := checked()
	for range 1000 {
		tree.Nodes = append(tree.Nodes, Node{Parent: 1, State: 99})
	}
	err := tree.Check()
	var list interface{ Unwrap() []error }
	if !errors.As(err, &list) || len(list.Unwrap()) > maxErrors {
		t.Errorf("errors: %v", err)
	}
}

// TestCheckNeverPanics draws trees with any numbers in them. A tree that passes
// must have parents before children, whatever else.
func TestCheckNeverPanics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := checked()
		index := rapid.Int32Range(-2, 9)
		for range rapid.IntRange(1, 6).Draw(t, "edits") {
			edit(t, tree, rapid.IntRange(0, 9).Draw(t, "which"), index)
		}
		if tree.Check() != nil {
			return
		}
		for i := 1; i < len(tree.Nodes); i++ {
			if p := tree.Nodes[i].Parent; p < 0 || int(p) >= i {
				t.Fatalf("node %d has parent %d", i, p)
			}
		}
	})
}

func edit(t *rapid.T, tree *Tree, which int, index *rapid.Generator[int32]) {
	n := &tree.Nodes[rapid.IntRange(0, len(tree.Nodes)-1).Draw(t, "node")]
	s := &tree.States[rapid.IntRange(0, len(tree.States)-1).Draw(t, "state")]
	f := &tree.Families[rapid.IntRange(0, 1).Draw(t, "family")]
	v := index.Draw(t, "value")
	switch which {
	case 0:
		n.Parent = v
	case 1:
		n.State = v
	case 2:
		n.Gates = append(slices.Clone(n.Gates), fmt.Sprint("g", v))
	case 3:
		s.Family = v
	case 4:
		s.Next = append(slices.Clone(s.Next), Edge{To: v})
	case 5:
		s.Pre.After = []int32{v}
	case 6:
		f.First, f.Common = v, []int32{v}
	case 7:
		f.Start = v
	case 8:
		f.Node = v
	case 9:
		tree.Leaves[0].Node = v
	}
}
