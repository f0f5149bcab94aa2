package localise

import (
	"slices"

	"github.com/gbt-policy/gbt/tree"
)

// Steps reads what is known of each choice of a run off a tree: states are those
// that its macros matched, in order, after the start state of the family (None for a
// macro that none matches). After such a macro nothing is known of the next choice.
func Steps(t *tree.Tree, start int32, states []int32) []Step {
	out := make([]Step, len(states))
	from := start
	for i, to := range states {
		out[i].Took = to
		if from != None {
			for _, e := range t.States[from].Next {
				out[i].Ways = append(out[i].Ways, Way{To: e.To, Success: e.Count.Success, Failure: e.Count.Failure})
			}
		}
		from = to
	}
	return out
}

// PathTo returns the states on the way from the family's start to a node, without
// the start: a successful path, where the node is a leaf.
func PathTo(t *tree.Tree, node int32) []int32 {
	var out []int32
	for n := node; n > tree.Root && t.Nodes[n].Parent > tree.Root; n = t.Nodes[n].Parent {
		out = append(out, t.Nodes[n].State)
	}
	slices.Reverse(out)
	return out
}
