package traverse

import (
	"github.com/gbt-policy/gbt/internal/traverse/cover"
)

// audit is the static, model-free check that a plan covers its task (H3; 000
// §A.1): what the task names must appear in a completion check that would fail without
// it. It returns the codes of what does not. A check that is known to pass before
// anything was done is none.
func audit(t *Task, vacuous func(id string) bool) []string {
	var out []string
	for _, g := range Gaps(t, vacuous) {
		out = append(out, g.Code())
	}
	return out
}

// Gap is something that a task names and no completion check of it would fail without.
type Gap struct {
	cover.Gap
}

// Gaps audits a task: what of its text no check covers, in order. vacuous says of a
// check that it passes before anything is done; nil where nobody looked.
func Gaps(t *Task, vacuous func(id string) bool) []Gap {
	var checks []cover.Check
	for i := range t.Checks {
		c := &t.Checks[i]
		in := cover.Check{ID: c.ID, Command: c.Text, Exit: c.Exit, Reads: c.Reads, Void: vacuous != nil && vacuous(c.ID)}
		if f := c.File; f != nil {
			in.Command, in.Words = "", []string{f.Path, f.Contains, f.Lacks}
		}
		if v := c.Value; v != nil {
			in.Command, in.Words = "", []string{v.Env, v.JSON, v.At, v.Equals}
		}
		checks = append(checks, in)
	}
	var out []Gap
	for _, g := range cover.Audit(t.Text, checks) {
		out = append(out, Gap{g})
	}
	return out
}
