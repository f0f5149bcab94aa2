package evolve

import (
	"fmt"
	"slices"

	"github.com/gbt-policy/gbt/internal/completion/fixes"
	"github.com/gbt-policy/gbt/internal/completion/mine"
	"github.com/gbt-policy/gbt/tree"
)

// support is an edit of the kind Support: what new runs add to what is counted for and
// against the completion checks, known fixes and retry bounds of a family, by their places in
// its lists. It adds none and takes none away: mining new ones is for distillation.
type support struct {
	Family  int32
	Checks  map[int]checkMore       `json:",omitempty"`
	Fixes   map[int]fixes.FixMore   `json:",omitempty"`
	Retries map[int]fixes.RetryMore `json:",omitempty"`
}

// checkMore is what new runs add to what is counted of a check.
type checkMore struct{ Passed, Tasks, Failed, Against, Early uint32 }

func (c *support) apply(d *draft) {
	f := d.families[c.Family]
	f.Proofs, f.Fixes, f.Retries = slices.Clone(f.Proofs), slices.Clone(f.Fixes), slices.Clone(f.Retries)
	for i, n := range c.Checks {
		p := &f.Proofs[i]
		p.Passed, p.Tasks, p.Failed, p.Against, p.Early = add(p.Passed, n.Passed), add(p.Tasks, n.Tasks), add(p.Failed, n.Failed), add(p.Against, n.Against), add(p.Early, n.Early)
	}
	for i, n := range c.Fixes {
		x := &f.Fixes[i]
		x.Worked, x.Failed = add(x.Worked, n.Worked), add(x.Failed, n.Failed)
	}
	for i, n := range c.Retries {
		n.Add(&f.Retries[i])
	}
}

// support counts what runs of the family say of its checks, fixes and bounds.
func (g *gathered) support(runs []*Run) []*Edit {
	f := &g.view.Families[g.index]
	c := &support{Family: g.index, Checks: map[int]checkMore{}}
	by := &tally{}
	fresh, all := fixes.NewSeen(), fixes.NewSeen()
	for _, r := range runs {
		by.add(r)
		if all.Add(r.Trace); !g.old[r.Trace.TaskKey] {
			fresh.Add(r.Trace)
		}
	}
	for i := range f.Proofs {
		if n := g.check(int32(i), &f.Proofs[i], runs); n != (checkMore{}) {
			c.Checks[i] = n
		}
	}
	c.Fixes, c.Retries = fresh.Fixes(f.Fixes), fresh.Retries(f.Retries, all)
	if len(c.Checks)+len(c.Fixes)+len(c.Retries) == 0 {
		return nil
	}
	why := fmt.Sprintf("they speak for or against %d completion checks, %d known fixes and %d retry bounds", len(c.Checks), len(c.Fixes), len(c.Retries))
	return []*Edit{g.edit(Support, g.startKey(), "", by, why, c)}
}

// check counts one check on the runs that are asked for it where they end, as a session asks;
// unsuccessful ones also where they came by the place before a leaf that names it. Successes
// count by task, as in mining.
func (g *gathered) check(i int32, p *tree.Proof, runs []*Run) (n checkMore) {
	before := map[int32]bool{}
	for k := range g.view.Leaves {
		if l := &g.view.Leaves[k]; g.familyOf(l.Node) == g.index && slices.Contains(l.Proofs, i) {
			before[g.view.Nodes[l.Node].Parent] = true
		}
	}
	tasks, lost, early := map[uint64]bool{}, map[uint64]bool{}, map[uint64]bool{}
	for _, r := range runs {
		passed, known, first := mine.Showed(r.Trace.Shown, p)
		if !known {
			continue
		}
		pos, nodes := g.end(r)
		list, _ := g.view.Proofs(&pos)
		at := slices.Contains(list, i)
		switch {
		case !r.Success && (at || slices.ContainsFunc(nodes, func(x int32) bool { return before[x] })):
			n.Against++
			if !passed {
				n.Failed++
			}
		case r.Success && at && !g.old[r.Trace.TaskKey]:
			t := r.Trace.TaskKey
			tasks[t], lost[t], early[t] = true, lost[t] || !passed, early[t] || first
		}
	}
	n.Tasks = uint32(len(tasks))
	for t := range tasks {
		if !lost[t] {
			n.Passed++
		}
		if early[t] {
			n.Early++
		}
	}
	return n
}

func (g *gathered) familyOf(node int32) int32 { return g.view.States[g.view.Nodes[node].State].Family }

// end is where a run ends, and the nodes that it came by, as far as the tree has them.
func (g *gathered) end(r *Run) (pos tree.Pos, nodes []int32) {
	pos = g.view.StartAt(g.index)
	node := pos.Node
	nodes = append(nodes, node)
	for i := range r.Steps {
		if node >= 0 {
			if node = g.kid(node, r.Key(i)); node >= 0 {
				nodes = append(nodes, node)
			}
		}
		if to := r.Steps[i].To; to >= 0 && g.view.States[to].Family == g.index {
			pos.Spine = append(pos.Spine, to)
		}
	}
	pos.Node = node
	return pos, nodes
}
