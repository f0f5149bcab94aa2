package tree

import (
	"cmp"
	"slices"
)

// The most completion checks of a family and of a leaf.
const (
	MaxProofs     = 256
	MaxLeafProofs = 8
)

// ProofKind says what a mined completion check looks at.
type ProofKind uint8

// The kinds. There is no check of kind 0.
const (
	ProofCommand ProofKind = iota + 1 // a command line ends with status 0
	ProofFile                         // a file is there
	ProofCall                         // a tool was called, did not fail, and has a value in its arguments or its result
)

// Proof is a completion check mined from logs: what runs that ended in success showed
// at their end, and what others did not. Subject and Value are templates: the values
// that a task names stand in them as slots (package internal/traverse/proof).
type Proof struct {
	Kind    ProofKind
	Subject string // a command line, a path, or the name of a tool
	Place   string // of a call: where the value stands, "args.to" or "result.status"; empty where the call alone counts
	Value   string // what stands there, or in a file; empty for anything

	Passed  uint32 // tasks whose successful runs showed it
	Tasks   uint32 // of so many whose runs ended in success here
	Failed  uint32 // unsuccessful runs beside them that failed it
	Against uint32 // of so many
	Early   uint32 // tasks in which it failed at first, and passed in the end
}

// Refuted reports whether the logs show that the check can fail.
func (p *Proof) Refuted() bool { return p.Failed > 0 || p.Early > 0 }

// asks is a check without what was counted of it.
func (p *Proof) asks() Proof {
	return Proof{Kind: p.Kind, Subject: p.Subject, Place: p.Place, Value: p.Value}
}

// String is the check in one line, with its slots.
func (p *Proof) String() string {
	switch {
	case p.Kind == ProofCommand:
		return "run " + p.Subject
	case p.Kind == ProofFile:
		return "file " + p.Subject
	case p.Place == "":
		return "call " + p.Subject
	}
	return "call " + p.Subject + " " + p.Place + " = " + p.Value
}

// Proofs are the completion checks of a run that ends at a position: those of its leaf; off
// the explicit tree those that the leaves have in common which end with its state and whose
// ways are most like its own. decides says that in the logs they tell successes from
// other runs.
func (t *View) Proofs(pos *Pos) (list []int32, decides bool) {
	state := pos.State()
	if state < 0 || len(t.Families[t.States[state].Family].Proofs) == 0 {
		return nil, false
	}
	if i, ok := slices.BinarySearchFunc(t.Leaves, pos.Node, func(l Leaf, n int32) int { return cmp.Compare(l.Node, n) }); ok {
		return t.Leaves[i].Proofs, t.Leaves[i].Decides
	}
	return t.shared(t.alike(pos), t.Families[t.States[state].Family].Proofs)
}

// alike are the leaves of a position's state whose ways have the most of its states, for
// those that either has (Jaccard, Bull. Soc. Vaud. Sci. Nat. 37, 1901).
func (t *View) alike(pos *Pos) []*Leaf {
	mine := map[int32]bool{}
	for _, s := range pos.Spine {
		mine[t.whole[s]] = true
	}
	var out []*Leaf
	both, all := 0, 1
	for i := range t.Leaves {
		l := &t.Leaves[i]
		if s := t.Nodes[l.Node].State; s < 0 || t.whole[s] != t.whole[pos.State()] {
			continue
		}
		b, a := t.overlap(l.Node, mine)
		switch {
		case b*all > both*a || len(out) == 0:
			both, all, out = b, a, append(out[:0], l)
		case b*all == both*a:
			out = append(out, l)
		}
	}
	return out
}

// overlap counts the states that the way to a node shares with a set, and those that
// either has.
func (t *View) overlap(node int32, set map[int32]bool) (both, all int) {
	seen := map[int32]bool{}
	for ; node > Root; node = t.Nodes[node].Parent {
		s := t.whole[t.Nodes[node].State]
		if !seen[s] && set[s] {
			both++
		}
		seen[s] = true
	}
	return both, len(set) + len(seen) - both
}

// shared are the checks that leaves have in common. They decide where no leaf has others
// and each says so.
func (t *View) shared(leaves []*Leaf, family []Proof) (list []int32, decides bool) {
	for i, l := range leaves {
		if i == 0 {
			list, decides = slices.Clone(l.Proofs), l.Decides
			continue
		}
		before := len(list)
		list = slices.DeleteFunc(list, func(p int32) bool {
			return !slices.ContainsFunc(l.Proofs, func(q int32) bool { return family[p].asks() == family[q].asks() })
		})
		decides = decides && l.Decides && len(list) == before && len(l.Proofs) == before
	}
	return list, decides
}

// proofs checks which completion checks a leaf names.
func (c *checker) proofs(i int, l *Leaf) {
	if len(l.Proofs) > MaxLeafProofs {
		c.bad("leaf %d: %d completion checks", i, len(l.Proofs))
	}
	if l.Node <= Root || int(l.Node) >= len(c.t.Nodes) {
		return // said already
	}
	s := c.t.Nodes[l.Node].State
	if s < 0 || int(s) >= len(c.t.States) {
		return
	}
	f := c.t.States[s].Family
	for j, p := range l.Proofs {
		if p < 0 || f < 0 || int(f) >= len(c.t.Families) || int(p) >= len(c.t.Families[f].Proofs) {
			c.bad("leaf %d: its family has no completion check %d", i, p)
		}
		if j > 0 && l.Proofs[j-1] >= p {
			c.bad("leaf %d: completion checks out of order", i)
		}
	}
}
