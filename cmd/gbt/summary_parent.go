package main

import (
	"bytes"
	"fmt"

	"github.com/gbt-policy/gbt/distill"
)

// parentSummary is what distillation says about the policy that the new one
// succeeds.
type parentSummary struct {
	Policy     string   `json:"policy"` // digest of the unsigned bytes
	Sequence   uint64   `json:"sequence"`
	Gates      int      `json:"gates"`   // all kept
	Widened    []string `json:"widened"` // of them, those asked everywhere now: a macro of theirs is gone
	Contexts   int      `json:"contexts"`
	Readmitted int      `json:"readmitted"`
	Recorded   int      `json:"recorded"`
}

func newParentSummary(s *distill.Succession) *parentSummary {
	if s == nil {
		return nil
	}
	return &parentSummary{
		Policy: s.Parent, Sequence: s.Sequence, Gates: s.Gates, Widened: append([]string{}, s.Widened...), Contexts: s.Rows,
		Readmitted: s.Audit.Readmitted, Recorded: s.Audit.Recorded(),
	}
}

func (s *parentSummary) text(b *bytes.Buffer) {
	if s == nil {
		return
	}
	fmt.Fprintf(b, "parent    sha256 %.16s: %d gates and %d contexts kept, re-admitted %d / %d; this is number %d\n",
		s.Policy, s.Gates, s.Contexts, s.Readmitted, s.Recorded, s.Sequence)
	for _, id := range s.Widened {
		fmt.Fprintf(b, "          %.12s is asked everywhere now: a macro that it was asked at is gone\n", id)
	}
}

func (s *parentSummary) markdown(b *bytes.Buffer) {
	if s == nil {
		return
	}
	fmt.Fprintf(b, "\n## Parent\n\nNumber %d, after `%s`. %d gates and %d contexts are kept; re-admitted: %d of %d contexts that the parent stops.\n",
		s.Sequence, s.Policy, s.Gates, s.Contexts, s.Readmitted, s.Recorded)
	for _, id := range s.Widened {
		fmt.Fprintf(b, "\nGate %.12s is asked everywhere now: a macro that it was asked at is gone.\n", id)
	}
}
