package evolve

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/tree"
)

// past is what new runs did after an action that another one came before.
type past struct {
	action, before string
	came           tally
	next           map[string]*tally // by action; merge.End for the end of a success
}

// pass counts a run that went on from one action to another, with what had come
// before the first of them, if that is known.
func (g *gathered) pass(at *past, before, action string, r *Run) *past {
	if at != nil {
		at.went(action, r)
	}
	key := tree.SplitKey(action, before)
	c := g.after[key]
	if c == nil {
		c = &past{action: action, before: before, next: map[string]*tally{}}
		g.after[key] = c
	}
	c.came.add(r)
	return c
}

func (c *past) went(next string, r *Run) {
	if c.next[next] == nil {
		c.next[next] = &tally{}
	}
	c.next[next].add(r)
}

// split is an edit of the kind Split: a state that stands for two things gets a state
// of its own for what comes after another action (requirement T8). The new one offers
// all that the old one does; it counts what happened there alone.
type split struct {
	Family         int32
	Action, Before string
	Count          tree.Count            // runs that came by
	Next           map[string]tree.Count // how they went on, by action
}

func (c *split) apply(d *draft) {
	f := d.families[c.Family]
	whole, key := f.states[c.Action], tree.SplitKey(c.Action, c.Before)
	if whole == nil || f.states[key] != nil || !f.lead(c.Before, c.Action, key) {
		return
	}
	part := &state{State: whole.State, next: map[string]tree.Count{}, after: whole.after}
	part.Key, part.Count = key, c.Count
	for to := range whole.next {
		if s := f.states[to]; s != nil {
			part.next[to] = c.Next[s.Action()]
		}
	}
	f.states[key] = part
	f.root.rename(f, c.Before, c.Action, key)
}

// lead makes the steps from one action to another lead to a state of its own, and
// says whether there is one.
func (f *family) lead(before, action, key string) bool {
	found := false
	for _, s := range f.states {
		if n, ok := s.next[action]; ok && s.Action() == before {
			delete(s.next, action)
			s.next[key], found = n, true
		}
	}
	return found
}

// rename gives the places of an action after another one their own state.
func (p *place) rename(f *family, before, action, key string) {
	if kid := p.kids[action]; kid != nil && f.states[p.state].Action() == before {
		kid.state = key
	}
	for _, kid := range p.kids {
		kid.rename(f, before, action, key)
	}
}

// splits are an edit for each state of the tree and each action before it after
// which most runs go on otherwise than after the others, if the audit of requirement
// T8 says of the state that what follows depends on what came before.
func (g *gathered) splits() []*Edit {
	states := map[string]merge.Contexts{}
	for _, c := range g.after {
		if g.find(c.action) == nil {
			continue
		}
		if states[c.action] == nil {
			states[c.action] = merge.Contexts{}
		}
		states[c.action][c.before] = c.tasks()
	}
	var out []*Edit
	for _, a := range merge.Dependent(g.view.Families[g.index].Name, states) {
		for _, before := range a.Before {
			here, rest := usual(states[a.Key], before)
			if here == rest || g.find(tree.SplitKey(a.Key, before)) != nil {
				continue
			}
			c := g.after[tree.SplitKey(a.Key, before)]
			why := fmt.Sprintf("after %s most of %d tasks went on with %s, after other steps with %s; G %.0f of %d degrees of freedom",
				before, len(c.came.tasks), here, rest, a.Statistic, a.Freedom)
			e := g.edit(Split, a.Key, tree.SplitKey(a.Key, before), &c.came, why, g.split(c))
			e.after = before
			out = append(out, e)
		}
	}
	return out
}

// tasks are the tasks that succeeded, by how they went on.
func (c *past) tasks() map[string]int {
	out := map[string]int{}
	for next, n := range c.next {
		out[next] = len(n.tasks)
	}
	return out
}

// usual is how most tasks went on after one action before, and after all others; the
// lesser of two that as many took.
func usual(all merge.Contexts, before string) (here, rest string) {
	others := map[string]int{}
	for b, next := range all {
		for to, n := range next {
			if b != before {
				others[to] += n
			}
		}
	}
	return most(all[before]), most(others)
}

func most(next map[string]int) string {
	best := ""
	for _, to := range slices.Sorted(maps.Keys(next)) {
		if to != merge.End && (best == "" || next[to] > next[best]) {
			best = to
		}
	}
	return cmp.Or(best, merge.End)
}

// split counts what happened at an action after another one: at the places of the
// sealed tree, and in the new runs.
func (g *gathered) split(c *past) *split {
	out := &split{Family: g.index, Action: c.action, Before: c.before, Count: c.came.count(g.old), Next: map[string]tree.Count{}}
	for to, n := range c.next {
		if to != merge.End {
			out.Next[to] = n.count(g.old)
		}
	}
	t := g.view.Tree
	at := func(node int32) string { return t.States[t.Nodes[node].State].Action() }
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.State < 0 || t.States[n.State].Family != g.index || n.Parent <= tree.Root {
			continue
		}
		if here := t.States[n.State].Action(); here == c.action && at(n.Parent) == c.before {
			out.Count = sum(out.Count, n.Count)
		} else if up := t.Nodes[n.Parent].Parent; up > tree.Root && at(n.Parent) == c.action && at(up) == c.before {
			out.Next[here] = sum(out.Next[here], n.Count)
		}
	}
	return out
}
