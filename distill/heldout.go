package distill

import (
	"context"
	"iter"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/segment"
	"github.com/gbt-policy/gbt/tree"
	"github.com/gbt-policy/gbt/tree/text"
)

// LeftOut is an episode kept in memory with its trace, for evaluations that need
// the calls themselves and not only their macros.
type LeftOut struct {
	Episode *corpora.Episode
	Trace   *merge.Trace
	Success bool
}

// ReadLeftOut reads the labelled episodes of the logs that have a macro, each run
// once. With screen, those that fail the test of requirement X4 are left out, as
// distillation does.
func ReadLeftOut(ctx context.Context, in *logs.Input, cfg *Config, screen bool) ([]LeftOut, Counts, []corpora.Problem, error) {
	params, err := cfg.Params()
	if err != nil {
		return nil, Counts{}, nil, err
	}
	profile := profileOf(&params)
	type one struct {
		item
		episode *corpora.Episode
	}
	by, err := cfg.reader(profile, screen)
	if err != nil {
		return nil, Counts{}, nil, err
	}
	counts, seen := newCounts(), map[uint64]bool{}
	var out []LeftOut
	var problems []corpora.Problem
	for it := range eachPart(ctx, in, by, func(u *logs.Unit, p part) one {
		return one{by.item(ctx, u, p), p.Episode}
	}) {
		if it.err != nil {
			return nil, counts, problems, it.err
		}
		counts.add(&it.item)
		if it.problem != nil && len(problems) < maxProblems {
			problems = append(problems, *it.problem)
		}
		learns := it.use == UseSuccess || it.use == UseFailure
		if it.trace == nil || !learns || len(it.trace.Macros) == 0 || seen[it.trace.Key()] {
			continue
		}
		seen[it.trace.Key()] = true
		out = append(out, LeftOut{it.episode, it.trace, it.use == UseSuccess})
	}
	return out, counts, problems, ctx.Err()
}

// reader reads episodes for an evaluation: the user's monitors judge them as they
// do in distillation.
func (c *Config) reader(profile segment.Profile, screen bool) (*reader, error) {
	k, err := c.Checker()
	if err != nil {
		return nil, err
	}
	r := newReader(c, profile, k)
	r.screen = screen
	if err := c.monitorsLoaded(); err != nil || c.monitors == nil {
		return r, err
	}
	r.finder = newFinder(c, &Options{}, k, profile)
	return r, nil
}

func profileOf(p *tree.Params) segment.Profile {
	if p.Profile == tree.ReferenceProfile {
		return segment.Reference
	}
	return segment.Default
}

// Fold is a policy distilled without some tasks, and the episodes of those.
type Fold struct {
	Policy  *artifacts.Policy
	LeftOut []LeftOut
}

// CrossValidate splits episodes by task in merge.Folds folds and yields, for each, a
// policy distilled from the others: tree, settings and guardrail, no gates.
// Runs of one task, and tasks with one text, are never parted.
func CrossValidate(ctx context.Context, all []LeftOut, cfg *Config, workers int) iter.Seq2[Fold, error] {
	return crossValidate(ctx, all, foldsOf(all), merge.Folds, cfg, workers)
}

// crossValidate leaves out, in turn, the episodes that fold gives one number.
func crossValidate(ctx context.Context, all []LeftOut, fold []int, folds int, cfg *Config, workers int) iter.Seq2[Fold, error] {
	return func(yield func(Fold, error) bool) {
		for f := range folds {
			var train traces
			var out Fold
			for i, h := range all {
				if fold[i] == f {
					out.LeftOut = append(out.LeftOut, h)
				} else {
					train = append(train, h.Trace)
				}
			}
			if len(out.LeftOut) == 0 || len(train) == 0 {
				continue
			}
			var err error
			if out.Policy, err = fromTraces(ctx, train, cfg, workers); !yield(out, err) || err != nil {
				return
			}
		}
	}
}

// foldsOf gives every episode its fold: that of the least key among the tasks
// of successful episodes that it shares a text with, directly or through others
// (union-find). Package merge folds its own cross-validation by the same rule,
// so the two can be compared.
func foldsOf(all []LeftOut) []int {
	up, text := map[uint64]uint64{}, map[uint64]uint64{}
	root := func(k uint64) uint64 {
		for up[k] != 0 {
			k = up[k]
		}
		return k
	}
	for _, h := range all {
		if h.Trace.TextKey == 0 || !h.Success {
			continue
		}
		a, known := root(h.Trace.TaskKey), text[h.Trace.TextKey]
		if known == 0 {
			text[h.Trace.TextKey] = a
		} else if b := root(known); a != b {
			up[max(a, b)] = min(a, b)
		}
	}
	out := make([]int, len(all))
	for i, h := range all {
		out[i] = int(root(h.Trace.TaskKey) % merge.Folds)
	}
	return out
}

// traces are a merge.Source in memory.
type traces []*merge.Trace

// Parts implements merge.Source.
func (t traces) Parts() int { return 1 }

// Part implements merge.Source.
func (t traces) Part(int) iter.Seq2[*merge.Trace, error] {
	return func(yield func(*merge.Trace, error) bool) {
		for _, x := range t {
			if !yield(x, nil) {
				return
			}
		}
	}
}

func fromTraces(ctx context.Context, train traces, cfg *Config, workers int) (*artifacts.Policy, error) {
	params, err := cfg.Params()
	if err != nil {
		return nil, err
	}
	rail, err := cfg.Guardrail.Sealed()
	if err != nil {
		return nil, err
	}
	lost, late, err := cfg.abstain()
	if err != nil {
		return nil, err
	}
	table := text.Default()
	var familyOf func(*merge.Trace) string
	res, err := merge.Merge(ctx, train, merge.Options{
		Abstain: lost, Late: late, Placed: func(f func(*merge.Trace) string) { familyOf = f },
		Params: params, Families: cfg.specs(), Encoder: NewEncoder(table), Workers: workers, SplitAliased: cfg.splitAliased(),
		OwnSuccessors: off(cfg.Tree.ShareSuccessors), OwnNames: off(cfg.Tree.PoolWords),
		RecoveryFilters: cfg.recoveryFilters(),
	})
	if err != nil {
		return nil, err
	}
	if _, err := mineChecks(train, res, familyOf, cfg); err != nil {
		return nil, err
	}
	if _, err := mineFixes(train, res, familyOf, cfg); err != nil {
		return nil, err
	}
	return &artifacts.Policy{
		Name: cfg.Name, Sequence: 1, Tree: *res.Tree, Params: res.Params, Pack: artifacts.DefaultPack(), Guardrail: rail,
		Provenance: artifacts.Provenance{Tool: Tool}, Encoder: artifacts.Encoder{ID: table.ID(), Digest: table.Digest(), Dim: table.Dim()},
	}, nil
}
