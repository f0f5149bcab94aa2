package main

import (
	"bytes"
	"fmt"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/gates/lang"
)

// recompiled checks that every gate of a policy has the canonical text and the
// program that its text compiles to: what a reviewer reads is what runs.
func recompiled(p *artifacts.Policy) error {
	for i := range p.Gates {
		g := &p.Gates[i]
		canonical, prog, err := lang.Compile(g.Expr)
		switch {
		case err != nil:
			return fmt.Errorf("gate %.12s: its text does not compile: %w", g.ID, err)
		case canonical != g.Expr:
			return fmt.Errorf("gate %.12s: its text is not canonical, which would be %.200q", g.ID, canonical)
		case !bytes.Equal(prog, g.Program):
			return fmt.Errorf("gate %.12s: its program is not what its text compiles to", g.ID)
		}
	}
	return nil
}
