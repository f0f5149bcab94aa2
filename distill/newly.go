package distill

import (
	"fmt"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
)

// Stopped is a recorded context that one policy treats more strictly than another.
type Stopped struct {
	Row    *contexts.Row
	Before gates.Disposition
	Now    gates.Decision
}

// NewlyStopped are the contexts that new stops more firmly than old, which let
// them pass or only asked: guardrail and gates together, at the macro that each
// belongs to.
func NewlyStopped(old, new *artifacts.Policy, rows []*contexts.Row) ([]Stopped, error) {
	judge, err := whole(old, new)
	if err != nil {
		return nil, err
	}
	var out []Stopped
	for _, r := range rows {
		c, err := gates.ParseContext(r.Context)
		if err != nil {
			return nil, fmt.Errorf("recorded context %.12s: %w", r.ID, err)
		}
		if before, after := judge(&c, r.Macro); after.Disposition < before.Disposition {
			out = append(out, Stopped{r, before.Disposition, after})
		}
	}
	return out, nil
}
