package distill

import (
	"context"
	"fmt"
	"sync"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/completion/fixes"
	"github.com/gbt-policy/gbt/internal/completion/mine"
	"github.com/gbt-policy/gbt/internal/conditions"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/gates/learn"
	"github.com/gbt-policy/gbt/internal/replay/monitor"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/segment"
	"github.com/gbt-policy/gbt/tree"
)

// Counts says what was read and what became of it.
type Counts struct {
	Files     int            `json:"files"`
	Episodes  int            `json:"episodes"`
	Steps     int            `json:"steps"`
	Changes   int            `json:"changes"`  // calls that change something, of the episodes that are learned from
	Observed  int            `json:"observed"` // of these, those whose change the log shows
	Skipped   int            `json:"skipped"`
	Malformed int            `json:"malformed"`
	Uses      map[string]int `json:"uses"`
	Formats   map[string]int `json:"formats"`
	Success   int            `json:"success"`
	Failure   int            `json:"failure"`
	Unsafe    int            `json:"unsafe"`
	Requests  *RequestCounts `json:"requests,omitempty"` // nil if no rules label any

	last *logs.Unit
}

// item is what a worker makes of one record.
type item struct {
	labelled
	unit    *logs.Unit
	path    *segment.Path // nil of an episode that teaches nothing
	trace   *merge.Trace
	use     Use
	steps   int
	format  string
	outcome corpora.Outcome
	unsafe  bool
	problem *corpora.Problem
	skip    bool
	own     bool     // a skip of what an earlier run wrote
	tasks   [][]byte // digests of the task, for the leak check
	about   *learn.Case
	refused *learn.Case     // what the user declined; nil for nothing
	again   *replayed       // nil if it was not replayed
	run     *conditions.Run // what conditions are mined from; nil for nothing
	err     error           // of the environment that it was replayed in
}

// read runs the logs through segmentation into a spool.
func (r *run) read(ctx context.Context, in *logs.Input) error {
	profile := segment.Default
	if r.params.Profile == tree.ReferenceProfile {
		profile = segment.Reference
	}
	seen := map[uint64]bool{}
	by := newReader(&r.cfg, profile, r.checker)
	by.screen, by.finder = true, r.finder(profile)
	one := func(u *logs.Unit, p part) item {
		it := by.item(ctx, u, p)
		if !r.cfg.Learning.Off {
			it.run = r.conditionRun(p.Episode, &it)
			it.about, it.refused = newCase(p.Episode, &it, r.checker), refused(p.Episode, profile, r.checker)
		}
		return it
	}
	for it := range eachPart(ctx, in, by, one) {
		if err := r.take(it, seen); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// finder replays unsafe episodes if gates are learned from them, or if the
// user's monitors judge episodes.
func (r *run) finder(profile segment.Profile) *finder {
	if r.cfg.Learning.Off && r.cfg.monitors == nil {
		return nil
	}
	return newFinder(&r.cfg, &r.opt, r.checker, profile)
}

// reader makes items of records. With screen, an episode that fails the test of
// requirement X4 is left out: it feeds neither tree nor gates. Evaluation does
// not screen: an episode that a policy learns nothing from still counts where it
// does not cover it.
type reader struct {
	labels  Labels
	profile segment.Profile
	screen  bool
	finder  *finder // nil: nothing is replayed

	outcomes *monitor.Outcomes // nil: sessions stay whole
	checker  *gates.Checker    // reads the calls that outcomes ask about
	coded    map[string]bool   // layouts that mark calls which failed
	mines    bool              // what episodes showed at their end is kept
}

func newReader(cfg *Config, profile segment.Profile, k *gates.Checker) *reader {
	return &reader{labels: cfg.Labels, profile: profile, outcomes: cfg.Outcomes.rules, checker: k, coded: codedLayouts(), mines: !off(cfg.Tree.MineChecks)}
}

func (r *reader) item(ctx context.Context, u *logs.Unit, p part) item {
	e := p.Episode
	if e == nil {
		return item{unit: u, problem: p.Problem, skip: p.Skip != nil, own: p.Skip != nil && p.Skip.Own}
	}
	if !layouts()[e.Format] {
		e.Format = otherLayout
	}
	it := item{labelled: p.labelled, unit: u, use: admit(e, r.labels), steps: len(e.Steps), format: e.Format, outcome: e.Outcome, unsafe: e.Safety == corpora.SafetyUnsafe}
	if it.again, it.err = r.finder.replay(ctx, e); it.again != nil && it.again.judged {
		it.use, it.unsafe = UseUnsafe, true
	}
	if !it.use.learns() {
		return it
	}
	path := it.again.pathOf(e, r.profile)
	if r.screen && !segment.Stable(e, path, r.profile).OK() {
		it.use, it.again = UseUnstable, nil
		return it
	}
	it.path, it.trace = path, p.trace(path, r.profile, it.use == UseSuccess)
	if r.mines && it.use != UseUnsafe {
		it.trace.Shown, it.trace.Falls = mine.Look(e, r.coded[e.Format]), fixes.Look(e)
	}
	it.tasks = p.taskDigests()
	return it
}

// otherLayout stands for what a file of episodes calls a layout and this version
// does not read: the name may be anything, and families are named after layouts.
const otherLayout = "other-layout"

var layouts = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, l := range logs.Layouts() {
		out[l.Name] = true
	}
	return out
})

func newCounts() Counts {
	return Counts{Uses: map[string]int{}, Formats: map[string]int{}}
}

// add counts one record. Records come in the order of their units. What an
// earlier run wrote among the logs does not count, so that the next one gives the
// same bytes.
func (c *Counts) add(it *item) {
	if it.own {
		return
	}
	if it.unit != c.last {
		c.last = it.unit
		c.Files++
	}
	switch {
	case it.problem != nil:
		c.Malformed++
	case it.skip:
		c.Skipped++
	default:
		c.Episodes++
		c.Steps += it.steps
		c.Formats[it.format]++
		c.addRequest(it)
		if it.path != nil {
			changes, observed := it.path.Bases()
			c.Changes += changes
			c.Observed += observed
		}
		tally(&c.Success, it.outcome == corpora.OutcomeSuccess)
		tally(&c.Failure, it.outcome == corpora.OutcomeFailure)
		tally(&c.Unsafe, it.unsafe)
	}
}

// take counts one item and keeps its trace. It runs on one goroutine.
func (r *run) take(it item, seen map[uint64]bool) error {
	if it.err != nil {
		return it.err
	}
	r.res.Counts.add(&it)
	if it.problem != nil && len(r.res.Problems) < maxProblems {
		r.res.Problems = append(r.res.Problems, *it.problem)
	}
	if it.format == "" {
		return nil
	}
	r.progress.Add(1)
	r.refused.add(it.refused)
	if it.trace == nil {
		r.res.Counts.Uses[it.use.String()]++
		return nil
	}
	return r.keep(it, seen)
}

func (r *run) keep(it item, seen map[uint64]bool) error {
	if key := it.trace.Key(); seen[key] {
		it.use = UseDuplicate
	} else {
		seen[key] = true
		r.digests = append(r.digests, it.trace.Digest)
		for _, d := range it.tasks {
			r.tasks[[16]byte(d)] = struct{}{}
		}
	}
	r.res.Counts.Uses[it.use.String()]++
	if it.use == UseDuplicate {
		return nil
	}
	if it.rule != "" {
		r.rules[it.rule]++
	}
	if it.again != nil {
		r.res.Windows.add(&it.again.sum)
	}
	r.evidence.add(it.about)
	r.conditions.add(it.trace.Key(), it.run)
	if len(it.trace.Macros) == 0 {
		return nil
	}
	if err := r.spool.Add(it.trace); err != nil {
		return fmt.Errorf("keep episode: %w", err)
	}
	return nil
}

func tally(n *int, yes bool) {
	if yes {
		*n++
	}
}
