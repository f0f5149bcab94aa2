package main

import (
	"strings"
	"sync"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/evolve"
	"github.com/gbt-policy/gbt/internal/completion/mine"
	"github.com/gbt-policy/gbt/traverse"
	"github.com/gbt-policy/gbt/tree"
)

// verdictOn is what a rule says of a run.
type verdictOn uint8

const (
	saysNothing verdictOn = iota
	saysNo
	saysPassed
	saysDone
)

// thumb is what a rule of thumb says.
func thumb(done, known bool) verdictOn {
	switch {
	case !known:
		return saysNothing
	case done:
		return saysDone
	}
	return saysNo
}

// claimed is a run that claimed to be done.
type claimed struct {
	verdict verdictOn
	atLeaf  bool
	checks  int
	why     string
}

// replay lets the runs of a fold claim to be done, on workers.
func (r *completionReport) replay(art *artifacts.Policy, held []distill.LeftOut, workers int) error {
	p, err := traverse.New(art, traverse.Options{})
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	runs := make([]claimed, len(held))
	var wg sync.WaitGroup
	for w := range max(workers, 1) {
		wg.Go(func() {
			for i := w; i < len(held); i += max(workers, 1) {
				runs[i] = claim(p, &held[i])
			}
		})
	}
	wg.Wait()
	for i := range held {
		name := held[i].Trace.Format
		if r.Formats[name] == nil {
			r.Formats[name] = newCompletionFigures()
		}
		r.Formats[name].add(&held[i], &runs[i])
		r.Total.add(&held[i], &runs[i])
	}
	return nil
}

// claim replays one run in a shadow session, executes the checks that its log has an answer
// for, and finishes.
func claim(p *traverse.Policy, h *distill.LeftOut) claimed {
	s := p.Start(traverse.Task{ID: h.Episode.ID, Text: h.Episode.Task, Shadow: true}, traverse.Env{UID: -1, GID: -1, Tools: h.Trace.Offered})
	for _, m := range s.MinedAhead() {
		s.Untouched(m.ID, false, nil)
	}
	for i := range h.Episode.Steps {
		step := &h.Episode.Steps[i]
		s.Observe(traverse.Call{Tool: step.Tool, Args: []byte(step.Args)}, evolve.ResultOf(step))
	}
	out := claimed{atLeaf: s.Status().AtLeaf && s.Status().Routed}
	for _, m := range s.Mined() {
		out.checks++
		if m.Check == nil {
			continue
		}
		if passed, known := logged(p.Artifact(), m.ID, h); known {
			s.Report(m.ID, passed, nil)
		} else {
			s.Cannot(m.ID, "not in the log")
		}
	}
	end := s.Finish()
	if out.why = end.Reason; out.why == "" {
		out.why = "no-check"
	}
	if id, _, ok := strings.Cut(end.Reason, ":"); ok && strings.HasPrefix(id, "check-") {
		out.why = id
	}
	switch {
	case end.Done():
		out.verdict = saysDone
	case out.why == "check-failed":
		out.verdict = saysNo
	case out.why == "check-not-decisive", out.why == "check-cannot-fail":
		out.verdict = saysPassed
	}
	return out
}

// logged is what a run's log says of a check of the policy.
func logged(art *artifacts.Policy, id string, h *distill.LeftOut) (passed, known bool) {
	var found *tree.Proof
	for f := range art.Tree.Families {
		for i := range art.Tree.Families[f].Proofs {
			if traverse.MinedID(f, i) == id {
				found = &art.Tree.Families[f].Proofs[i]
			}
		}
	}
	return mine.Logged(h.Trace.Shown, found)
}
