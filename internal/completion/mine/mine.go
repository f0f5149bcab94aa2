package mine

import (
	"cmp"
	"slices"

	"github.com/gbt-policy/gbt/internal/redact"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/segment"
	"github.com/gbt-policy/gbt/tree"
)

// Options are the settings of Mine. Zero values stand for the defaults.
type Options struct {
	MinTasks int     // tasks that a place must have; segment.MinShared
	Sure     float64 // lower bound of the share of successes among the tasks that pass them, from which on they decide; Sure
	Least    float64 // lower bound of the share of tasks that pass all checks of a place; Least
}

// Least is the default of Options.Least; docs/completion.md says how it was chosen.
const Least = 0.5

// Sure is the default of Options.Sure.
const Sure = 0.8

// Found says what Mine found.
type Found struct {
	Leaves  int `json:"leaves"`          // with a check
	Refuted int `json:"leaves_refuted"`  // leaves with one that the logs show to fail
	Decides int `json:"leaves_deciding"` // leaves whose checks tell successes from other runs
	Checks  int `json:"mined"`           // of all families
}

// maxRecords bounds the episodes that are looked at: those with the least digests, so that
// the choice does not hang on the order of the logs.
const maxRecords = 1 << 14

// Mine chooses the completion checks of a tree's leaves and seals them there. The tree was
// merged from the source, and familyOf says in which family a trace was counted.
func Mine(src merge.Source, familyOf func(*merge.Trace) string, t *tree.Tree, opt Options) (Found, error) {
	opt.MinTasks, opt.Least = cmp.Or(opt.MinTasks, segment.MinShared), cmp.Or(opt.Least, Least)
	opt.Sure = cmp.Or(opt.Sure, Sure)
	traces, err := sampled(src)
	if err != nil {
		return Found{}, err
	}
	m := &miner{opt: opt, tree: t, places: placesOf(t)}
	m.count(traces)
	for f := range t.Families {
		m.family(int32(f), m.records(traces, familyOf, int32(f)))
	}
	return m.found, nil
}

// sampled are the traces that say what they showed.
func sampled(src merge.Source) ([]*merge.Trace, error) {
	var out []*merge.Trace
	least := func() {
		slices.SortFunc(out, func(a, b *merge.Trace) int { return cmp.Compare(a.Key(), b.Key()) })
		out = out[:min(len(out), maxRecords)]
	}
	for i := range src.Parts() {
		for t, err := range src.Part(i) {
			if err != nil {
				return nil, err
			}
			if t.Shown == nil || len(t.Macros) == 0 {
				continue
			}
			if out = append(out, t); len(out) == 2*maxRecords {
				least()
			}
		}
	}
	least()
	return out, nil
}

type miner struct {
	opt    Options
	tree   *tree.Tree
	places map[step]int32 // node by its parent and action
	keys   []string       // checks that enough tasks share, in order
	at     map[string]int32
	found  Found
}

type step struct {
	parent int32
	action string
}

func placesOf(t *tree.Tree) map[step]int32 {
	out := make(map[step]int32, len(t.Nodes))
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.State >= 0 {
			out[step{n.Parent, t.States[n.State].Action()}] = int32(i)
		}
	}
	return out
}

// count finds the checks that enough tasks share, and that hold no secret.
func (m *miner) count(traces []*merge.Trace) {
	tasks := map[string]map[uint64]bool{}
	for _, t := range traces {
		if !t.Success {
			continue
		}
		for _, key := range t.Shown.Passed {
			if tasks[key] == nil {
				tasks[key] = map[uint64]bool{}
			}
			if len(tasks[key]) < m.opt.MinTasks {
				tasks[key][t.TaskKey] = true
			}
		}
	}
	detector, err := redact.New()
	if err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	for key, seen := range tasks {
		if p := proofOf(key); len(seen) == m.opt.MinTasks && len(detector.Find(p.Subject)) == 0 && len(detector.Find(p.Value)) == 0 {
			m.keys = append(m.keys, key)
		}
	}
	slices.Sort(m.keys)
	m.at = make(map[string]int32, len(m.keys))
	for i, key := range m.keys {
		m.at[key] = int32(i)
	}
}

// record is a trace beside the tree.
type record struct {
	success bool
	task    uint64
	way     []int32         // nodes, as far as the tree has them
	leaf    bool            // the way is whole
	last    string          // action of the last macro
	actions map[string]bool // of all
	passed  map[int32]bool
	failed  map[int32]bool
	early   map[int32]bool
}

func (m *miner) records(traces []*merge.Trace, familyOf func(*merge.Trace) string, family int32) []*record {
	var out []*record
	f := &m.tree.Families[family]
	for _, t := range traces {
		if familyOf(t) != f.Name {
			continue
		}
		r := &record{success: t.Success, task: t.TaskKey, actions: map[string]bool{},
			passed: m.set(t.Shown.Passed), failed: m.set(t.Shown.Failed), early: m.set(t.Shown.Early)}
		at, on := f.Node, true
		for _, i := range segment.Collapse(len(t.Macros), func(i int) string { return t.Macros[i].Key }) {
			r.last = t.Macros[i].Key
			r.actions[r.last] = true
			if on {
				if at, on = m.places[step{at, r.last}], true; at == 0 {
					on = false
					continue
				}
				r.way = append(r.way, at)
			}
		}
		r.leaf = on
		out = append(out, r)
	}
	return out
}

func (m *miner) set(keys []string) map[int32]bool {
	out := map[int32]bool{}
	for _, k := range keys {
		if i, ok := m.at[k]; ok {
			out[i] = true
		}
	}
	return out
}
