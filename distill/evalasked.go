package distill

import (
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/learn"
)

// AskFigures say what gates would have asked in requests of sessions that they were
// not learned from.
type AskFigures struct {
	Sessions int       `json:"sessions"`
	Calls    int       `json:"calls"`    // of any risk, with those that the user declined
	Declined int       `json:"declined"` // of high risk, by the user
	Gates    AskCounts `json:"gates"`
	Guarded  AskCounts `json:"with_guardrail"` // as configured
}

// AskCounts are calls by what becomes of them.
type AskCounts struct {
	Asked    int `json:"asked"`    // approved_with_constraints
	Revised  int `json:"revised"`  // revision_required
	Rejected int `json:"rejected"` // rejected
	Sessions int `json:"sessions"` // with such a call
	Declined int `json:"declined"` // of these calls, those that the user declined
}

// Stopped are the calls that do not simply run.
func (c *AskCounts) Stopped() int { return c.Asked + c.Revised + c.Rejected }

// add sums up the figures of two folds; either may be nil.
func (f *AskFigures) add(o *AskFigures) *AskFigures {
	if f == nil || o == nil {
		if f == nil {
			return o
		}
		return f
	}
	f.Sessions += o.Sessions
	f.Calls += o.Calls
	f.Declined += o.Declined
	f.Gates.add(&o.Gates)
	f.Guarded.add(&o.Guarded)
	return f
}

func (c *AskCounts) add(o *AskCounts) {
	c.Asked += o.Asked
	c.Revised += o.Revised
	c.Rejected += o.Rejected
	c.Sessions += o.Sessions
	c.Declined += o.Declined
}

// asked judges requests that were left out, those of one session together; nil if
// there are none.
func (v *versions) asked(lib *gates.Library, at map[string][]string, requests []*learn.Case) *AskFigures {
	if len(requests) == 0 {
		return nil
	}
	f := &AskFigures{}
	sessions := map[string]bool{}
	for _, c := range requests {
		sessions[c.Task] = true
		f.Calls += c.Calls
		for i := range c.Samples {
			tally(&f.Declined, c.Samples[i].Declined)
		}
	}
	f.Sessions = len(sessions)
	as := *v.checker
	as.Library = lib
	f.Gates = askCounts(requests, gatesAlone(lib, at))
	f.Guarded = askCounts(requests, checked(&as, at))
	return f
}

func askCounts(requests []*learn.Case, judge judgement) AskCounts {
	var out AskCounts
	sessions := map[string]bool{}
	for _, c := range requests {
		for i := range c.Samples {
			s := &c.Samples[i]
			d := judge(s)
			tally(&out.Asked, d == gates.ApprovedWithConstraints)
			tally(&out.Revised, d == gates.RevisionRequired)
			tally(&out.Rejected, d == gates.Rejected)
			if d < gates.Approved {
				sessions[c.Task] = true
				tally(&out.Declined, s.Declined)
			}
		}
	}
	out.Sessions = len(sessions)
	return out
}
