package distill

import (
	"cmp"
	"context"
	"slices"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/gates/learn"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/segment"
)

// Fresh is a new episode, read for a policy that there is already: what package
// evolve takes of it.
type Fresh struct {
	Episode *corpora.Episode
	Path    *segment.Path
	Trace   *merge.Trace // with the agent's words, of failures too
	Use     Use
	Rule    string      // that labelled it; "" for the log's own judgement
	Tasks   [][]byte    // digests of its task
	Case    *learn.Case // what it teaches about calls; nil if nothing
}

// FreshLogs are new episodes, each once, in the order of their digests: neither
// files nor workers matter.
type FreshLogs struct {
	Episodes []Fresh
	Declined []*learn.Case // what users declined, of all runs
	Counts   Counts
	Windows  Windows
	Inputs   artifacts.Inputs
	Problems []corpora.Problem // the first of them, in input order
}

// ReadFresh reads new logs as Run does, for the successor of a policy: by its
// profile, and with its guardrail.
func ReadFresh(ctx context.Context, in *logs.Input, old *artifacts.Policy, opt Options) (*FreshLogs, error) {
	k, err := artifacts.NewChecker(old)
	if err != nil {
		return nil, err
	}
	if err := opt.Config.monitorsLoaded(); err != nil {
		return nil, err
	}
	if opt.Progress == nil {
		opt.Progress = silent{}
	}
	r := &run{cfg: opt.Config, opt: opt, params: old.Params, checker: k, refused: evidence{unjudged: true}}
	profile := profileOf(&old.Params)
	by := newReader(&r.cfg, profile, k)
	by.screen, by.finder = true, r.finder(profile)
	r.res.Counts = newCounts()
	opt.Progress.Stage("reading")
	out := &FreshLogs{}
	seen := map[uint64]bool{}
	for f := range eachPart(ctx, in, by, func(u *logs.Unit, p part) freshItem {
		it := by.item(ctx, u, p)
		f := freshItem{item: it, episode: p.Episode}
		if !r.cfg.Learning.Off {
			f.about, f.refused = newCase(p.Episode, &it, k), refused(p.Episode, profile, k)
		}
		return f
	}) {
		if err := out.take(r, &f, seen, profile); err != nil {
			return nil, err
		}
	}
	out.Declined = r.refused.all()
	out.Counts, out.Problems = r.res.Counts, r.res.Problems
	out.Inputs = r.inputs()
	slices.SortFunc(out.Episodes, func(a, b Fresh) int { return cmp.Compare(string(a.Trace.Digest[:]), string(b.Trace.Digest[:])) })
	return out, ctx.Err()
}

// freshItem is an item with its episode.
type freshItem struct {
	item
	episode *corpora.Episode
}

// take counts one item and keeps it. It runs on one goroutine.
func (out *FreshLogs) take(r *run, f *freshItem, seen map[uint64]bool, profile segment.Profile) error {
	if f.err != nil {
		return f.err
	}
	r.res.Counts.add(&f.item)
	if f.problem != nil && len(r.res.Problems) < maxProblems {
		r.res.Problems = append(r.res.Problems, *f.problem)
	}
	if f.format == "" {
		return nil
	}
	r.opt.Progress.Add(1)
	if f.trace != nil && seen[f.trace.Key()] {
		f.use, f.trace = UseDuplicate, nil
	}
	r.res.Counts.Uses[f.use.String()]++
	r.refused.add(f.refused)
	if f.trace == nil {
		return nil
	}
	seen[f.trace.Key()] = true
	r.digests = append(r.digests, f.trace.Digest)
	if f.again != nil {
		out.Windows.add(&f.again.sum)
	}
	t := f.trace
	if f.use == UseFailure { // item keeps no words of these; what they chose is judged by them
		t = merge.TraceOf(f.episode, f.path, profile, true)
		t.Success, t.Shown, t.Falls = false, f.trace.Shown, f.trace.Falls
	}
	out.Episodes = append(out.Episodes, Fresh{
		Episode: f.episode, Path: f.path, Trace: t, Use: f.use, Rule: f.rule, Tasks: f.tasks, Case: f.about,
	})
	return nil
}

// LearnFresh makes gates of new cases and of what users declined, but for those that
// a person rejected, and adds their contexts to those on record with the parent.
func (p *Parent) LearnFresh(cases, declined []*learn.Case, cfg *Config, rejected func(scope, expr string) bool) *Gates {
	if cfg.Learning.Off {
		if p.Contexts == nil {
			return nil
		}
		return &Gates{Contexts: p.Contexts}
	}
	opt := cfg.learnOptions()
	opt.Rejected = rejected
	return learnOnto(p.Contexts, cases, declined, opt)
}

// SealInto puts the accepted gates that keep says into a policy, and pins the
// corpora. It changes neither g nor the parent's gates.
func (g *Gates) SealInto(p *artifacts.Policy, keep func(id string) bool) {
	some := *g
	some.Accepted = slices.DeleteFunc(slices.Clone(g.Accepted), func(a learn.Gate) bool { return !keep(a.ID) })
	some.Review = slices.Clone(g.Review)
	p.Gates, p.Corpora = slices.Clone(p.Gates), nil
	some.seal(p)
}

// Succeed makes a policy the successor of p, with all its gates, and proves that it
// lets nothing pass that p stops: the error is ErrReadmitted or ErrLooser if it does.
func (p *Parent) Succeed(ctx context.Context, next *artifacts.Policy, workers int) (*Succession, error) {
	s, err := p.succeed(next)
	if err != nil {
		return nil, err
	}
	s.Audit, err = p.audit(ctx, next, workers)
	return s, err
}

// Shell is a policy without a tree that has the settings of a configuration: what
// ReadFresh needs where logs are read for policies that are yet to be distilled.
func (c *Config) Shell() (*artifacts.Policy, error) {
	params, err := c.Params()
	if err != nil {
		return nil, err
	}
	rail, err := c.Guardrail.Sealed()
	return &artifacts.Policy{Params: params, Guardrail: rail, Pack: artifacts.DefaultPack()}, err
}

// FoldOf gives every episode one of merge.Folds folds by task, as CrossValidate
// does: runs of one task, and tasks with one text, are never parted.
func FoldOf(all []Fresh) []int {
	list := make([]LeftOut, len(all))
	for i := range all {
		list[i] = LeftOut{all[i].Episode, all[i].Trace, all[i].Use == UseSuccess}
	}
	return foldsOf(list)
}

// FromTraces distils a policy for an evaluation: tree, settings and guardrail, no
// gates.
func FromTraces(ctx context.Context, train []*merge.Trace, cfg *Config, workers int) (*artifacts.Policy, error) {
	return fromTraces(ctx, train, cfg, workers)
}
