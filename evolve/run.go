package evolve

import (
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/tree"
)

// follow walks a new episode down the sealed tree.
func follow(v *tree.View, p *tree.Params, enc merge.Encoder, f *distill.Fresh) *Run {
	c, steps := merge.Follow(v, p, enc, f.Trace)
	return &Run{
		Trace: f.Trace, Vec: enc.Embed(f.Trace.Task), Success: f.Use == distill.UseSuccess,
		Family: c.Family, Claimed: c.Routed, Covered: c.Full(), Steps: steps,
	}
}

// placed says whether a run counts as one of the family that it stands in. A task
// that the policy claims does. One that it abstains from does if the family has the
// actions of half of its macros: by its words alone it may be anything.
func (r *Run) placed(v *tree.View) bool {
	if r.Family < 0 || len(r.Steps) == 0 {
		return false
	}
	if r.Claimed {
		return true
	}
	known := 0
	for i := range r.Steps {
		if s, ok := v.FindState(r.Family, r.Key(i)); ok && !v.States[s].Generic {
			known++
		}
	}
	return 2*known >= len(r.Steps)
}
