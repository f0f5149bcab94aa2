package evolve

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/tree"
)

// proposed are the edits that a set of runs speaks for, and where failed runs went
// wrong.
type proposed struct {
	edits []*Edit
	found []Diagnosis
	drop  []Dropped
}

// propose makes the edits that a set of runs speaks for. Runs are sorted.
func propose(ctx context.Context, b *base, runs []*Run, opt *Options) (*proposed, error) {
	out := &proposed{}
	all, heard := byFamily(runs), listen(b, runs)
	for _, f := range sortedInts(all) {
		g := gather(b, f, all[f])
		out.edits = slices.Concat(out.edits, g.statistics(), g.successors(), g.children(heard[f]), g.words(heard[f]), g.paths(), g.exemplars(), g.support(all[f]), g.splits())
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	if opt.NoRetrieval {
		return out, nil
	}
	have := map[string]bool{}
	for _, e := range out.edits {
		have[e.name()] = true
	}
	repaired, found, dropped, err := repairs(ctx, b, runs, have, opt)
	out.edits, out.found, out.drop = append(out.edits, repaired...), found, dropped
	return out, err
}

// edit makes one edit out of what speaks for it.
func (g *gathered) edit(kind Kind, at, to string, by *tally, why string, c change) *Edit {
	slices.Sort(by.runs)
	return &Edit{
		Kind: kind, Family: g.view.Families[g.index].Name, At: at, To: to, Why: why, family: g.index, change: c,
		Evidence: Evidence{Count: by.count(nil), Runs: by.runs},
	}
}

// counts is an edit of Statistics and Successor: what it adds, by keys of states and
// by nodes of the sealed tree.
type counts struct {
	Family int32
	States map[string]tree.Count            `json:",omitempty"`
	Steps  map[string]map[string]tree.Count `json:",omitempty"`
	Nodes  map[int32]tree.Count             `json:",omitempty"`
}

func (c *counts) apply(d *draft) {
	f := d.families[c.Family]
	f.changed = true
	for key, n := range c.States {
		s := f.states[key]
		s.Count = sum(s.Count, n)
	}
	for from, next := range c.Steps {
		for to, n := range next {
			s := f.states[from]
			s.next[to] = sum(s.next[to], n)
		}
	}
	for i, n := range c.Nodes {
		p := d.places[i]
		p.node.Count = sum(p.node.Count, n)
	}
}

// statistics are an edit for each state of the tree that a run came by (S5): it
// counts at the state and its parts, at the steps from it and at its nodes.
func (g *gathered) statistics() []*Edit {
	by := map[string]*counts{} // by action
	at := func(action string) *counts {
		if by[action] == nil {
			by[action] = &counts{Family: g.index, States: map[string]tree.Count{}, Steps: map[string]map[string]tree.Count{}, Nodes: map[int32]tree.Count{}}
		}
		return by[action]
	}
	for key, n := range g.states {
		if s := g.find(key); s != nil {
			at(s.Action()).States[key] = n.count(g.old)
		}
	}
	for from, next := range g.steps {
		for to, n := range next {
			if s := g.find(from); g.edge(from, to) {
				put(at(s.Action()).Steps, from, to, n.count(g.old))
			}
		}
	}
	for i, n := range g.nodes {
		at(g.view.States[g.view.Nodes[i].State].Action()).Nodes[i] = n.count(g.old)
	}
	var out []*Edit
	for _, action := range slices.Sorted(maps.Keys(by)) {
		n := g.states[action]
		out = append(out, g.edit(Statistics, action, "", n, fmt.Sprintf("%d more runs came by: %d succeeded, %d failed", n.success+n.failure, n.success, n.failure), by[action]))
	}
	return out
}

// edge says whether the tree has a step between two states.
func (g *gathered) edge(from, to string) bool {
	s, t := g.find(from), g.find(to)
	return s != nil && t != nil && slices.ContainsFunc(s.Next, func(e tree.Edge) bool { return g.view.States[e.To].Key == to })
}

func put(m map[string]map[string]tree.Count, from, to string, n tree.Count) {
	if m[from] == nil {
		m[from] = map[string]tree.Count{}
	}
	m[from][to] = n
}

// successors are an edit for each step between two actions that the tree has not,
// though it has both.
func (g *gathered) successors() []*Edit {
	type pair struct{ from, to string }
	by, seen := map[pair]*counts{}, map[pair]*tally{}
	for _, from := range slices.Sorted(maps.Keys(g.steps)) {
		s := g.find(from)
		for _, to := range slices.Sorted(maps.Keys(g.steps[from])) {
			t := g.find(to)
			if s == nil || t == nil || g.edge(from, to) {
				continue
			}
			k := pair{s.Action(), t.Action()}
			if by[k] == nil {
				by[k], seen[k] = &counts{Family: g.index, Steps: map[string]map[string]tree.Count{}}, g.steps[from][to]
			}
			put(by[k].Steps, from, to, g.steps[from][to].count(nil))
		}
	}
	var out []*Edit
	for _, k := range slices.SortedFunc(maps.Keys(by), func(a, b pair) int { return compare(a.from, b.from, a.to, b.to) }) {
		n := seen[k]
		out = append(out, g.edit(Successor, k.from, k.to, n, fmt.Sprintf("runs of %d tasks went on with it and succeeded", len(n.tasks)), by[k]))
	}
	return out
}

// child is an edit of the kind Child.
type child struct {
	Family int32
	State  tree.State
	In     map[string]tree.Count // steps to it, by the key of the state before
	Out    map[string]tree.Count // steps from it
}

func (c *child) apply(d *draft) {
	f := d.families[c.Family]
	if f.states[c.State.Key] != nil {
		return
	}
	f.changed = true
	s := &state{State: c.State, next: maps.Clone(c.Out)}
	if s.next == nil {
		s.next = map[string]tree.Count{}
	}
	f.states[c.State.Key] = s
	if g := merge.GenericState(c.Family, c.State.Delta); f.states[g.Key] == nil {
		f.states[g.Key] = &state{State: g, next: map[string]tree.Count{}}
	}
	for from, n := range c.In {
		if before := f.states[from]; before != nil {
			before.next[c.State.Key] = n
		}
	}
}

// children are an edit for each action that the family has not: a state that
// mirrors what the runs did, with the steps to it and from it (S3, S4).
func (g *gathered) children(of map[string]*said) []*Edit {
	var out []*Edit
	for _, key := range slices.Sorted(maps.Keys(g.fresh)) {
		n := g.states[key]
		c := &child{Family: g.index, State: merge.NewState(g.index, key, g.fresh[key], g.enc), In: map[string]tree.Count{}, Out: map[string]tree.Count{}}
		c.State.Count, c.State.Fit = n.count(nil), of[key].fit
		for to, n := range g.steps[key] {
			c.Out[to] = n.count(nil)
		}
		at, most := "", uint32(0)
		for _, from := range slices.Sorted(maps.Keys(g.steps)) {
			if x := g.steps[from][key]; x != nil {
				c.In[from] = x.count(nil)
				if s := g.find(from); s != nil && s.Key == s.Action() && x.success > most {
					at, most = from, x.success
				}
			}
		}
		out = append(out, g.edit(Child, at, key, n, fmt.Sprintf("runs of %d tasks did it and succeeded, and the family has no macro like it", len(n.tasks)), c))
	}
	return out
}

// paths is an edit of the kind Paths.
type paths struct {
	Family int32
	Ways   []way
}

func (c *paths) apply(d *draft) {
	f := d.families[c.Family]
	made := map[*place]map[uint64]bool{}
	for i := range c.Ways {
		f.grow(&c.Ways[i], made)
	}
	f.changed = true
}

// grow makes the places of a way, as far as the family has its states, and its leaf.
// made are those that new runs made, with their tasks: all others are counted by
// their state's statistics.
func (f *family) grow(w *way, made map[*place]map[uint64]bool) {
	p := f.root
	for i, key := range w.Keys {
		if i+2 > tree.MaxDepth-1 || f.states[key] == nil {
			return
		}
		next, anew := f.child(p, key)
		if anew {
			made[next] = map[uint64]bool{}
		}
		if tasks := made[next]; tasks != nil {
			tasks[w.run.Trace.TaskKey] = true
			next.node.Count.Tasks, next.node.Count.Success = uint32(len(tasks)), next.node.Count.Success+1
		}
		p = next
	}
	if p.leaf == nil {
		p.leaf = &tree.Leaf{}
	}
	p.leaf.Count = add(p.leaf.Count, 1)
	if len(w.Task) > 0 && len(p.leaf.Tasks) < tree.MaxLeafTasks && !slices.ContainsFunc(p.leaf.Tasks, func(t tree.Text) bool { return slices.Equal(t.Vec, w.Task) }) {
		p.leaf.Tasks = append(slices.Clip(p.leaf.Tasks), tree.Text{Vec: w.Task})
	}
}

// maxPlaces bounds the nodes that paths may fill a tree to: from there on
// distillation keeps only places that several tasks share.
const maxPlaces = 1 << 16

// paths is one edit: the places and leaves of all the family's new successes.
func (g *gathered) paths() []*Edit {
	if len(g.ways) == 0 || len(g.view.Nodes) > maxPlaces {
		return nil
	}
	n := &tally{}
	for i := range g.ways {
		n.add(g.ways[i].run)
	}
	return []*Edit{g.edit(Paths, "", "", n, fmt.Sprintf("%d runs succeeded; their ways become places to stand at and leaves to recover to", len(g.ways)), &paths{g.index, g.ways})}
}

// exemplars is an edit of the kind Exemplars.
type exemplars struct {
	Family int32
	Tasks  []tree.Vec
}

func (c *exemplars) apply(d *draft) {
	f := d.families[c.Family]
	for _, v := range c.Tasks {
		if len(f.Exemplars) == tree.MaxExemplars {
			return
		}
		if !slices.ContainsFunc(f.Exemplars, func(x tree.Vec) bool { return slices.Equal(x, v) }) {
			f.Exemplars = append(slices.Clip(f.Exemplars), v)
		}
	}
}

// exemplars is one edit: tasks of the family's successes that the policy does not
// claim yet. It claims more by them, so that runs of other tasks judge it.
func (g *gathered) exemplars() []*Edit {
	if g.policy.Params.RouteNear == 0 {
		return nil // a policy without a boundary claims all
	}
	n, c := &tally{}, &exemplars{Family: g.index}
	for i := range g.ways {
		if r := g.ways[i].run; !r.Claimed && len(r.Vec) > 0 && len(n.tasks) < tree.MaxExemplars {
			if !n.tasks[r.Trace.TaskKey] {
				c.Tasks = append(c.Tasks, r.Vec)
			}
			n.add(r)
		}
	}
	if len(c.Tasks) == 0 {
		return nil
	}
	return []*Edit{g.edit(Exemplars, "", "", n, fmt.Sprintf("runs of %d tasks that the policy abstained from succeeded with the family's macros", len(c.Tasks)), c)}
}
