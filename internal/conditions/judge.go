package conditions

import (
	"slices"

	"github.com/gbt-policy/gbt/gates"
)

// Judged is what conditions say of one run.
type Judged struct {
	Calls int // that change something
	Back  int // of these, those that would have been sent back
	Ends  int // conditions that its end does not meet
}

// Named says whether a condition is violated.
func (j *Judged) Named() bool { return j.Back+j.Ends > 0 }

// Judge walks a run as it was. A call that would have been sent back counts as made: what
// the agent would have done instead, nobody knows.
func Judge(list []gates.Condition, r *Run) Judged {
	var out Judged
	for i := range r.Steps {
		s := &r.Steps[i]
		if !s.Changes {
			continue
		}
		out.Calls++
		if slices.ContainsFunc(list, func(c gates.Condition) bool {
			return !c.End && (c.Act == s.Act || c.Act == "") && len(missing(&c, s, r.Steps[:i])) > 0
		}) {
			out.Back++
		}
	}
	for i := range list {
		if c := &list[i]; c.End && unmet(c, r) {
			out.Ends++
		}
	}
	return out
}

// unmet says whether a run ends without what must follow its last call of an action.
func unmet(c *gates.Condition, r *Run) bool {
	for i := len(r.Steps) - 1; i >= 0; i-- {
		if s := &r.Steps[i]; s.Act == c.Act && s.Fact != nil {
			return len(missing(c, s, r.Steps[i+1:])) > 0
		}
	}
	return false
}
