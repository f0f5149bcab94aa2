package artifacts

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/tree"
)

// maxErrors bounds what Check collects from a thoroughly broken policy.
const maxErrors = 20

// Check reports every broken invariant: those of the tree, and those that tie
// the parts of a policy together. Encode and Open both run it.
func (p *Policy) Check() error {
	c := checker{p: p}
	c.err(p.Tree.Check())
	if len(c.errs) > 0 {
		return errors.Join(c.errs...) // the rest indexes into the tree
	}
	c.identity()
	c.err(p.Params.Check())
	c.guardrail()
	c.gates()
	c.nodeGates()
	c.vectors()
	c.keys()
	c.tables()
	return errors.Join(c.errs...)
}

type checker struct {
	p    *Policy
	errs []error
}

func (c *checker) err(err error) {
	if err != nil && len(c.errs) < maxErrors {
		c.errs = append(c.errs, err)
	}
}

func (c *checker) bad(format string, args ...any) { c.err(fmt.Errorf(format, args...)) }

func (c *checker) identity() {
	p := c.p
	if p.Name == "" {
		c.bad("policy has no name")
	}
	if p.Sequence == 0 {
		c.bad("policy has no sequence number")
	}
	if p.Encoder.ID == "" || p.Encoder.Dim == 0 {
		c.bad("policy names no encoder")
	}
	if p.Pack == (Pack{}) {
		c.bad("policy has no governance pack")
	}
	if p.Provenance.Tool == "" {
		c.bad("policy does not name the tool that made it")
	}
}

func (c *checker) gates() {
	for i := range c.p.Gates {
		g := &c.p.Gates[i]
		if g.Scope != ScopeGlobal && g.Scope != ScopeNode {
			c.bad("gate %d: unknown scope %.80q", i, g.Scope)
		}
		switch g.Disposition {
		case DispositionReject, DispositionRevise, DispositionConsent:
		default:
			c.bad("gate %d: unknown disposition %.80q", i, g.Disposition)
		}
		if g.Expr == "" {
			c.bad("gate %d: no expression", i)
		}
		c.program(i, g)
		if g.ID != GateID(g.Scope, g.Disposition, g.Expr) {
			c.bad("gate %d: id %.80q is not that of its text", i, g.ID)
		}
		if i > 0 && c.p.Gates[i-1].ID >= g.ID {
			c.bad("gate %d: out of order", i)
		}
		if g.Evidence.Rejected > g.Evidence.Benign {
			c.bad("gate %d: rejects more benign contexts than there are", i)
		}
	}
}

// nodeGates checks that nodes name gates of the policy that are made for nodes.
func (c *checker) nodeGates() {
	local := make(map[string]bool)
	for i := range c.p.Gates {
		local[c.p.Gates[i].ID] = c.p.Gates[i].Scope == ScopeNode
	}
	for i := range c.p.Tree.Nodes {
		n := &c.p.Tree.Nodes[i]
		if n.Parent >= 0 && slices.Equal(n.Gates, c.p.Tree.Nodes[n.Parent].Gates) {
			continue // checked there
		}
		for _, id := range n.Gates {
			if !local[id] {
				c.bad("node %d: no node gate %.80q in the policy", i, id)
			}
		}
	}
}

// vectors checks that every embedding has the encoder's length. An environment
// signature is not an embedding and has a length of its own.
func (c *checker) vectors() {
	t, dim := &c.p.Tree, c.p.Encoder.Dim
	one := func(what string, i int, v tree.Vec) {
		if len(v) != 0 && len(v) != dim {
			c.bad("%s %d: vector of %d dimensions, the encoder has %d", what, i, len(v), dim)
		}
	}
	for i := range t.Families {
		one("family", i, t.Families[i].Centroid)
		one("family", i, t.Families[i].Fit.Vec)
		for _, p := range t.Families[i].Prototypes {
			one("family", i, p.Vec)
		}
	}
	for i := range t.States {
		one("state", i, t.States[i].Fit.Vec)
		for _, v := range t.States[i].Vecs {
			one("state", i, v)
		}
	}
	for i := range t.Leaves {
		for _, x := range t.Leaves[i].Tasks {
			one("leaf", i, x.Vec)
		}
	}
}

// keys checks that in the default profile a family has one state of each key
// (decision 8); in the reference profile every node has a state of its own.
func (c *checker) keys() {
	if c.p.Params.Profile != tree.DefaultProfile {
		return
	}
	s := c.p.Tree.States
	for i := 1; i < len(s); i++ {
		if s[i-1].Family == s[i].Family && s[i-1].Key == s[i].Key {
			c.bad("state %d: second state with key %.80q", i, s[i].Key)
		}
	}
}

// tables checks that the sorted lists are sorted and name everything once.
func (c *checker) tables() {
	p := c.p
	c.schemas()
	increasing(c, "layout", p.Provenance.Inputs.Layouts, func(t Tally) string { return t.Name })
	increasing(c, "corpus", p.Corpora, func(r CorpusRoot) string { return r.Name })
	increasing(c, "metric", p.Report, func(m Metric) string { return m.Name })
	increasing(c, "cluster", p.Tree.Clusters, func(k tree.Cluster) string { return k.Key })
	for i := 1; i < len(p.TaskDigests); i++ {
		if bytes.Compare(p.TaskDigests[i-1], p.TaskDigests[i]) >= 0 {
			c.bad("task digest %d: out of order", i)
		}
	}
}

// schemas checks that each one can be read and is listed under its tool's name.
func (c *checker) schemas() {
	list := c.p.Schemas
	increasing(c, "schema", list, func(s Schema) string { return s.Name })
	for i := range list {
		if s, err := gates.ParseSchema(list[i].Data); err != nil || s.Tool != list[i].Name {
			c.bad("schema %d: not one of tool %.80q: %v", i, list[i].Name, err)
		}
	}
}

// increasing checks that the keys of a list grow strictly and are not empty.
func increasing[T any](c *checker, what string, list []T, key func(T) string) {
	for i := range list {
		if key(list[i]) == "" || i > 0 && key(list[i-1]) >= key(list[i]) {
			c.bad("%s %d: no name, or out of order", what, i)
		}
	}
}
