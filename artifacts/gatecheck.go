package artifacts

import "github.com/gbt-policy/gbt/gates"

// program checks that a gate can be evaluated. That its program is what its
// expression compiles to is for `gbt verify` to say: the compiler is no part of
// the runtime half, and a policy's signer has vouched for both.
func (c *checker) program(i int, g *Gate) {
	if err := gates.CheckProgram(g.Program); err != nil {
		c.bad("gate %d: %w", i, err)
	}
}

// Library returns the policy's gates, decoded and indexed.
func (p *Policy) Library() (*gates.Library, error) {
	list := make([]gates.Gate, len(p.Gates))
	for i := range p.Gates {
		g := &p.Gates[i]
		list[i] = gates.Gate{ID: g.ID, Scope: g.Scope, Disposition: g.Disposition, Expr: g.Expr, Message: g.Message, Program: g.Program}
	}
	return gates.NewLibrary(list)
}
