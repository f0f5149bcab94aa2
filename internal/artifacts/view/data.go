package view

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/artifacts/review"
)

// data is what the script reads. Nodes are columns, parents before children, since
// the names of fields would be most of the page.
type data struct {
	States  []state  `json:"states"`
	Gates   []gate   `json:"gates"`
	Sets    [][]int  `json:"sets"` // lists of gates that nodes share
	Parent  []int    `json:"parent"`
	State   []int    `json:"state"`
	Success []uint32 `json:"success"`
	Failure []uint32 `json:"failure"`
	Ended   []uint32 `json:"ended"` // episodes that ended here in success
	Set     []int    `json:"set"`
	ID      []string `json:"id"`
	Mark    string   `json:"mark,omitempty"` // a letter each: a(dded), r(emoved), c(hanged), or a space
	Was     []string `json:"was,omitempty"`  // of what changed: what it was
	Run     *Run     `json:"run,omitempty"`
}

type state struct {
	Key   string   `json:"key"`
	Says  string   `json:"says"`
	Risk  uint8    `json:"risk"`
	Tools []string `json:"tools"`
	Next  []string `json:"next"`
}

type gate struct {
	ID   string `json:"id"`
	Says string `json:"says"`
	Does string `json:"does"`
}

// builder gathers the columns. Maps only find what has been given a place already.
type builder struct {
	out           data
	states, nodes map[string]int
	gates         map[string]int
	sets          map[string]int
	mark          []byte
}

func newBuilder(gates []review.Gate) *builder {
	b := &builder{states: map[string]int{}, nodes: map[string]int{}, gates: map[string]int{}, sets: map[string]int{}}
	for _, g := range gates {
		b.gate(&g)
	}
	return b
}

func (b *builder) gate(g *review.Gate) {
	if _, ok := b.gates[g.ID]; ok {
		return
	}
	b.gates[g.ID] = len(b.out.Gates)
	b.out.Gates = append(b.out.Gates, gate{ID: g.ID, Says: review.Plain(g.Message), Does: does(g.Disposition)})
}

func (b *builder) family(f *review.Family) {
	for i := range f.States {
		s := &f.States[i]
		if _, ok := b.states[s.ID]; ok {
			continue
		}
		b.states[s.ID] = len(b.out.States)
		v := state{Key: review.Plain(s.Key), Says: review.Plain(s.Desc), Risk: s.Risk, Tools: plainAll(s.Tools), Next: []string{}}
		for _, e := range s.Next {
			v.Next = append(v.Next, review.Plain(e.Key))
		}
		if s.Generic {
			v.Key, v.Says = "any other step "+anyOther[s.Delta], "no single kind of step"
		}
		if s.ID == f.Start {
			v.Key, v.Says = review.Plain(f.Name), "family"
		}
		b.out.States = append(b.out.States, v)
	}
}

// anyOther says what the steps have in common that a catch-all of the tree stands for:
// no step of these logs, but one like it is no surprise there.
var anyOther = map[string]string{
	effect.DeltaUnknown.String(): "of which nobody knows what it changes", effect.DeltaNone.String(): "that only reads", effect.DeltaWrite.String(): "that writes",
	effect.DeltaDelete.String(): "that deletes", effect.DeltaRun.String(): "that runs something", effect.DeltaSend.String(): "that sends something",
	effect.DeltaNavigate.String(): "that opens a page",
}

func (b *builder) node(n *review.Node, mark byte) {
	o := &b.out
	b.nodes[n.ID] = len(o.ID)
	up := -1
	if i, ok := b.nodes[n.Parent]; ok && n.Parent != "" {
		up = i
	}
	var count review.Count
	if n.Stats != nil {
		count = n.Stats.Count
	}
	ended := uint32(0)
	if n.Leaf != nil {
		ended = n.Leaf.Episodes
	}
	o.Parent, o.State, o.ID = append(o.Parent, up), append(o.State, b.states[n.State.ID]), append(o.ID, n.ID)
	o.Success, o.Failure, o.Ended = append(o.Success, count.Success), append(o.Failure, count.Failure), append(o.Ended, ended)
	o.Set = append(o.Set, b.set(n.Gates))
	b.mark = append(b.mark, mark)
}

func (b *builder) set(ids []string) int {
	key := strings.Join(ids, " ")
	if i, ok := b.sets[key]; ok {
		return i
	}
	list := []int{}
	for _, id := range ids {
		if i, ok := b.gates[id]; ok {
			list = append(list, i)
		}
	}
	b.sets[key] = len(b.out.Sets)
	b.out.Sets = append(b.out.Sets, list)
	return b.sets[key]
}

// dataOf lays out a policy, or two as one tree: ids of nodes are the same in both,
// so what the old one has alone hangs where it hung.
func dataOf(doc, old *review.Document) *data {
	b := newBuilder(doc.Gates)
	before := map[string]*review.Node{}
	if old != nil {
		for i := range old.Gates {
			b.gate(&old.Gates[i])
		}
		before = nodesOf(old)
	}
	for i := range doc.Families {
		f := &doc.Families[i]
		b.family(f)
		for k := range f.Nodes {
			n := &f.Nodes[k]
			b.node(n, markOf(n, before[n.ID]))
			b.was(n, before[n.ID], old != nil)
		}
	}
	if old == nil {
		return &b.out
	}
	for i := range old.Families {
		f := &old.Families[i]
		b.family(f)
		for k := range f.Nodes {
			if n := &f.Nodes[k]; !b.has(n.ID) {
				b.node(n, 'r')
				b.out.Was = append(b.out.Was, "")
			}
		}
	}
	b.out.Mark = string(b.mark)
	return &b.out
}

func (b *builder) has(id string) bool { _, ok := b.nodes[id]; return ok }

func (b *builder) was(n, old *review.Node, two bool) {
	if !two {
		return
	}
	text := ""
	if old != nil && markOf(n, old) == 'c' {
		text = difference(n, old)
	}
	b.out.Was = append(b.out.Was, text)
}

func nodesOf(d *review.Document) map[string]*review.Node {
	out := map[string]*review.Node{}
	for i := range d.Families {
		for k := range d.Families[i].Nodes {
			n := &d.Families[i].Nodes[k]
			out[n.ID] = n
		}
	}
	return out
}

// markOf says how a node of the new policy stands to the old one's.
func markOf(n, old *review.Node) byte {
	switch {
	case old == nil:
		return 'a'
	case difference(n, old) != "":
		return 'c'
	}
	return ' '
}

// difference says what a reader of the tree sees change at a node.
func difference(n, old *review.Node) string {
	var out []string
	if a, b := countOf(old), countOf(n); a != b {
		out = append(out, "runs "+runs(a)+" before, "+runs(b)+" now")
	}
	if !slices.Equal(n.Gates, old.Gates) {
		out = append(out, plural(len(old.Gates), "gate")+" before, "+plural(len(n.Gates), "gate")+" now")
	}
	if (n.Leaf == nil) != (old.Leaf == nil) {
		out = append(out, map[bool]string{true: "runs end here now", false: "no run ends here any more"}[n.Leaf != nil])
	}
	return strings.Join(out, "; ")
}

func countOf(n *review.Node) review.Count {
	if n.Stats == nil {
		return review.Count{}
	}
	return n.Stats.Count
}
