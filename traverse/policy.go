package traverse

import (
	"fmt"
	"slices"
	"sync"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/tree"
	"github.com/gbt-policy/gbt/tree/text"
)

// Encoder turns texts into the vectors that a policy's thresholds belong to. It
// must be deterministic and safe for concurrent use. Digest names it.
type Encoder interface {
	Digest() string
	Embed(words string) tree.Vec
	// Known is the share of a text's words that the encoder knows; 1000, all, for
	// one that can't tell.
	Known(words string) tree.Milli
}

// Options are the settings of a Policy. The zero Options are the usual ones.
type Options struct {
	// Digest names the policy in decisions and sessions: artifacts.Info.Digest.
	Digest string
	// Encoder embeds texts; nil for the table that comes with the program.
	Encoder Encoder
	// Rules are what people wrote about calls (package rules); nil for none.
	Rules gates.Ruler
	// Arm leaves parts of the policy out, to measure what they are worth. Only for runs in
	// a sandbox: two of the arms stop no call.
	Arm Arm
}

// Policy is an opened artifact made ready for sessions. It is immutable and
// shared by all of them, on any number of goroutines.
type Policy struct {
	art     *artifacts.Policy
	digest  string
	view    *tree.View
	checker *gates.Checker
	enc     Encoder
	arm     Arm
	local   [][]string          // by state: the gates that nodes of its action have of their own, sorted
	homes   map[string][]string // by action: the gates of subtrees that begin at it in any family, sorted
	below   []string            // all gates of subtrees, sorted
	twins   [][]int32           // by state: its explicit nodes, ascending
	first   []int32             // by node: its first child, -1 for none
	sibling []int32             // by node: the next child of its parent, -1 for none
	leaves  []int32             // by node: index of its leaf, -1 for none
	proofs  map[string][]proofRef
	fixes   map[fixRef][]*tree.Fix
}

// New makes a policy ready. It refuses one whose gates or schemas this program
// cannot use, and one that belongs to another encoder (decision 4): its
// thresholds would mean nothing.
func New(p *artifacts.Policy, opt Options) (*Policy, error) {
	checker, err := artifacts.NewChecker(p)
	if err != nil {
		return nil, fmt.Errorf("traverse: %w", err)
	}
	checker.Rules = opt.Rules
	enc := opt.Encoder
	if enc == nil {
		enc = &static{table: text.Default()}
	}
	if enc.Digest() != p.Encoder.Digest {
		return nil, fmt.Errorf("traverse: the policy belongs to encoder %s (%.12s), not to %.12s: distil again, or use the program it was made with",
			p.Encoder.ID, p.Encoder.Digest, enc.Digest())
	}
	t := &Policy{art: p, digest: opt.Digest, view: tree.NewView(&p.Tree), checker: checker, enc: enc, arm: opt.Arm}
	t.index()
	t.proofs, t.fixes = proofsByTool(&p.Tree), fixesByKind(&p.Tree)
	return t, nil
}

// index works out, once, what sessions ask of nodes by state.
func (p *Policy) index() {
	v := p.view
	p.local, p.twins = make([][]string, len(v.States)), make([][]int32, len(v.States))
	p.links()
	p.leaves = make([]int32, len(v.Nodes))
	for i := range v.Nodes {
		p.leaves[i] = -1
		n := &v.Nodes[i]
		if n.State < 0 {
			continue
		}
		p.twins[n.State] = append(p.twins[n.State], int32(i))
		whole := v.Whole(n.State)
		p.local[whole] = union(p.local[whole], own(n.Gates, v.Nodes[n.Parent].Gates))
	}
	for i := range v.Leaves {
		p.leaves[v.Leaves[i].Node] = int32(i)
	}
	for s := range p.local { // parts of a whole share its gates
		p.local[s] = p.local[v.Whole(int32(s))]
	}
	p.subtrees()
}

// subtrees works out where the gates of subtrees come in. A family that does not
// have the action there is no way around them (T5).
func (p *Policy) subtrees() {
	for i := range p.art.Gates {
		if g := &p.art.Gates[i]; g.Scope == artifacts.ScopeSubtree {
			p.below = append(p.below, g.ID)
		}
	}
	p.homes = map[string][]string{}
	for s, gates := range p.local {
		mine := slices.DeleteFunc(slices.Clone(gates), func(id string) bool { return !contains(p.below, []string{id}) })
		if a := p.view.States[s].Action(); len(mine) > 0 {
			p.homes[a] = union(p.homes[a], mine)
		}
	}
}

// links threads the children of every node, in order.
func (p *Policy) links() {
	n := len(p.view.Nodes)
	p.first, p.sibling = make([]int32, n), make([]int32, n)
	for i := range p.first {
		p.first[i], p.sibling[i] = -1, -1
	}
	for i := n - 1; i > 0; i-- {
		up := p.view.Nodes[i].Parent
		p.sibling[i], p.first[up] = p.first[up], int32(i)
	}
}

// Artifact returns the policy that the sessions follow. It must not be changed.
func (p *Policy) Artifact() *artifacts.Policy { return p.art }

// Digest names the policy.
func (p *Policy) Digest() string { return p.digest }

// Checker decides on calls outside of any session: guardrail and global gates.
func (p *Policy) Checker() *gates.Checker { return p.checker }

// union merges two sorted lists. It returns one of them where it holds the
// other, so that unchanged lists are shared.
func union(a, b []string) []string {
	if contains(a, b) {
		return a
	}
	if contains(b, a) {
		return b
	}
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}

// own returns the gates of a node that it does not inherit.
func own(gates, inherited []string) []string {
	if len(gates) == len(inherited) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(gates), func(g string) bool {
		_, ok := slices.BinarySearch(inherited, g)
		return ok
	})
}

func contains(all, some []string) bool {
	for _, s := range some {
		if _, ok := slices.BinarySearch(all, s); !ok {
			return false
		}
	}
	return true
}

// static is the encoder over a static table.
type static struct {
	table   *text.Table
	scratch sync.Pool
}

func (e *static) Digest() string { return e.table.Digest() }

func (e *static) Known(words string) tree.Milli {
	s, _ := e.scratch.Get().(*text.Scratch)
	if s == nil {
		s = new(text.Scratch)
	}
	defer e.scratch.Put(s)
	return tree.Milli(e.table.Known(s, words))
}

func (e *static) Embed(words string) tree.Vec {
	s, _ := e.scratch.Get().(*text.Scratch)
	if s == nil {
		s = new(text.Scratch)
	}
	defer e.scratch.Put(s)
	return e.table.Vec(s, nil, words)
}
