package artifacts

import (
	"fmt"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
)

// NewChecker returns the checker that a policy describes: its guardrail, its
// tool schemas and its gates. A gate or a schema that cannot be used is an
// error: without it calls would pass that the policy stops.
func NewChecker(p *Policy) (*gates.Checker, error) {
	k := &gates.Checker{Guardrail: p.Guardrail.Rules, Strict: p.Guardrail.Strict, Content: p.Guardrail.Content.Set(),
		Pack: gates.Pack{Steps: p.Pack.Steps(), WallSeconds: p.Pack.WallSeconds(), Tokens: p.Pack.Tokens()}}
	schemas := make([]call.Schema, len(p.Schemas))
	for i := range p.Schemas {
		var err error
		if schemas[i], err = gates.ParseSchema(p.Schemas[i].Data); err != nil {
			return nil, fmt.Errorf("artifacts: tool schema %.80q: %w", p.Schemas[i].Name, err)
		}
	}
	k.Conditions = gates.NewConditions(p.Guardrail.Conditions)
	var err error
	if k.Schemas, err = call.NewSchemas(schemas); err != nil {
		return nil, fmt.Errorf("artifacts: %w", err)
	}
	if k.Library, err = p.Library(); err != nil {
		return nil, fmt.Errorf("artifacts: %w", err)
	}
	return k, nil
}

// SchemaOf seals a tool schema under its tool's name.
func SchemaOf(s *call.Schema) Schema { return Schema{Name: s.Tool, Data: gates.EncodeSchema(s)} }
