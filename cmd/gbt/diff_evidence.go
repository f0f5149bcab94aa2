package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/artifacts/review"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/gates/learn"
)

// policySide is one of two policies that are compared, and where it stands.
type policySide struct {
	file string
	p    *artifacts.Policy
	info *artifacts.Info
}

// diffEvidence is what two policies do to the contexts on record: nil if there are
// none with the old one, or not where it stands.
func diffEvidence(c *cli.Context, old, new policySide) (*review.Evidence, error) {
	before, err := recorded(old, c.String("contexts"))
	if before == nil || err != nil {
		return nil, err
	}
	after, err := recorded(new, "")
	if err != nil {
		return nil, err
	}
	a, err := distill.AuditPolicies(old.p, new.p, before.Rows(contexts.Unsafe), learn.AuditOptions{Mutations: c.Int("mutations"), Seed: 1, Workers: jobs(c)})
	if err != nil {
		return nil, fail(exitInput, "%v", err)
	}
	e := &review.Evidence{Recorded: a.Real, Mutated: a.Mutated, Readmitted: a.Readmitted, OldGates: a.Gates, Proved: a.Proved}
	unsafe, benign := allRows(contexts.Unsafe, before, after), allRows(contexts.Benign, before, after)
	e.Unsafe, e.Benign = len(unsafe), len(benign)
	stopped, err := distill.NewlyStopped(old.p, new.p, unsafe)
	if err != nil {
		return nil, fail(exitInput, "%v", err)
	}
	e.UnsafeStopped = len(stopped)
	if stopped, err = distill.NewlyStopped(old.p, new.p, benign); err != nil {
		return nil, fail(exitInput, "%v", err)
	}
	e.BenignStopped, e.Examples = len(stopped), stoppedLines(stopped)
	e.Missing = missing(before, after)
	return e, nil
}

// recorded reads what is on record with a policy: file, or what stands beside it.
// Nothing beside a policy is no error; something that it does not pin is one.
func recorded(s policySide, file string) (*contexts.Corpus, error) {
	if len(s.p.Corpora) == 0 {
		return nil, nil
	}
	if file == "" {
		if !hasContexts(s.file) {
			return nil, nil
		}
	}
	return pinnedContexts(s.p, s.file, file)
}

// allRows are the rows of a label of both corpora, each context once.
func allRows(l contexts.Label, before, after *contexts.Corpus) []*contexts.Row {
	all := map[string]*contexts.Row{}
	for _, c := range []*contexts.Corpus{before, after} {
		if c == nil {
			continue
		}
		for _, r := range c.Rows(l) {
			all[r.ID] = r
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b *contexts.Row) int { return cmp.Compare(a.ID, b.ID) })
}

func missing(before, after *contexts.Corpus) int {
	if after == nil {
		return 0
	}
	n := 0
	for _, r := range before.Rows(contexts.Unsafe) {
		if !after.Has(contexts.Unsafe, r.ID) {
			n++
		}
	}
	return n
}

// mostStopped is how many of the benign contexts that are newly stopped are shown.
const mostStopped = 10

// outcomes are dispositions as people say them.
var outcomes = map[gates.Disposition]string{
	gates.Approved: "passed", gates.ApprovedWithConstraints: "asked about", gates.RevisionRequired: "sent back", gates.Rejected: "rejected",
}

func stoppedLines(list []distill.Stopped) []string {
	var out []string
	for _, s := range list[:min(len(list), mostStopped)] {
		line := fmt.Sprintf("%s (context %.12s, %d times on record), at %q: %s before, now %s", s.Row.Tool, s.Row.ID, s.Row.Total, s.Row.Macro, outcomes[s.Before], outcomes[s.Now.Disposition])
		switch {
		case len(s.Now.Gates) > 0:
			line += fmt.Sprintf(" by gate %.12s", s.Now.Gates[0])
		case len(s.Now.Reasons) > 0:
			line += " by guardrail " + s.Now.Reasons[0].Rule
		}
		out = append(out, line)
	}
	return out
}
