package main

import (
	"slices"
	"sync"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/evolve"
	"github.com/gbt-policy/gbt/internal/completion/fixes"
	"github.com/gbt-policy/gbt/traverse"
	"github.com/gbt-policy/gbt/tree"
)

// bindings are the numbers of tasks from which on a retry bound ends runs, which are compared.
var bindings = []int{5, fixes.Binding, 59, 149}

// naive is the bound of the rule of thumb beside them: that of a plan's state.
const naive = 3

// fixRun is what a policy said while one run was walked.
type fixRun struct {
	falls []fallSaid
	ends  []int // by binding, and the rule of thumb: calls that were left when the run was ended; -1 for not
}

// fallSaid is one failure of a run: what came of it, and what was named.
type fallSaid struct {
	named, again, did, worked, passed bool
	reform, reformed                  bool // it was only tried in another form, and that worked
}

// replay walks the runs of a fold, on workers.
func (r *fixesReport) replay(art *artifacts.Policy, held []distill.LeftOut, workers int) error {
	var list []*traverse.Policy
	for _, n := range bindings {
		p, err := traverse.New(bound(art, n), traverse.Options{})
		if err != nil {
			return fail(exitInput, "%v", err)
		}
		list = append(list, p)
	}
	runs := make([]fixRun, len(held))
	var wg sync.WaitGroup
	for w := range max(workers, 1) {
		wg.Go(func() {
			for i := w; i < len(held); i += max(workers, 1) {
				runs[i] = walkFixes(list, &held[i])
			}
		})
	}
	wg.Wait()
	for i := range held {
		r.add(&held[i], &runs[i])
	}
	return nil
}

// bound is a policy whose retry bounds end runs from so many tasks on.
func bound(art *artifacts.Policy, tasks int) *artifacts.Policy {
	out := *art
	out.Tree.Families = slices.Clone(art.Tree.Families)
	for i := range out.Tree.Families {
		f := &out.Tree.Families[i]
		f.Retries = slices.Clone(f.Retries)
		for k := range f.Retries {
			f.Retries[k].Advice = f.Retries[k].Tasks < uint32(tasks)
		}
	}
	return &out
}

// walkFixes replays one run in shadow sessions, one for each binding.
func walkFixes(list []*traverse.Policy, h *distill.LeftOut) fixRun {
	out := fixRun{}
	for k, p := range list {
		s := p.Start(traverse.Task{ID: h.Episode.ID, Text: h.Episode.Task, Shadow: true}, traverse.Env{UID: -1, GID: -1, Tools: h.Trace.Offered})
		end, n := -1, 0
		for i := range h.Episode.Steps {
			step := &h.Episode.Steps[i]
			s.Observe(traverse.Call{Tool: step.Tool, Args: []byte(step.Args)}, evolve.ResultOf(step))
			if f := fixes.Failed(step); f != "" && step.Status == corpora.StatusExecuted && n < len(h.Trace.Falls) {
				if k == 0 {
					out.falls = append(out.falls, namedFor(s, h, n))
				}
				n++
			}
			if end < 0 && s.SpentOn() != "" {
				end = len(h.Episode.Steps) - i - 1
			}
		}
		out.ends = append(out.ends, end)
	}
	out.ends = append(out.ends, naively(h))
	return out
}

// namedFor is what is named for the n-th failure of a run, beside what the run did.
func namedFor(s *traverse.Session, h *distill.LeftOut, n int) fallSaid {
	f := &h.Trace.Falls[n]
	out := fallSaid{again: f.Again, passed: f.Passed, reform: f.Again && slices.Equal(f.With, []string{f.Action})}
	out.reformed = out.reform && f.Passed
	for _, k := range s.KnownFixes() {
		if k.Action != f.Action {
			continue
		}
		out.named = true
		out.did = out.did || f.Again && slices.Contains(f.With, k.Does)
	}
	out.worked = out.did && f.Passed
	return out
}

// naively is where a bound of three for every action would end a run.
func naively(h *distill.LeftOut) int {
	row := map[string]int{}
	for i := range h.Episode.Steps {
		step := &h.Episode.Steps[i]
		if step.Status != corpora.StatusExecuted {
			continue
		}
		action := fixes.ActionOf(step)
		if fixes.Failed(step) == "" {
			row[action] = 0
			continue
		}
		if row[action]++; row[action] > naive {
			return len(h.Episode.Steps) - i - 1
		}
	}
	return -1
}

// sealed counts the fixes and bounds of a fold's policy.
func (r *fixesReport) sealed(t *tree.Tree) {
	for i := range t.Families {
		f := &t.Families[i]
		r.Fixes += len(f.Fixes)
		r.Bounds += len(f.Retries)
		for _, x := range f.Retries {
			tally(&r.Binding, !x.Advice)
		}
	}
}
