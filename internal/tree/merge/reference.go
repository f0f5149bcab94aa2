package merge

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/segment"
	"github.com/gbt-policy/gbt/tree"
)

// The reference profile is the literal scheme of 003 §E.3: episodes are
// inserted one after the other, and a macro joins an existing child only if
// signature, statistics and description all agree. The order of insertion is
// that of the episodes' digests, so that the result does not depend on the
// order of the logs. It keeps all successful traces in memory.

// refNode is a node of the reference tree while it grows.
type refNode struct {
	key      string
	macro    *Macro
	summary  segment.Summary
	vec      tree.Vec
	count    tree.Count
	tasks    map[uint64]bool
	children []*refNode
	ends     ending
	state    int32
}

// placed is a trace with its family.
type placed struct {
	trace  *Trace
	family string
}

// ordered returns the traces in order of their digests.
func (m *merger) ordered(ctx context.Context) ([]placed, error) {
	var all []placed
	for i := 0; i < m.src.Parts(); i++ {
		err := drain(ctx, m.src.Part(i), func(t *Trace) {
			if name := m.fams.of(t); len(t.Macros) > 0 && name != "" {
				all = append(all, placed{t, name})
			}
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b placed) int {
		return cmp.Compare(string(a.trace.Digest[:]), string(b.trace.Digest[:]))
	})
	return all, nil
}

// literal builds the reference tree from the traces whose fold a mask selects.
func (m *merger) literal(all []placed, mask Mask) (*tree.Tree, error) {
	roots := map[string]*refNode{}
	for _, p := range all {
		if !p.trace.Success || !mask.has(p.trace.Fold()) {
			continue
		}
		root := roots[p.family]
		if root == nil {
			root = newRefNode(startKey, nil)
			roots[p.family] = root
		}
		m.insert(root, p.trace)
	}
	for _, p := range all {
		if root := roots[p.family]; root != nil && !p.trace.Success && mask.has(p.trace.Fold()) {
			m.fail(root, p.trace)
		}
	}
	b := m.newBuilder(mask)
	b.t.Nodes = append(b.t.Nodes, tree.Node{Parent: -1, State: -1})
	for _, name := range sortedKeys(roots) {
		b.refFamily(name, m.ev.families[name], roots[name])
	}
	b.clusters()
	return b.t, b.t.Check()
}

func newRefNode(key string, mac *Macro) *refNode {
	return &refNode{key: key, macro: mac, tasks: map[uint64]bool{}, ends: ending{tasks: sample[seenText]{k: tree.MaxLeafTasks}}}
}

func (m *merger) insert(root *refNode, t *Trace) {
	at := root
	at.visit(t)
	for i := range t.Macros {
		mac := &t.Macros[i]
		sum := m.summary(mac)
		vec := m.vecs.of(sum.MacroDesc)
		child := at.find(mac, vec)
		if child == nil {
			child = newRefNode(mac.Key, mac)
			child.summary, child.vec = sum, vec
			at.children = append(at.children, child)
		}
		child.visit(t)
		at = child
	}
	at.ends.add(t)
}

// fail counts a failed trace along the way that successes have shown, as far as it
// went that way (decision 10).
func (m *merger) fail(root *refNode, t *Trace) {
	at := root
	at.count.Failure++
	for i := range t.Macros {
		mac := &t.Macros[i]
		if at = at.find(mac, m.vecs.of(m.summary(mac).MacroDesc)); at == nil {
			return
		}
		at.count.Failure++
	}
}

func (m *merger) summary(mac *Macro) segment.Summary {
	return segment.Describe(mac.Key, mac.Delta, mac.Tools, firstSentence(mac.Words))
}

func firstSentence(words string) string {
	if s := segment.Sentences(words); len(s) > 0 {
		return s[0]
	}
	return ""
}

// The least cosines of signatures and of descriptions with which macros are merged
// (003 §E.3). They are the scheme's, and no setting.
const (
	thetaSig   = 0.920
	thetaMerge = 0.850
)

// find is the three-way test of 003 §E.3. Gated nodes are never merged into
// (T5); gates are attached after this step, so none is gated yet.
func (n *refNode) find(mac *Macro, vec tree.Vec) *refNode {
	for _, c := range n.children {
		if c.key == mac.Key && cosCont(c.macro, mac) >= thetaSig && tree.Cos(c.vec, vec) >= thetaMerge {
			return c
		}
	}
	return nil
}

func cosCont(a, b *Macro) float64 {
	x, y := make(tree.Vec, len(a.Cont)), make(tree.Vec, len(b.Cont))
	for i := range a.Cont {
		x[i], y[i] = int8(min(a.Cont[i]/32, 127)), int8(min(b.Cont[i]/32, 127))
	}
	return tree.Cos(x, y)
}

func (n *refNode) visit(t *Trace) {
	if !n.tasks[t.TaskKey] {
		n.tasks[t.TaskKey] = true
		n.count.Tasks++
	}
	n.count.Success++
}

func (b *builder) refFamily(name string, ev *family, root *refNode) {
	index := int32(len(b.t.Families))
	fam := tree.Family{Name: name, Tools: sortedKeys(ev.tools), First: int32(len(b.t.States))}
	fam.Prototypes, fam.Centroid = b.prototypes(name, ev)
	b.tells(ev)
	var all []*refNode
	flatten(root, &all)
	byKey := slices.Clone(all)
	slices.SortStableFunc(byKey, func(x, y *refNode) int { return strings.Compare(x.key, y.key) })
	keys := map[string]bool{}
	for i, n := range byKey {
		n.state = fam.First + int32(i)
		keys[n.key] = true
	}
	for _, n := range byKey {
		b.t.States = append(b.t.States, b.refState(n, index))
	}
	fam.Start, fam.Node = root.state, int32(len(b.t.Nodes))
	fam.Vocabulary = int32(len(keys) - 1)
	b.t.Families = append(b.t.Families, fam)
	b.refPlace(root, tree.Root)
}

func flatten(n *refNode, out *[]*refNode) {
	*out = append(*out, n)
	for _, c := range n.children {
		flatten(c, out)
	}
}

func (b *builder) refState(n *refNode, family int32) tree.State {
	s := tree.State{Family: family, Key: n.key, Delta: effect.DeltaNone, Count: n.count}
	for _, c := range n.children {
		s.Next = append(s.Next, tree.Edge{To: c.state, Count: c.count})
	}
	slices.SortFunc(s.Next, func(a, b tree.Edge) int { return cmp.Compare(a.To, b.To) })
	if n.macro == nil {
		return s
	}
	s.Delta, s.Risk = n.macro.Delta, effect.RiskOf(n.macro.Delta, n.macro.Sensitive)
	s.Desc, s.Observed = n.summary.MacroDesc, n.macro.Seen && s.Delta != effect.DeltaNone
	if !b.keepText {
		s.Desc = segment.Describe(n.key, s.Delta, nil, strings.Join(b.tell.words(n.key), ", ")).MacroDesc
	}
	calls := map[string]uint32{}
	for _, tool := range n.macro.Tools {
		calls[tool]++
	}
	s.Tools = uses(calls, maxTools)
	if len(n.vec) > 0 {
		s.Vecs = []tree.Vec{n.vec}
	}
	return s
}

func (b *builder) refPlace(n *refNode, parent int32) {
	index := int32(len(b.t.Nodes))
	b.t.Nodes = append(b.t.Nodes, tree.Node{Parent: parent, State: n.state, Count: n.count})
	b.leaf(&place{ends: &n.ends}, index)
	for _, c := range n.children {
		b.refPlace(c, index)
	}
}
