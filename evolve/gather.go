package evolve

import (
	"cmp"
	"encoding/hex"
	"maps"
	"slices"

	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/tree"
)

// maxRuns bounds the runs that an edit names.
const maxRuns = 8

// tally is evidence while it is gathered.
type tally struct {
	tasks            map[uint64]bool // of successes
	success, failure uint32
	runs             []string
}

func (t *tally) add(r *Run) {
	if id := r.id(); len(t.runs) < maxRuns && !slices.Contains(t.runs, id) {
		t.runs = append(t.runs, id) // runs come by their digests
	}
	if !r.Success {
		t.failure++
		return
	}
	if t.tasks == nil {
		t.tasks = map[uint64]bool{}
	}
	t.tasks[r.Trace.TaskKey] = true
	t.success++
}

// count is the evidence; of tasks, those that old does not have.
func (t *tally) count(old map[uint64]bool) tree.Count {
	c := tree.Count{Success: t.success, Failure: t.failure}
	for task := range t.tasks {
		if !old[task] {
			c.Tasks++
		}
	}
	return c
}

func (r *Run) id() string { return idOf(r.Trace) }

// idOf names an episode by its content.
func idOf(t *merge.Trace) string { return hex.EncodeToString(t.Digest[:8]) }

// gathered is what runs of one family show, against the sealed tree.
type gathered struct {
	*base
	index  int32
	states map[string]*tally            // by key, whole and split off
	steps  map[string]map[string]*tally // by keys
	nodes  map[int32]*tally             // of the sealed tree
	fresh  map[string][]*merge.Macro    // macros of states that the tree has not, by action
	ways   []way                        // of successes
	first  map[[2]string]bool           // steps that a success took
	after  map[string]*past             // what came after an action that another came before, by the split key
}

// way is the path of one success.
type way struct {
	Keys []string
	Task tree.Vec
	run  *Run
}

func newGathered(b *base, family int32) *gathered {
	return &gathered{base: b, index: family, states: map[string]*tally{}, steps: map[string]map[string]*tally{}, nodes: map[int32]*tally{},
		fresh: map[string][]*merge.Macro{}, first: map[[2]string]bool{}, after: map[string]*past{}}
}

// gather counts runs of one family as distillation does: successes all they did,
// failures along what the tree or a success shows (decision 10). Runs are sorted.
func gather(b *base, family int32, runs []*Run) *gathered {
	g := newGathered(b, family)
	for _, success := range []bool{true, false} {
		for _, r := range runs {
			if r.Success == success {
				g.count(r)
			}
		}
	}
	return g
}

func (g *gathered) startKey() string { return g.view.States[g.view.Families[g.index].Start].Key }

func (g *gathered) find(key string) *tree.State {
	if i, ok := g.view.FindState(g.index, key); ok && !g.view.States[i].Generic {
		return &g.view.States[i]
	}
	return nil
}

// count adds one run.
func (g *gathered) count(r *Run) {
	g.state(g.startKey(), r)
	last, history := g.startKey(), ""
	var before *past // of the last action; nil at the start
	for i := range r.Trace.Macros {
		m := &r.Trace.Macros[i]
		if r.Success && g.find(m.Key) == nil {
			g.fresh[m.Key] = append(g.fresh[m.Key], m)
		}
		if m.Key == last {
			continue
		}
		known := g.find(m.Key) != nil || g.fresh[m.Key] != nil
		if known {
			g.state(m.Key, r)
			g.state(tree.SplitKey(m.Key, last), r)
		}
		if r.Success {
			g.first[[2]string{last, m.Key}] = true
		}
		if known && (g.first[[2]string{last, m.Key}] || g.has(last, m.Key)) {
			g.step(last, m.Key, last, r)
			if part := tree.SplitKey(last, history); g.find(part) != nil {
				g.step(part, m.Key, last, r)
			}
			before = g.pass(before, last, m.Key, r)
		} else {
			before = nil
		}
		history, last = last, m.Key
	}
	if before != nil && r.Success {
		before.went(merge.End, r)
	}
	g.walk(r)
}

// has says whether the tree has a step between two actions.
func (g *gathered) has(from, to string) bool {
	s := g.find(from)
	return s != nil && slices.ContainsFunc(s.Next, func(e tree.Edge) bool { return g.view.States[e.To].Action() == to })
}

// state counts a run at a state that there is; one with a new action is there too.
func (g *gathered) state(key string, r *Run) {
	if g.find(key) == nil && g.fresh[key] == nil {
		return
	}
	if g.states[key] == nil {
		g.states[key] = &tally{}
	}
	g.states[key].add(r)
}

// step counts a step from a state to the one of an action after another.
func (g *gathered) step(from, to, before string, r *Run) {
	if part := tree.SplitKey(to, before); g.find(part) != nil {
		to = part
	}
	if g.steps[from] == nil {
		g.steps[from] = map[string]*tally{}
	}
	if g.steps[from][to] == nil {
		g.steps[from][to] = &tally{}
	}
	g.steps[from][to].add(r)
}

// walk counts a run at the places of the tree that it passed, and keeps the way of
// a success.
func (g *gathered) walk(r *Run) {
	w := way{Task: r.Vec, run: r}
	node := g.view.Families[g.index].Node
	g.node(node, r)
	for _, i := range r.Trace.Way() {
		m := &r.Trace.Macros[i]
		w.Keys = append(w.Keys, m.Key)
		if node >= 0 {
			node = g.kid(node, m.Key)
			g.node(node, r)
		}
	}
	if r.Success && len(w.Keys) > 0 {
		g.ways = append(g.ways, w)
	}
}

func (g *gathered) node(node int32, r *Run) {
	if node < 0 {
		return
	}
	if g.nodes[node] == nil {
		g.nodes[node] = &tally{}
	}
	g.nodes[node].add(r)
}

// byFamily sorts runs by their family.
func byFamily(runs []*Run) map[int32][]*Run {
	out := map[int32][]*Run{}
	for _, r := range runs {
		out[r.Family] = append(out[r.Family], r)
	}
	return out
}

func sortedInts[V any](m map[int32]V) []int32 { return slices.Sorted(maps.Keys(m)) }

func sortRuns(runs []*Run) {
	slices.SortFunc(runs, func(a, b *Run) int { return cmp.Compare(a.id(), b.id()) })
}

// compare orders by the first pair of texts that differ.
func compare(pairs ...string) int {
	for i := 0; i+1 < len(pairs); i += 2 {
		if c := cmp.Compare(pairs[i], pairs[i+1]); c != 0 {
			return c
		}
	}
	return 0
}
