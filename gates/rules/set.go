package rules

import (
	"slices"

	"github.com/gbt-policy/gbt/gates"
)

// Set are the rules that hold where a call runs. It implements gates.Ruler.
type Set struct {
	stops  []Rule // deny and ask
	allows []Rule
	broken *Fault // a line that may have been meant to stop something
}

// NewSet makes one of files. Rules that allow count only of files without a fault that
// somebody accepted.
func NewSet(files ...*File) *Set {
	s := &Set{}
	for _, f := range files {
		for _, r := range f.Rules {
			switch {
			case r.Verb != Allow:
				s.stops = append(s.stops, r)
			case len(f.Faults) == 0 && !f.Untrusted:
				s.allows = append(s.allows, r)
			}
		}
		for i := range f.Faults {
			if !f.Faults[i].Safe && s.broken == nil {
				s.broken = &f.Faults[i]
			}
		}
	}
	slices.SortStableFunc(s.stops, func(a, b Rule) int { return int(a.Verb) - int(b.Verb) })
	return s
}

// Empty says whether there is nothing to apply.
func (s *Set) Empty() bool {
	return s == nil || len(s.stops)+len(s.allows) == 0 && s.broken == nil
}

// Broken is a line that cannot be read and may have been meant to stop something; nil if
// there is none.
func (s *Set) Broken() *Fault {
	if s == nil {
		return nil
	}
	return s.broken
}

// Judge applies the rules to a decision (gates.Ruler).
func (s *Set) Judge(c *gates.Context, d *gates.Decision) {
	if s.Empty() {
		return
	}
	for i := range s.stops {
		if r := &s.stops[i]; r.holds(c) {
			if at, ok := r.stops(c, d); ok {
				d.Deny(r.reason(at))
				break // deny goes before ask, and one reason is enough
			}
		}
	}
	if s.broken != nil && c.High() {
		d.Deny(gates.Reason{Rule: "rule/broken", Disposition: gates.ApprovedWithConstraints, Effect: -1,
			Message: "a line of the rules cannot be read, and may have been meant to stop this: " + s.broken.Error() + ". Mend it, or ask for this call."})
	}
	if len(s.allows) > 0 {
		d.Answer(func(r *gates.Reason) string { return s.covers(c, d, r) })
	}
}

// covers names the rule that answers a question, or nothing.
func (s *Set) covers(c *gates.Context, d *gates.Decision, reason *gates.Reason) string {
	if reason.Effect < 0 || reason.Effect >= len(d.Effects) {
		return ""
	}
	for i := range s.allows {
		if r := &s.allows[i]; r.covers(c, d, reason) && r.holds(c) {
			return "rule " + r.String()
		}
	}
	return ""
}

// reason is what a rule that stops a call objects to.
func (r *Rule) reason(at int) gates.Reason {
	if r.Verb == Ask {
		return gates.Reason{Rule: "rule/ask", Disposition: gates.ApprovedWithConstraints, Effect: at, Message: "a rule asks about this: " + r.String() + ". Ask for this call."}
	}
	return gates.Reason{Rule: "rule/deny", Disposition: gates.Rejected, Effect: at, Message: "a rule denies this: " + r.String() + ". Do it another way, or ask the user to change the rule."}
}
