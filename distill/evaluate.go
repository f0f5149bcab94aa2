package distill

import (
	"context"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/segment"
	"github.com/gbt-policy/gbt/tree"
)

// EpisodeFigures is the coverage of one episode.
type EpisodeFigures struct {
	Episode   string `json:"episode"`
	Task      string `json:"task"`
	Format    string `json:"format"`
	Basis     string `json:"basis,omitempty"` // the rule that says how it ended; "" for the log's own judgement
	Success   bool   `json:"success"`
	Family    string `json:"family"` // where the router sent it; "" if nowhere
	Routed    bool   `json:"routed"`
	Steps     int    `json:"steps"`
	Covered   int    `json:"covered"`
	Generic   int    `json:"covered_generic"`
	TextSteps int    `json:"text_steps"`
	Top1      int    `json:"top1"`
	Full      bool   `json:"full"`
	Right     bool   `json:"covered_and_right"`
	Explored  bool   `json:"explored"`
}

// Evaluation is what a policy covers of a set of logs.
type Evaluation struct {
	Total    merge.Summary            // over successful episodes
	Formats  map[string]merge.Summary // the same by log layout
	Episodes []EpisodeFigures         // all with at least one macro, in input order
	Counts   Counts
	Problems []corpora.Problem
	Leaked   int // successful episodes whose task the policy was distilled from
}

// Evaluate walks every episode of the logs down a policy's tree (requirement
// E4). Figures are totalled over the episodes that the settings count as successes.
func Evaluate(ctx context.Context, p *artifacts.Policy, enc merge.Encoder, in *logs.Input, cfg *Config) (*Evaluation, error) {
	ev := &Evaluation{Formats: map[string]merge.Summary{}, Counts: newCounts()}
	v := tree.NewView(&p.Tree)
	known := map[string]bool{}
	for _, d := range p.TaskDigests {
		known[string(d)] = true
	}
	profile := segment.Default
	if p.Params.Profile == tree.ReferenceProfile {
		profile = segment.Reference
	}
	k, err := cfg.Checker()
	if err != nil {
		return nil, err
	}
	by := newReader(cfg, profile, k)
	one := func(u *logs.Unit, x part) evaluated {
		return evaluate(p, v, enc, by.item(ctx, u, x), &x, profile, known)
	}
	for e := range eachPart(ctx, in, by, one) {
		ev.add(e)
	}
	return ev, ctx.Err()
}

// evaluated is what a worker makes of one record.
type evaluated struct {
	item
	figures EpisodeFigures
	cov     merge.Coverage
	leaked  bool
}

func evaluate(p *artifacts.Policy, v *tree.View, enc merge.Encoder, it item, x *part, profile segment.Profile, known map[string]bool) evaluated {
	out := evaluated{item: it}
	if out.trace == nil || len(out.trace.Macros) == 0 {
		return out
	}
	if out.use != UseSuccess { // reader.item keeps no words of these
		out.trace = merge.NewTrace(x.Episode, profile, true)
	}
	c := merge.Cover(v, &p.Params, enc, out.trace)
	out.cov = c
	for _, d := range x.taskDigests() {
		out.leaked = out.leaked || known[string(d)]
	}
	out.figures = EpisodeFigures{
		Episode: x.Episode.ID, Task: x.Episode.TaskID, Format: x.Episode.Format, Basis: basisOf(it.rule), Success: out.use == UseSuccess,
		Routed: c.Routed, Steps: c.Steps, Covered: c.Covered, Generic: c.Generic, TextSteps: c.WithText, Top1: c.Top1,
		Full: c.Full(), Right: c.Right(), Explored: c.Explore > 0,
	}
	if c.Family >= 0 && c.Routed {
		out.figures.Family = p.Tree.Families[c.Family].Name
	}
	return out
}

func (ev *Evaluation) add(e evaluated) {
	ev.Counts.add(&e.item)
	if e.problem != nil && len(ev.Problems) < maxProblems {
		ev.Problems = append(ev.Problems, *e.problem)
	}
	if e.figures.Steps == 0 {
		return
	}
	ev.Episodes = append(ev.Episodes, e.figures)
	if e.use != UseSuccess {
		return
	}
	ev.Total.Add(&e.cov, -1)
	s := ev.Formats[e.format]
	s.Add(&e.cov, -1)
	ev.Formats[e.format] = s
	tally(&ev.Leaked, e.leaked)
}
