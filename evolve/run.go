package evolve

import (
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/tree"
)

// Run is one new episode on its way down the sealed tree. It is not changed once
// it was walked and replayed, and may be shared between goroutines.
type Run struct {
	Trace   *merge.Trace
	Vec     tree.Vec // direction of the task's words
	Success bool

	Family  int32         // where it stands, -1 if nowhere
	Claimed bool          // the policy claims the task (requirement R1)
	Covered bool          // claimed, and every macro offered where it was taken (requirement S1)
	Steps   []merge.Taken // one for each macro, equal neighbours once

	fresh *distill.Fresh
	was   *replayed // under the sealed policy
}

// Key is the action of one of the run's steps.
func (r *Run) Key(step int) string { return r.Trace.Macros[r.Steps[step].Macro].Key }

// follow walks a new episode down the sealed tree.
func follow(v *tree.View, p *tree.Params, enc merge.Encoder, f *distill.Fresh) *Run {
	c, steps := merge.Follow(v, p, enc, f.Trace)
	return &Run{
		fresh: f, Trace: f.Trace, Vec: enc.Embed(f.Trace.Task), Success: f.Use == distill.UseSuccess,
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
