package artifacts

import (
	"errors"

	"github.com/gbt-policy/gbt/gates"
)

// NewChecker returns the checker that a policy describes: its guardrail, its
// tool schemas and its gates.
func NewChecker(p *Policy) (*gates.Checker, error) {
	if len(p.Gates) > 0 {
		return nil, errors.New("artifacts: this program cannot evaluate gates")
	}
	return &gates.Checker{Guardrail: p.Guardrail.Rules, Strict: p.Guardrail.Strict}, nil
}
