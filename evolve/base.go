package evolve

import (
	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/tree"
)

// base is the sealed policy that edits are made for, ready to be walked.
type base struct {
	policy *artifacts.Policy
	view   *tree.View
	enc    *memo
	kids   []map[string]int32 // by node: its children by their actions
	old    map[uint64]bool    // tasks of new runs that the policy has seen before
}

func newBase(p *artifacts.Policy) *base {
	b := &base{policy: p, view: tree.NewView(&p.Tree), enc: newMemo(), old: map[uint64]bool{}}
	b.kids = make([]map[string]int32, len(p.Tree.Nodes))
	for i := range p.Tree.Nodes {
		n := &p.Tree.Nodes[i]
		if n.Parent <= tree.Root {
			continue
		}
		if b.kids[n.Parent] == nil {
			b.kids[n.Parent] = map[string]int32{}
		}
		b.kids[n.Parent][p.Tree.States[n.State].Action()] = int32(i)
	}
	return b
}

// kid is the child of a node with an action, -1 for none.
func (b *base) kid(node int32, action string) int32 {
	if i, ok := b.kids[node][action]; ok {
		return i
	}
	return -1
}

// seen notes which tasks of new episodes the policy was made from already: they
// are no new evidence of how many tasks need something.
func (b *base) seen(all []distill.Fresh) {
	known := make(map[string]bool, len(b.policy.TaskDigests))
	for _, d := range b.policy.TaskDigests {
		known[string(d)] = true
	}
	for i := range all {
		for _, d := range all[i].Tasks {
			if known[string(d)] {
				b.old[all[i].Trace.TaskKey] = true
			}
		}
	}
}
