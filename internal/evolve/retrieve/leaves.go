package retrieve

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/tree"
)

// OfPath is the document of a successful path: the descriptions of its states, their
// tools and actions, and the tasks that ended so. id names it.
func OfPath(t *tree.Tree, id string, states []int32, tasks []tree.Vec) Document {
	d := Document{ID: id, Vecs: tasks}
	var words []string
	for _, i := range slices.Compact(slices.Sorted(slices.Values(states))) {
		s := &t.States[i]
		words = append(words, s.Desc)
		d.Names = append(d.Names, s.Action())
		for _, u := range s.Tools {
			d.Names = append(d.Names, u.Name)
		}
	}
	slices.Sort(d.Names)
	d.Names = slices.Compact(d.Names)
	d.Text = strings.Join(words, "\n")
	return d
}

// Leaves are the documents of a tree's success leaves, in their order.
func Leaves(t *tree.Tree) []Document {
	out := make([]Document, len(t.Leaves))
	for i := range t.Leaves {
		l := &t.Leaves[i]
		var tasks []tree.Vec
		for _, task := range l.Tasks {
			tasks = append(tasks, task.Vec)
		}
		out[i] = OfPath(t, strconv.Itoa(i), pathTo(t, l.Node), tasks)
	}
	return out
}

// pathTo returns the states from below the family's own node down to a node.
func pathTo(t *tree.Tree, node int32) []int32 {
	var out []int32
	for n := node; n > tree.Root && t.Nodes[n].Parent > tree.Root; n = t.Nodes[n].Parent {
		out = append(out, t.Nodes[n].State)
	}
	return out
}
