package distill

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/internal/gates/learn"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/segment"
	"github.com/gbt-policy/gbt/tree"
	"github.com/gbt-policy/gbt/tree/text"
)

// Renamed are the figures of logs in which names are others: in what is learned
// from, in what is judged, in both or in neither.
type Renamed struct {
	Learned bool `json:"learned"` // renamed in what was learned from
	Judged  bool `json:"judged"`  // renamed in what was judged
	// Calls of benign runs that are high-risk, and those of them that were stopped.
	BenignCalls int           `json:"benign_calls"`
	CallsHit    int           `json:"benign_calls_touched"`
	Gates       GateFigures   `json:"gates"`
	Cover       merge.Summary `json:"-"`
	Figures     Figures       `json:"coverage"`
}

// RenameEvaluation is what becomes of all figures when names change.
type RenameEvaluation struct {
	How      string     `json:"how"`
	Tools    int        `json:"tools"`         // that the logs name
	Other    int        `json:"tools_renamed"` // of them, those that got another name
	Episodes int        `json:"episodes"`
	Rows     [4]Renamed `json:"rows"`
}

// renameSeed is the seed of the renaming: the figures are those of one choice of
// names, and the next run makes the same.
const renameSeed = 1

// EvaluateRenames measures gates and coverage by tasks left out, four times: with
// the names that the logs have, and with others in training, in judging, and in
// both. Renamed consistently, they say the same, so no figure should move.
func EvaluateRenames(ctx context.Context, in *logs.Input, cfg Config, how Renaming, workers int) (*RenameEvaluation, error) {
	k, err := cfg.Checker()
	if err != nil {
		return nil, err
	}
	if err := cfg.monitorsLoaded(); err != nil {
		return nil, err
	}
	ev, tried, err := readTwice(ctx, in, cfg, k, how, workers)
	if err != nil {
		return nil, err
	}
	for i, mode := range [...][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
		row := &ev.Rows[i]
		row.Learned, row.Judged = mode[0], mode[1]
		row.gates(tried, cfg.learnOptions(), workers)
		if err := row.cover(ctx, tried, &cfg, workers); err != nil {
			return nil, err
		}
	}
	return ev, ctx.Err()
}

// readTwice reads the logs as they are and with other names.
func readTwice(ctx context.Context, in *logs.Input, cfg Config, k *gates.Checker, how Renaming, workers int) (*RenameEvaluation, []*twice, error) {
	was := versionOf(&cfg, k)
	var parts []part
	for p := range eachPart(ctx, in, was.by, func(_ *logs.Unit, p part) part { return p }) {
		if p.Episode != nil {
			parts = append(parts, p)
		}
	}
	ev := &RenameEvaluation{How: how.String()}
	is, err := ev.rename(parts, &cfg, k, how)
	if err != nil {
		return nil, nil, err
	}
	all := was.read(ctx, is, parts, workers)
	ev.Episodes = len(all)
	return ev, all, nil
}

// version reads episodes as they are, or with other names.
type version struct {
	by  *reader
	k   *gates.Checker
	new *renamer // nil: the logs' own names
}

func versionOf(cfg *Config, k *gates.Checker) *version {
	v := &version{by: newReader(cfg, segment.Default, k), k: k}
	v.by.screen, v.by.finder = true, newFinder(cfg, &Options{}, k, segment.Default)
	return v
}

// rename sets up the other names. Of tools whose name says nothing the schemas are
// given, as a user would write them.
func (ev *RenameEvaluation) rename(parts []part, cfg *Config, k *gates.Checker, how Renaming) (*version, error) {
	var episodes []*corpora.Episode
	tools := map[string]bool{}
	for i := range parts {
		episodes = append(episodes, parts[i].Episode)
		for j := range parts[i].Episode.Steps {
			tools[parts[i].Episode.Steps[j].Tool] = true
		}
	}
	r := newRenamer(how, renameSeed, episodes)
	for t := range tools {
		tally(&ev.Other, r.tools[t] != "")
	}
	ev.Tools = len(tools)
	other := *k
	if how == RenameMeaningless {
		own, err := cfg.schemas()
		if err != nil {
			return nil, err
		}
		if other.Schemas, err = call.NewSchemas(slices.Concat(own, r.schemas(episodes, k))); err != nil {
			return nil, err
		}
	}
	v := versionOf(cfg, &other)
	v.new = r
	return v, nil
}

// reading is an episode as one version has it.
type reading struct {
	about *learn.Case
	trace *merge.Trace
}

// twice is an episode in both versions. What did harm, and whether the run was
// good, is told from the logs' own.
type twice struct {
	task    string
	success bool
	walks   bool         // the tree is made of it
	harmful map[int]bool // steps
	as      [2]reading
}

// read reads every part in both versions, each run once, in the order of the logs.
func (v *version) read(ctx context.Context, other *version, parts []part, workers int) []*twice {
	both := make([][2]item, len(parts))
	spread(workers, len(parts), func(i int) {
		both[i] = [2]item{v.item(ctx, parts[i]), other.item(ctx, parts[i])}
	})
	var out []*twice
	var cases []*learn.Case
	at := map[*learn.Case]*twice{}
	seen := map[uint64]bool{}
	for i := range both {
		a, b := &both[i][0], &both[i][1]
		if a.trace == nil || seen[a.trace.Key()] {
			continue
		}
		seen[a.trace.Key()] = true
		t := &twice{task: learn.TaskDigest(parts[i].Episode), success: a.use == UseSuccess, walks: a.use == UseSuccess || a.use == UseFailure, harmful: map[int]bool{}, as: [2]reading{{a.about, a.trace}, {b.about, b.trace}}}
		out = append(out, t)
		if a.about != nil && a.about.Standing != learn.StandingNone {
			cases = append(cases, a.about)
			at[a.about] = t
		}
	}
	positives, _ := learn.Blame(cases)
	for _, p := range positives {
		c := cases[p.Case]
		at[c].harmful[c.Samples[p.Sample].Step] = true
	}
	return out
}

func (v *version) item(ctx context.Context, p part) item {
	task := learn.TaskDigest(p.Episode)
	if v.new != nil {
		p.Episode = v.new.episode(p.Episode)
	} else {
		e := *p.Episode
		p.Episode = &e
	}
	it := v.by.item(ctx, nil, p)
	if it.about = newCase(p.Episode, &it, v.k); it.about != nil {
		it.about.Task = task
	}
	return it
}

// side is 1 for other names.
func side(renamed bool) int {
	if renamed {
		return 1
	}
	return 0
}

// gates leaves out every task in turn, as EvaluateGates does.
func (row *Renamed) gates(all []*twice, opt learn.Options, workers int) {
	folds := map[string][]*twice{}
	for _, t := range all {
		folds[t.task] = append(folds[t.task], t)
	}
	keys := slices.Sorted(maps.Keys(folds))
	out := make([]Renamed, len(keys))
	opt.Texts = new(lang.Texts)
	spread(workers, len(keys), func(i int) {
		var train []*learn.Case
		for _, t := range all {
			if c := t.as[side(row.Learned)].about; t.task != keys[i] && c != nil && c.Standing != learn.StandingNone {
				train = append(train, c)
			}
		}
		slices.SortFunc(train, func(a, b *learn.Case) int { return cmp.Compare(a.Episode, b.Episode) })
		lib, at := LearnGates(train, nil, opt).library()
		for _, t := range folds[keys[i]] {
			out[i].judge(t, row.Judged, lib, at)
		}
	})
	for i := range out {
		row.Gates.add(&out[i].Gates)
		row.BenignCalls += out[i].BenignCalls
		row.CallsHit += out[i].CallsHit
	}
}

// judge counts what gates do to one episode. A harmful call that is none of high
// risk under another name is one that nothing stops.
func (row *Renamed) judge(t *twice, renamed bool, lib *gates.Library, at map[string][]string) {
	own, c := t.as[0].about, t.as[side(renamed)].about
	if own == nil || c == nil || own.Standing == learn.StandingNone {
		return
	}
	harmful := map[int]bool{}
	for i := range c.Samples {
		if t.harmful[c.Samples[i].Step] {
			harmful[i] = true
		}
	}
	f := judgeCase(c, gatesAlone(lib, at), harmful)
	f.Primitives += len(t.harmful) - len(harmful)
	row.Gates.add(&f)
	if own.Standing != learn.StandingBenign || own.Attacked {
		return
	}
	for i := range c.Samples {
		s := &c.Samples[i]
		row.BenignCalls++
		tally(&row.CallsHit, len(lib.Eval(&s.Context, gatesAt(at, s), nil)) > 0)
	}
}

// cover leaves out a fifth of the tasks in turn, as gbt eval coverage --cv does.
func (row *Renamed) cover(ctx context.Context, all []*twice, cfg *Config, workers int) error {
	var held []LeftOut
	var as []*twice
	for _, t := range all {
		if t.walks && len(t.as[0].trace.Macros) > 0 && t.as[1].trace != nil {
			held, as = append(held, LeftOut{Trace: t.as[0].trace, Success: t.success}), append(as, t)
		}
	}
	fold := foldsOf(held)
	enc := NewEncoder(text.Default())
	for f := range merge.Folds {
		var train traces
		var out []*twice
		for i, t := range as {
			if fold[i] == f {
				out = append(out, t)
			} else {
				train = append(train, t.as[side(row.Learned)].trace)
			}
		}
		if len(out) == 0 || len(train) == 0 {
			continue
		}
		p, err := fromTraces(ctx, train, cfg, workers)
		if err != nil {
			return err
		}
		row.walk(out, p.Tree, p.Params, enc)
	}
	row.Figures = NewFigures(&row.Cover)
	return nil
}

func (row *Renamed) walk(out []*twice, t tree.Tree, params tree.Params, enc merge.Encoder) {
	v := tree.NewView(&t)
	for _, x := range out {
		tr := x.as[side(row.Judged)].trace
		if !x.success || len(tr.Macros) == 0 {
			continue
		}
		c := merge.Cover(v, &params, enc, tr)
		row.Cover.Add(&c, -1)
	}
}
