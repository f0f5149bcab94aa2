package artifacts

import (
	"errors"
	"fmt"
	"slices"

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
	if p.Sequence == 0 {
		c.bad("policy has no sequence number")
	}
	c.sections(func(*section) bool { return true })
	c.nodeGates()
	c.vectors()
	c.keys()
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

// sections runs the checks that the table has for some of the sections.
func (c *checker) sections(which func(*section) bool) {
	for i := range sections() {
		if s := &sections()[i]; which(s) {
			s.check(c)
		}
	}
}

// inSpan checks a number.
func (c *checker) inSpan(name string, p any, within span) {
	if n := numberAt(p); n < within.least || n > within.most {
		c.bad("setting %s is %d, want %d to %d%s", name, n, within.least, within.most, unitOf(p))
	}
}

// numberAt reads the number that p points to.
func numberAt(p any) int64 {
	switch p := p.(type) {
	case *tree.Milli:
		return int64(*p)
	case *int32:
		return int64(*p)
	case *int64:
		return *p
	case *uint32:
		return int64(*p)
	}
	panic(fmt.Sprintf("gbt: internal error: the table has a range for a %T", p))
}

func unitOf(p any) string {
	if _, ok := p.(*tree.Milli); ok {
		return " thousandths"
	}
	return ""
}

// nodeGates checks that nodes name gates of the policy that are made for nodes.
func (c *checker) nodeGates() {
	local := make(map[string]bool)
	for i := range c.p.Gates {
		local[c.p.Gates[i].ID] = c.p.Gates[i].Local()
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
		for _, v := range t.Families[i].Exemplars {
			one("family", i, v)
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

// increasing checks that the keys of a list grow strictly and are not empty.
func increasing[T any](c *checker, what string, list []T, key func(T) string) {
	for i := range list {
		if key(list[i]) == "" || i > 0 && key(list[i-1]) >= key(list[i]) {
			c.bad("%s %d: no name, or out of order", what, i)
		}
	}
}
