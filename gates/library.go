package gates

import (
	"fmt"
	"slices"
	"sync"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

// Library is the gates of a policy, decoded and indexed, so that a call costs
// little more under a thousand gates than under ten. It is immutable and safe
// for concurrent use. A nil Library has no gates.
type Library struct {
	gates []Gate
	rules []rule
	index index
	// pool holds evaluators between calls: evaluation itself allocates nothing.
	pool sync.Pool
}

// NewLibrary decodes and indexes gates. A gate whose program can't be evaluated
// is an error: leaving it out would let calls pass that it stops.
func NewLibrary(gs []Gate) (*Library, error) {
	l := &Library{gates: slices.Clone(gs), rules: make([]rule, len(gs))}
	known := make(map[string]*pattern)
	for i := range gs {
		nodes, err := program.Decode(gs[i].Program, &ready().infos)
		if err != nil {
			return nil, fmt.Errorf("gate %s: %w", shortID(gs[i].ID), err)
		}
		patterns, err := patternsOf(nodes, known)
		if err != nil {
			return nil, fmt.Errorf("gate %s: %w", shortID(gs[i].ID), err)
		}
		// A scope that is not known is asked everywhere, which is the stricter.
		scope := gs[i].Scope
		l.rules[i] = rule{nodes: nodes, patterns: patterns, disp: dispositionOf(gs[i].Disposition), local: scope == scopeNode || scope == scopeSubtree, unplaced: scope != scopeNode}
	}
	l.index.build(l.rules)
	return l, nil
}

// Len is the number of gates.
func (l *Library) Len() int {
	if l == nil {
		return 0
	}
	return len(l.gates)
}

// Gate returns the i-th gate. It must not be changed.
func (l *Library) Gate(i int) *Gate { return &l.gates[i] }

// Verdict is what the i-th gate says about a context it does not let pass.
func (l *Library) Verdict(i int) (id string, d Disposition, message string) {
	return l.gates[i].ID, l.rules[i].disp, l.gates[i].Message
}

// Eval appends the indexes of the gates that do not let c pass, ascending: among
// the global ones, and those for nodes whose id is in node, which is sorted. Nil
// says that nobody knows the node, and then the gates of subtrees are asked; a
// node without gates has an empty list.
func (l *Library) Eval(c *Context, node []string, dst []int) []int {
	return l.eval(c, dst, func(i int) bool { return l.asked(i, node) })
}

// EvalAll is Eval with the gates of every node (decision 1 of the requirements).
func (l *Library) EvalAll(c *Context, dst []int) []int {
	return l.eval(c, dst, func(int) bool { return true })
}

func (l *Library) eval(c *Context, dst []int, asked func(int) bool) []int {
	if l.Len() == 0 {
		return dst
	}
	s, _ := l.pool.Get().(*search)
	if s == nil {
		s = &search{bits: make([]uint64, (len(l.rules)+63)/64)}
	}
	s.load(c)
	if s.large {
		for i := range l.rules {
			if asked(i) {
				dst = append(dst, i)
			}
		}
	} else {
		dst = s.run(l, dst, asked)
	}
	s.Context, s.r, s.nodes = nil, nil, nil // the pool must not keep what a host has let go
	l.pool.Put(s)
	return dst
}
