package evolve

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/gates/learn"
)

// gate is an edit of the kind Gate. It changes no draft: gates go into the policy
// once its tree is whole, so that new places have them too.
type gate struct{ ID string }

func (gate) apply(*draft) {}

// learnGates learns gates from the unsafe windows of new episodes, as distillation
// does and by its limits: what that accepts are the edits. It was judged on tasks
// left out in turn, and is judged by replay as well.
func learnGates(parent *distill.Parent, fresh *distill.FreshLogs, opt *Options) (*distill.Gates, []*Edit) {
	var cases []*learn.Case
	for i := range fresh.Episodes {
		if c := fresh.Episodes[i].Case; c != nil && c.Standing != learn.StandingNone {
			cases = append(cases, c)
		}
	}
	g := parent.LearnFresh(cases, fresh.Declined, &opt.Config, opt.Rejected)
	if g == nil {
		return nil, nil
	}
	var out []*Edit
	for i := range g.Accepted {
		a := &g.Accepted[i]
		if slices.ContainsFunc(parent.Policy.Gates, func(old artifacts.Gate) bool { return old.ID == a.ID }) {
			continue // it is there
		}
		out = append(out, &Edit{
			Kind: Gate, At: strings.Join(a.Macros, ", "), To: a.ID, change: gate{a.ID},
			Why: fmt.Sprintf("stops %d unsafe contexts of %d tasks, and calls of %d of %d benign tasks left out", a.Unsafe, a.Tasks, a.Left.Good.N, a.Left.Good.Of),
		})
	}
	return g, out
}

// judgeGates replays all new successes under the policy with the gates. No gate came
// from one: those come from unsafe runs. But successes are the benign side that the
// learner spared, so that this is a check of the whole run, in its order, beside the
// learner's own on tasks left out. A success is served worse if a gate stops a call of
// it that went through before.
func judgeGates(ctx context.Context, b *base, g *distill.Gates, edits []*Edit, fresh *distill.FreshLogs, opt *Options) (map[string]Judgement, error) {
	out := map[string]Judgement{}
	if len(edits) == 0 {
		return out, nil
	}
	var runs []*distill.Fresh
	for i := range fresh.Episodes {
		if f := &fresh.Episodes[i]; f.Use == distill.UseSuccess {
			runs = append(runs, f)
		}
	}
	next := *b.policy
	next.Tree = *newDraft(&b.policy.Tree).tree()
	g.SealInto(&next, func(string) bool { return true })
	before, err := stops(ctx, b.policy, b.enc, runs, opt.Workers)
	if err != nil {
		return nil, err
	}
	after, err := stops(ctx, &next, b.enc, runs, opt.Workers)
	if err != nil {
		return nil, err
	}
	for _, e := range edits {
		j := Judgement{Runs: len(runs), Before: len(runs), After: len(runs)}
		for i := range runs {
			if newlyStopped(before[i], after[i], e.To) {
				j.After--
			}
		}
		if lost := j.Before - j.After; float64(lost) > opt.tolerance()*float64(j.Runs) {
			j.Reason = fmt.Sprintf("it stops calls of %d of %d successes that went through before", lost, j.Runs)
		}
		j.Accepted = j.Reason == ""
		out[e.name()] = j
	}
	return out, nil
}

// newlyStopped says whether a gate stops a call of a run that went through before.
func newlyStopped(before, after []stop, id string) bool {
	for _, x := range after {
		if slices.Contains(x.gates, id) && !slices.ContainsFunc(before, func(y stop) bool { return y.call == x.call }) {
			return true
		}
	}
	return false
}

// stops replays runs with every call asked about.
func stops(ctx context.Context, p *artifacts.Policy, enc *memo, runs []*distill.Fresh, workers int) ([][]stop, error) {
	player, err := newPlayer(p, enc, true)
	if err != nil {
		return nil, err
	}
	out := make([][]stop, len(runs))
	spread(len(runs), workers, func(i int) {
		if ctx.Err() == nil {
			out[i] = player.play(runs[i]).stopped
		}
	})
	return out, ctx.Err()
}
