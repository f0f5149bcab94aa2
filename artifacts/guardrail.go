package artifacts

import (
	"strings"

	"github.com/gbt-policy/gbt/gates"
)

// Guardrail is how the global guardrail is set for a policy. The zero value is
// the guardrail's default: the workspace profile with the built-in lists.
type Guardrail struct {
	Rules  gates.Guardrail // lists sorted, egress by domain
	Strict bool            // node gates are asked at every node (decision 1)
	Roots  []string        // workspace roots, sorted; empty for what the host says

	Content Content // who is asked about what calls send
}

// rail: [profile, strict, roots, protected, sensitive, egress, spawn, deny], and
// content where there is a content gate: files without one are what they were
// before there was any.
func (c *codec) rail(d *document) {
	g := &d.p.Guardrail
	n := 8
	if g.Content.Set() {
		n = 9
	}
	if n = c.length(n, 9, 1); n < 8 && c.err == nil {
		c.fail("array of %d elements, want 8 or 9", n)
	}
	integer(c, &g.Rules.Profile, 0, int64(gates.ProfileApps))
	c.bool(&g.Strict)
	for _, p := range []*[]string{&g.Roots, &g.Rules.Protected, &g.Rules.Sensitive} {
		list(c, p, MaxRules, 1, (*codec).name)
	}
	list(c, &g.Rules.Egress, MaxRules, 5, (*codec).egress)
	for _, p := range []*[]string{&g.Rules.Spawn, &g.Rules.DenySpawn} {
		list(c, p, MaxRules, 1, (*codec).name)
	}
	if n == 9 {
		c.content(&g.Content)
	}
}

// egress: [domain, schemes, ports, send].
func (c *codec) egress(e *gates.Egress) {
	c.tuple(4)
	c.name(&e.Domain)
	list(c, &e.Schemes, MaxRules, 1, (*codec).name)
	list(c, &e.Ports, MaxRules, 1, func(c *codec, p *uint16) {
		n := int64(*p)
		if n = c.int(n, 1, 1<<16-1); c.decoding() && c.err == nil {
			*p = uint16(n)
		}
	})
	c.bool(&e.Send)
}

// guardrail checks that the lists are sorted and name everything once, and that
// hosts are written as effects write them: else a rule would match nothing.
func (c *checker) guardrail() {
	g := &c.p.Guardrail
	self := func(s string) string { return s }
	increasing(c, "root", g.Roots, self)
	increasing(c, "protected path", g.Rules.Protected, self)
	increasing(c, "sensitive path", g.Rules.Sensitive, self)
	increasing(c, "program to spawn", g.Rules.Spawn, self)
	increasing(c, "program to deny", g.Rules.DenySpawn, self)
	c.content()
	increasing(c, "egress rule", g.Rules.Egress, func(e gates.Egress) string { return e.Domain })
	for i := range g.Rules.Egress {
		e := &g.Rules.Egress[i]
		increasing(c, "egress scheme", e.Schemes, self)
		for k := 1; k < len(e.Ports); k++ {
			if e.Ports[k-1] >= e.Ports[k] {
				c.bad("egress rule %d: ports out of order", i)
			}
		}
		for _, s := range append([]string{e.Domain}, e.Schemes...) {
			if strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789.-+_") != "" {
				c.bad("egress rule %d: %.80q is not lower-case ASCII", i, s)
			}
		}
	}
}
