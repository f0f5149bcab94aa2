package evolve

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/tree"
)

// Measured is what a policy makes of successes of tasks that neither it nor the new
// runs have.
type Measured struct {
	Episodes int `json:"episodes"`
	Full     int `json:"covered_episodes"`
	Steps    int `json:"steps"`
	Covered  int `json:"covered_steps"`
	Text     int `json:"text_steps"`    // before which the agent said something
	Named    int `json:"named_steps"`   // of them, those covered whose macro the words name
	Seen     int `json:"covered_texts"` // of them, those covered: top-1 is of these
}

func (m *Measured) add(c *merge.Coverage, t *merge.Trace) {
	m.Episodes++
	tally1(&m.Full, c.Full())
	m.Steps += c.Steps
	m.Covered += c.Covered
	for i := range t.Macros {
		tally1(&m.Text, t.Macros[i].Words != "")
	}
	m.Named += c.Top1
	m.Seen += c.WithText
}

// Coverage, Next and Top1 are shares of steps: covered; named, of those with words;
// and named, of those covered with words.
func (m *Measured) Coverage() float64 { return share(m.Covered, m.Steps) }

// Next is the share of the steps with words that the policy names.
func (m *Measured) Next() float64 { return share(m.Named, m.Text) }

// Top1 is the same of the steps that it covers.
func (m *Measured) Top1() float64 { return share(m.Named, m.Seen) }

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// Test compares two policies task by task: how many tasks have more of their steps
// right under the second, and how many fewer; the two-sided sign test of these
// (Dixon and Mood 1946), and the bootstrap's 95% interval of the mean difference
// (Efron 1979; 2,000 samples of tasks, by a fixed seed).
type Test struct {
	Better int     `json:"tasks_better"`
	Worse  int     `json:"tasks_worse"`
	P      float64 `json:"p"`
	Mean   float64 `json:"mean"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// Row is one way to evolve, over all folds.
type Row struct {
	Arm      string               `json:"arm"`
	New      int                  `json:"new_runs"`
	Applied  int                  `json:"edits_applied"`
	Refused  int                  `json:"edits_refused"`
	Before   Measured             `json:"before"`
	After    Measured             `json:"after"`
	Lasting  Lasting              `json:"lasting"`
	Steps    Test                 `json:"coverage_test"` // of the share of a task's steps that are covered
	Named    Test                 `json:"next_test"`     // of the share of its steps with words that are named
	Families map[string]*Families `json:"families"`
}

// Families is one family of a row: by the one that the old policy stands a task in.
type Families struct {
	Before  Measured `json:"before"`
	After   Measured `json:"after"`
	Lasting Lasting  `json:"lasting"`
}

// Lasting are the steps with words that both policies cover: whether matching got
// better or worse apart from what there is to match. Top-1 of all covered steps may
// fall where steps are covered for the first time.
type Lasting struct {
	Steps  int `json:"steps"`
	Before int `json:"named_before"`
	After  int `json:"named_after"`
}

// Top1Before is the share of these that the old policy names.
func (l *Lasting) Top1Before() float64 { return share(l.Before, l.Steps) }

// Top1After is Top1Before of the evolved policy.
func (l *Lasting) Top1After() float64 { return share(l.After, l.Steps) }

func (l *Lasting) add(before, after *merge.Coverage) {
	is := after.NamedAt()
	for at, was := range before.NamedAt() {
		if now, both := is[at]; both {
			l.Steps++
			tally1(&l.Before, was)
			tally1(&l.After, now)
		}
	}
}

// Evaluation is gbt eval evolve.
type Evaluation struct {
	Rows     []*Row         `json:"rows"`
	Counts   distill.Counts `json:"read"`
	Problems []corpora.Problem
}

// arm is one way to evolve.
type arm struct {
	name  string
	parts int // eighths of the new tasks
	opt   Options
	beta  *tree.Milli
	all   bool // distil old and new runs together instead
}

// growth are the eighths of the new tasks that the gain is measured at.
const growth = 8

func arms() []arm {
	zero := tree.Milli(0)
	return []arm{
		{name: "evolve, 1/8 of the new tasks", parts: 1}, {name: "evolve, 2/8", parts: 2}, {name: "evolve, 4/8", parts: 4},
		{name: "evolve", parts: growth},
		{name: "without retrieval", parts: growth, opt: Options{NoRetrieval: true}},
		{name: "with beta 0", parts: growth, beta: &zero},
		{name: "without regression tests", parts: growth, opt: Options{NoRegression: true}},
		{name: "distilled from old and new runs", parts: growth, all: true},
	}
}

// Evaluate measures evolution on tasks left out: with the tasks in five folds, a
// policy is distilled from two, evolved by runs of two others, and judged on the
// fifth; each fold is judged once. Gates take no part.
func Evaluate(ctx context.Context, in *logs.Input, cfg *distill.Config, workers int, progress distill.Progress) (*Evaluation, error) {
	shell, err := cfg.Shell()
	if err != nil {
		return nil, err
	}
	read := *cfg
	read.Learning.Off = true
	fresh, err := distill.ReadFresh(ctx, in, shell, distill.Options{Config: read, Workers: workers, Progress: progress})
	if err != nil {
		return nil, err
	}
	out := &Evaluation{Counts: fresh.Counts, Problems: fresh.Problems}
	m := &measure{ctx: ctx, cfg: &read, workers: workers, enc: newMemo()}
	for _, a := range arms() {
		out.Rows = append(out.Rows, &Row{Arm: a.name, Families: map[string]*Families{}})
		m.tasks = append(m.tasks, map[uint64]*pair{})
	}
	usable := slices.DeleteFunc(slices.Clone(fresh.Episodes), func(f distill.Fresh) bool {
		return f.Use != distill.UseSuccess && f.Use != distill.UseFailure || len(f.Trace.Macros) == 0
	})
	fold := distill.FoldOf(usable)
	for r := range merge.Folds {
		if progress != nil {
			progress.Stage(fmt.Sprintf("fold %d of %d", r+1, merge.Folds))
		}
		if err := m.round(usable, fold, r, out.Rows); err != nil {
			return nil, err
		}
	}
	for i, row := range out.Rows {
		row.Steps, row.Named = m.test(i)
	}
	return out, nil
}

type measure struct {
	ctx     context.Context
	cfg     *distill.Config
	workers int
	enc     *memo
	tasks   []map[uint64]*pair // by arm
}

// pair is one task under the old policy and the evolved one.
type pair struct{ before, after Measured }

// round distils from two folds, evolves by two others and judges on the fifth.
func (m *measure) round(all []distill.Fresh, fold []int, r int, rows []*Row) error {
	var old, judged []*distill.Fresh
	var fresh []distill.Fresh
	for i := range all {
		switch (fold[i] - r + merge.Folds) % merge.Folds {
		case 0, 1:
			old = append(old, &all[i])
		case 2, 3:
			fresh = append(fresh, all[i])
		default:
			if all[i].Use == distill.UseSuccess {
				judged = append(judged, &all[i])
			}
		}
	}
	if len(old) == 0 || len(fresh) == 0 || len(judged) == 0 {
		return nil
	}
	first, err := distill.FromTraces(m.ctx, traces(old), m.cfg, m.workers)
	if err != nil {
		return err
	}
	for i, a := range arms() {
		p := *first
		if a.beta != nil {
			p.Params.Beta = *a.beta
		}
		next, err := m.evolve(&p, old, part(fresh, a.parts), &a, rows[i])
		if err != nil {
			return err
		}
		m.judge(&p, next, judged, i, rows[i])
	}
	return nil
}

func traces(list []*distill.Fresh) []*merge.Trace {
	out := make([]*merge.Trace, len(list))
	for i, f := range list {
		out[i] = f.Trace
	}
	return out
}

// part takes some eighths of the tasks, by their hash.
func part(fresh []distill.Fresh, eighths int) []distill.Fresh {
	var out []distill.Fresh
	for i := range fresh {
		if int(fresh[i].Trace.TaskKey>>16%growth) < eighths {
			out = append(out, fresh[i])
		}
	}
	return out
}

func (m *measure) evolve(p *artifacts.Policy, old []*distill.Fresh, fresh []distill.Fresh, a *arm, row *Row) (*artifacts.Policy, error) {
	row.New += len(fresh)
	if a.all {
		for i := range fresh {
			old = append(old, &fresh[i])
		}
		return distill.FromTraces(m.ctx, traces(old), m.cfg, m.workers)
	}
	opt := a.opt
	opt.Config, opt.Workers = *m.cfg, m.workers
	res, err := Evolve(m.ctx, &distill.Parent{Policy: p, Digest: evaluated}, &distill.FreshLogs{Episodes: fresh}, opt)
	if err != nil {
		return nil, err
	}
	for i := range res.Edits {
		tally1(&row.Applied, res.Edits[i].Applied)
		tally1(&row.Refused, !res.Edits[i].Applied)
	}
	return res.Policy, nil
}

// evaluated stands for the digest of a policy that is never written.
const evaluated = "0000000000000000000000000000000000000000000000000000000000000000"

// judge walks the judging successes down both policies.
func (m *measure) judge(before, after *artifacts.Policy, judged []*distill.Fresh, arm int, row *Row) {
	b, a := tree.NewView(&before.Tree), tree.NewView(&after.Tree)
	was, is := make([]merge.Coverage, len(judged)), make([]merge.Coverage, len(judged))
	spread(len(judged), m.workers, func(i int) {
		was[i] = merge.Cover(b, &before.Params, m.enc, judged[i].Trace)
		is[i] = merge.Cover(a, &after.Params, m.enc, judged[i].Trace)
	})
	for i, f := range judged {
		name := "none"
		if was[i].Family >= 0 {
			name = b.Families[was[i].Family].Name
		}
		if row.Families[name] == nil {
			row.Families[name] = &Families{}
		}
		p := m.tasks[arm][f.Trace.TaskKey]
		if p == nil {
			p = &pair{}
			m.tasks[arm][f.Trace.TaskKey] = p
		}
		row.Lasting.add(&was[i], &is[i])
		row.Families[name].Lasting.add(&was[i], &is[i])
		for _, into := range []*Measured{&row.Before, &row.Families[name].Before, &p.before} {
			into.add(&was[i], f.Trace)
		}
		for _, into := range []*Measured{&row.After, &row.Families[name].After, &p.after} {
			into.add(&is[i], f.Trace)
		}
	}
}

// test compares one arm task by task, by steps covered and by steps named.
func (m *measure) test(arm int) (steps, named Test) {
	var s, n []float64
	for _, key := range slices.Sorted(maps.Keys(m.tasks[arm])) {
		p := m.tasks[arm][key]
		s = append(s, p.after.Coverage()-p.before.Coverage())
		if p.before.Text > 0 {
			n = append(n, p.after.Next()-p.before.Next())
		}
	}
	return compareTasks(s), compareTasks(n)
}

// samples is how often the bootstrap draws.
const samples = 2000

func compareTasks(diff []float64) Test {
	t := Test{P: 1}
	sum := 0.0
	for _, d := range diff {
		tally1(&t.Better, d > 0)
		tally1(&t.Worse, d < 0)
		sum += d
	}
	if len(diff) == 0 {
		return t
	}
	t.Mean = sum / float64(len(diff))
	if n := t.Better + t.Worse; n > 0 {
		t.P = min(1, 2*distuv.Binomial{N: float64(n), P: 0.5}.CDF(float64(min(t.Better, t.Worse))))
	}
	rng := rand.New(rand.NewPCG(1, 1))
	means := make([]float64, samples)
	for i := range means {
		for range diff {
			means[i] += diff[rng.IntN(len(diff))]
		}
		means[i] /= float64(len(diff))
	}
	slices.SortFunc(means, cmp.Compare)
	t.Low, t.High = means[samples/40], means[samples-1-samples/40]
	return t
}
