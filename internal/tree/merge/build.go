package merge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/segment"
	"github.com/gbt-policy/gbt/tree"
)

// builder makes a tree out of the folds of evidence that a mask selects.
type builder struct {
	ev   *Evidence
	mask Mask
	vecs *vectors
	t    *tree.Tree
	said []class          // what was said before the macros of each state
	tell telling          // shared words of the family under work
	at   map[string]int32 // state index by key, of the family under work

	given map[string][]string            // prototypes given by hand, by family
	split map[string]map[string][]string // histories with a state of their own, by family and key
	parts map[string][]string            // the same of the family under work
	half  []half

	tasks  [][]taskText        // of each family, under the mask
	units  []uint64            // of the exemplars, of all families in order
	sole   []map[string]uint64 // of each family, tools that one unit alone has
	limits Limits

	ownNext, ownNames bool // Options.OwnSuccessors, Options.OwnNames
	filters           bool // Options.RecoveryFilters
	keepText          bool // Options.KeepText
}

// half is a state that is split off a whole one.
type half struct{ state, whole int32 }

// standard makes the tree of the default profile.
func (m *merger) standard(mask Mask) (built, error) {
	ev, b := m.ev, m.newBuilder(mask)
	if m.opt.SplitAliased {
		aliased := ev.audit(mask)
		b.split = aliased.splits()
	}
	b.t.Nodes = append(b.t.Nodes, tree.Node{Parent: -1, State: -1})
	for _, name := range ev.Families() {
		if f := ev.families[name]; f.count.in(mask).Success > 0 {
			b.family(name, f)
		}
	}
	b.fit()
	for _, h := range b.half {
		b.t.States[h.state].Fit = b.t.States[h.whole].Fit
	}
	b.clusters()
	var all []scored
	if m.opt.Abstain > 0 {
		all = b.bound(m.opt.Abstain, m.opt.Late)
	}
	if err := b.t.Check(); err != nil {
		return built{}, fmt.Errorf("merged tree breaks an invariant: %w", err)
	}
	return built{b.t, b.limits, all}, nil
}

func (m *merger) newBuilder(mask Mask) *builder {
	b := &builder{ev: m.ev, mask: mask, vecs: m.vecs, t: &tree.Tree{}, given: map[string][]string{}}
	b.filters = m.opt.RecoveryFilters
	b.ownNext, b.ownNames, b.keepText = m.opt.OwnSuccessors, m.opt.OwnNames, m.opt.KeepText
	for _, s := range m.opt.Families {
		b.given[s.Name] = s.Prototypes
	}
	return b
}

func (b *builder) family(name string, f *family) {
	index := int32(len(b.t.Families))
	fam := tree.Family{Name: name, Tools: b.tools(f), First: int32(len(b.t.States))}
	fam.Prototypes, fam.Centroid = b.prototypes(name, f)
	b.parts = b.split[name]
	b.tells(f)
	keys := b.states(index, f)
	fam.Start = b.at[startKey]
	fam.Vocabulary = int32(len(keys))
	fam.Common = b.common(keys)
	fam.Node = int32(len(b.t.Nodes))
	b.t.Families = append(b.t.Families, fam)
	b.place(f.root, tree.Root, fam.Start, startKey)
}

// states appends the family's states in key order and returns the keys of
// those that stand for macros.
func (b *builder) states(index int32, f *family) []string {
	var keys, macros []string
	for _, key := range sortedKeys(f.states) {
		if f.states[key].count.in(b.mask).Success > 0 {
			keys = append(keys, key)
		}
	}
	deltas := map[effect.Delta]bool{}
	for _, key := range keys {
		if key != startKey {
			macros = append(macros, key)
			deltas[f.states[key].does.main()] = true // proposals are matched by what actions do
		}
	}
	for d := range deltas {
		keys = append(keys, genericKey(d))
	}
	for _, key := range macros {
		for _, before := range b.parts[key] {
			keys = append(keys, tree.SplitKey(key, before))
		}
	}
	slices.Sort(keys)
	b.at = make(map[string]int32, len(keys))
	for i, key := range keys {
		b.at[key] = int32(len(b.t.States) + i)
	}
	for _, key := range keys {
		b.t.States = append(b.t.States, b.state(index, key, f))
	}
	for _, key := range macros {
		for _, before := range b.parts[key] {
			b.part(key, before, f.states[key].split[before])
		}
	}
	b.collect(f, macros)
	return macros
}

// tools are the tools seen in a family. Where folds are left out, those that a
// task of the others has: a tool that only a task left out used is not known.
func (b *builder) tools(f *family) []string {
	all := sortedKeys(f.tools)
	if b.mask == All {
		return all
	}
	seen := map[string]bool{}
	for _, e := range f.tasks.items {
		if e.item.folds&b.mask != 0 {
			for _, tool := range e.item.tools {
				seen[tool] = true
			}
		}
	}
	return slices.DeleteFunc(all, func(tool string) bool { return !seen[tool] })
}

// words returns the directions of the sampled texts of a state.
func (b *builder) words(s *state) []tree.Vec {
	var out []tree.Vec
	for _, e := range s.texts.items {
		if e.item.folds&b.mask != 0 && !b.ownNames {
			out = append(out, b.vecs.of(e.item.words))
		}
	}
	return out
}

// common orders a family's states by the number of tasks they served.
func (b *builder) common(keys []string) []int32 {
	var out []int32
	for _, key := range keys {
		out = append(out, b.at[key])
	}
	slices.SortStableFunc(out, func(x, y int32) int {
		return cmp.Compare(b.t.States[y].Count.Tasks, b.t.States[x].Count.Tasks)
	})
	return out[:min(len(out), tree.MaxCommon)]
}

// genericKey names the state that stands for any macro with a change.
func genericKey(d effect.Delta) string { return "*" + d.String() }

func (b *builder) state(index int32, key string, f *family) tree.State {
	s := f.states[key]
	switch {
	case s == nil && key[0] == '*':
		return b.generic(index, key)
	case s == nil: // split off another; part fills it in
		return tree.State{Family: index, Key: key}
	}
	out := tree.State{Family: index, Key: key, Count: s.count.in(b.mask)}
	if key == startKey {
		out.Delta = effect.DeltaNone
	} else {
		out.Delta = s.deltas.main()
		out.Risk = effect.RiskOf(out.Delta, s.sensitive())
		out.Tools = uses(s.tools, maxTools)
		b.describe(&out, s)
	}
	out.Next = b.edges(key, s.next)
	out.Pre = b.pre(s, out.Tools)
	return out
}

// edges are the successors of a state, those seen under the mask, by index.
func (b *builder) edges(from string, next map[string]*count) []tree.Edge {
	var out []tree.Edge
	if b.ownNext && from != startKey {
		return nil
	}
	for to, c := range next {
		if n := c.in(b.mask); n.Success > 0 && to != endKey {
			out = append(out, tree.Edge{To: b.to(from, to), Count: n})
		}
	}
	slices.SortFunc(out, func(x, y tree.Edge) int { return cmp.Compare(x.To, y.To) })
	return out
}

// to is the state of a key after another.
func (b *builder) to(from, key string) int32 {
	if slices.Contains(b.parts[key], from) {
		return b.at[tree.SplitKey(key, from)]
	}
	return b.at[key]
}

// part fills in a state that is split off: it is the whole one but for its
// evidence and for what comes next.
func (b *builder) part(key, before string, next map[string]*count) {
	whole, i := b.at[key], b.at[tree.SplitKey(key, before)]
	out := b.t.States[whole]
	out.Key, out.Next = b.t.States[i].Key, b.edges(key, next)
	var sum count
	for _, c := range next {
		sum.union(c)
	}
	out.Count = sum.in(b.mask)
	b.t.States[i] = out
	b.half = append(b.half, half{i, whole})
}

func (b *builder) generic(index int32, key string) tree.State {
	for d := effect.Delta(0); d < effect.NumDeltas; d++ {
		if genericKey(d) == key {
			return tree.State{Family: index, Key: key, Generic: true, Delta: d, Risk: d.Risk(),
				Desc: "any other step of kind " + d.String()}
		}
	}
	panic("gbt: internal error: no generic state " + key)
}

// minPreSuccess is how many successes must agree before what came first in all
// of them is taken for a precondition: with 3 of 3, chance agreement of an
// even chance is one in eight.
const minPreSuccess = 3

func (b *builder) pre(s *state, tools []tree.Use) tree.Pre {
	var pre tree.Pre
	if b.filters && s.seen >= minPreSuccess {
		for _, k := range sortedKeys(s.after) {
			if i, ok := b.at[k]; ok && s.after[k] == s.seen {
				pre.After = append(pre.After, i)
			}
		}
	}
	for _, u := range tools {
		pre.Tools = append(pre.Tools, u.Name)
	}
	slices.Sort(pre.Tools)
	return pre
}

// maxTools bounds the tools listed with a state.
const maxTools = 16

// uses returns the most used tools, ties by name.
func uses(calls map[string]uint32, limit int) []tree.Use {
	var out []tree.Use
	for _, name := range sortedKeys(calls) {
		out = append(out, tree.Use{Name: name, Calls: calls[name]})
	}
	slices.SortStableFunc(out, func(a, b tree.Use) int { return cmp.Compare(b.Calls, a.Calls) })
	return out[:min(len(out), limit)]
}

// place appends the subtree of one place, parents before children.
func (b *builder) place(p *place, parent, state int32, key string) {
	index := int32(len(b.t.Nodes))
	b.t.Nodes = append(b.t.Nodes, tree.Node{Parent: parent, State: state, Count: p.count.in(b.mask)})
	b.leaf(p, index)
	for _, next := range sortedKeys(p.next) {
		if c := p.next[next]; c.count.in(b.mask).Success > 0 {
			b.place(c, index, b.to(key, next), next)
		}
	}
}

func (b *builder) leaf(p *place, index int32) {
	if p.ends == nil {
		return
	}
	l := tree.Leaf{Node: index}
	if b.filters {
		l.Env = envVec(&p.ends.env)
	}
	for f, n := range p.ends.count {
		if b.mask.has(f) {
			l.Count += n
		}
	}
	for _, e := range p.ends.tasks.items {
		if e.item.folds&b.mask != 0 {
			l.Tasks = append(l.Tasks, b.sealed(e.item.words))
		}
	}
	if l.Count > 0 {
		b.t.Leaves = append(b.t.Leaves, l)
	}
}

// envVec scales counts to bytes: the direction is the signature.
func envVec(env *[tree.EnvDims]uint32) tree.Vec {
	var top uint32
	for _, n := range env {
		top = max(top, n)
	}
	if top == 0 {
		return nil
	}
	v := make(tree.Vec, len(env))
	for i, n := range env {
		v[i] = int8((uint64(n)*127 + uint64(top)/2) / uint64(top))
	}
	return v
}

// clusters sums the states that look alike: resource family, risk level and
// signature bucket (requirement S5).
func (b *builder) clusters() {
	sums := map[string]tree.Count{}
	for i := range b.t.States {
		s := &b.t.States[i]
		if s.Generic || len(s.Tools) == 0 || s.Action() != s.Key {
			continue // without tools it is a start, and one that is split off is in the whole
		}
		k := tree.ClusterKey(s)
		c := sums[k]
		c.Tasks += s.Count.Tasks
		c.Success += s.Count.Success
		c.Failure += s.Count.Failure
		sums[k] = c
	}
	for _, k := range sortedKeys(sums) {
		b.t.Clusters = append(b.t.Clusters, tree.Cluster{Key: k, Count: sums[k]})
	}
}

// describe fills in a state's words and directions.
func (b *builder) describe(out *tree.State, s *state) {
	name := b.vecs.of(nameText(out.Key, s))
	out.Vecs = directions(name, b.words(s))
	sum := segment.Describe(out.Key, out.Delta, names(out.Tools), b.says(out.Key, s, out.Vecs))
	out.Desc = sum.MacroDesc
	out.Observed = out.Delta != effect.DeltaNone && s.observed()
}

// says is what the logs add to a state's name: the words that tasks share, or the
// most central sentence where text is kept. Nobody sees the words of
// cross-validation.
func (b *builder) says(key string, s *state, dirs []tree.Vec) string {
	switch {
	case b.mask != All:
		return ""
	case b.keepText:
		return b.central(s, dirs)
	}
	return strings.Join(b.tell.words(key), ", ")
}

// tells finds the words that the states of a family may show.
func (b *builder) tells(f *family) {
	if b.tell = (telling{}); b.mask == All && !b.keepText {
		b.tell = newTelling(f)
	}
}

// sealed is a text of the logs as the tree has it: its direction, and its words
// where text is kept.
func (b *builder) sealed(words string) tree.Text {
	t := tree.Text{Vec: b.vecs.of(words)}
	if b.keepText {
		t.Text = words
	}
	return t
}

func names(us []tree.Use) []string {
	out := make([]string, len(us))
	for i, u := range us {
		out[i] = u.Name
	}
	return out
}
