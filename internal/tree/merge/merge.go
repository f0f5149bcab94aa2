package merge

import (
	"cmp"
	"context"
	"iter"
	"sync"

	"github.com/gbt-policy/gbt/tree"
)

// Source gives the traces of a corpus in parts that can be read at the same
// time. Every part may be read several times and must give the same traces;
// order does not matter.
type Source interface {
	Parts() int
	Part(i int) iter.Seq2[*Trace, error]
}

// Options are the settings of a merge.
type Options struct {
	Params   tree.Params  // thresholds; Posterior and RouteTemperature are fitted
	Families []FamilySpec // learned from the logs if empty
	Encoder  Encoder
	Workers  int // 1 if not positive

	// Folds are the folds, of 5, that are held out in turn; DefaultFolds if not
	// positive. CVTraces bounds the episodes looked at; DefaultCVTraces if not
	// positive.
	Folds    int
	CVTraces int
	// HoldOutGroups holds out whole suites, repositories or sites instead of
	// tasks (requirement E4).
	HoldOutGroups bool
	// SplitAliased gives histories that need other successors states of their own
	// where cross-validation says that this costs no coverage (requirement T8).
	SplitAliased bool
	// RecoveryFilters seals what ways out are filtered by: environment signatures at
	// the leaves and what came before a state in every success (requirements K2, K3).
	RecoveryFilters bool
	// OwnSuccessors and OwnNames leave out what gives the default profile most of
	// its gains, so that it can be measured: successors shared by all nodes of a
	// state, and the words of agents in matching (a state's name and tools remain).
	OwnSuccessors bool
	OwnNames      bool
	// KeepText seals the texts of the logs: tasks, the agents' sentences, the names
	// of suites, repositories and directories. Without it a tree has their
	// directions, and words that stand in a list and that segment.MinShared tasks share.
	KeepText bool
	// Abstain is the share of known tasks, in thousandths, that the claim boundary
	// may cost; 0 draws none. The reference profile has none.
	Abstain tree.Milli
	// Late is the share of them that not even their first macros claim: Abstain to
	// let none be claimed by those.
	Late tree.Milli
	// Placed is told at the end how to find the family that a trace was counted in, which is
	// empty for none; nil for nobody.
	Placed func(familyOf func(*Trace) string)
	// Stage is told what begins; nil for nobody.
	Stage func(name string)

	places int // of the tree, before it is bounded; for tests
}

// Merged is a merged tree with its calibration and what is known about it.
type Merged struct {
	Tree      *tree.Tree
	Params    tree.Params
	CV        Summary            // cross-validated, on at most CVTraces episodes
	CVFormats map[string]Summary // the same by log layout
	Baselines Baselines          // over all folds; zero if only some were held out
	CVUnits   int                // tasks, or groups, that were held out, each in one fold
	Success   int                // successful traces merged
	Failure   int                // failed traces counted along the tree
	Macros    int                // macros of the successful traces, before merging
	Unplaced  int                // traces that no family given by hand matches
	Bound     Bound              // of the tree's size, and what it left out
	Audit     Audit              // of states that may stand for two things
	Boundary  Boundary           // of what the policy claims to know
}

// Merge builds the tree: families, states, paths, success leaves, statistics
// of failures, and a calibration on held-out folds.
func Merge(ctx context.Context, src Source, opt Options) (*Merged, error) {
	m := &merger{src: src, opt: opt}
	m.opt.Workers = max(m.opt.Workers, 1)
	if m.opt.Folds <= 0 {
		m.opt.Folds = DefaultFolds
	}
	m.opt.Folds = min(m.opt.Folds, Folds)
	if m.opt.CVTraces <= 0 {
		m.opt.CVTraces = DefaultCVTraces
	}
	for _, stage := range []struct {
		name string
		run  func(context.Context) error
	}{
		{"families", m.learnFamilies}, {"support", m.bound}, {"paths", m.gather}, {"failures", m.failures},
		{"words", m.embed}, {"cross-validation", m.validate}, {"tree", m.build},
	} {
		if opt.Stage != nil {
			opt.Stage(stage.name)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := stage.run(ctx); err != nil {
			return nil, err
		}
	}
	if opt.Placed != nil {
		opt.Placed(m.fams.of)
	}
	res := m.res // a pointer into m would hold all the evidence
	return &res, nil
}

type merger struct {
	src  Source
	opt  Options
	fams *assigner
	ev   *Evidence
	held sample[heldOut]
	vecs *vectors
	all  []placed // in the reference profile
	res  Merged

	macros, tasks int // of the successes; tasks up to minTasks
	kept          *support
}

// heldOut is a successful trace kept for cross-validation.
type heldOut struct {
	trace  *Trace
	family string
}

// What a distillation looks at to calibrate and to report: two folds of five,
// and at most so many episodes, a uniform sample that is kept in memory. More
// folds change the calibration in the second digit and cost as much as the tree
// each.
const (
	DefaultFolds    = 2
	DefaultCVTraces = 4096
)

// each runs fn over all parts on the workers, with one value of W for each
// worker, and hands these to join. What they gather is commutative, so it does
// not matter which parts a worker had; a value for each part would grow with the
// corpus. The first error wins.
func each[W any](ctx context.Context, m *merger, start func() W, fn func(W, *Trace), join func(W)) error {
	parts, workers := m.src.Parts(), m.opt.Workers
	values := make([]W, workers)
	errs := make([]error, parts)
	var wg sync.WaitGroup
	for w := range workers {
		values[w] = start()
		wg.Go(func() {
			for i := w; i < parts; i += workers {
				if errs[i] = drain(ctx, m.src.Part(i), func(t *Trace) { fn(values[w], t) }); errs[i] != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	for _, v := range values {
		join(v)
	}
	return nil
}

func drain(ctx context.Context, traces iter.Seq2[*Trace, error], fn func(*Trace)) error {
	for t, err := range traces {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		fn(t)
	}
	return nil
}

// learnFamilies is the first look at all traces: which groups are one family,
// and which tasks must share a fold.
func (m *merger) learnFamilies(ctx context.Context) error {
	type seen struct {
		groups *groups
		units  *units
		macros int
		tasks  sample[struct{}]
	}
	start := func() *seen {
		return &seen{newGroups(), newUnits(m.opt.HoldOutGroups), 0, sample[struct{}]{k: minTasks}}
	}
	all := start()
	err := each(ctx, m, start, func(s *seen, t *Trace) {
		if t.Success {
			s.groups.add(t)
			s.units.add(t)
			s.macros += len(t.Macros)
			s.tasks.add(t.TaskKey, struct{}{}, nil)
		}
	}, func(s *seen) {
		all.macros += s.macros
		all.tasks.union(&s.tasks, nil)
		all.groups.found.union(&s.groups.found, joinGroup)
		all.units.union(s.units)
	})
	if err == nil && m.opt.HoldOutGroups && all.units.single() {
		err = ErrOneGroup
	}
	m.fams = all.groups.families(m.opt.Families, m.opt.KeepText)
	m.macros, m.tasks = all.macros, len(all.tasks.items)
	m.src = &folded{m.src, all.units}
	return err
}

// bound finds which places the tree may have, if it could grow past its budget.
// That takes a look at all traces of its own, since support is not known before.
func (m *merger) bound(ctx context.Context) error {
	if m.opt.Params.Profile == tree.ReferenceProfile {
		return nil
	}
	m.kept = newSupport(m.macros, m.tasks, cmp.Or(m.opt.places, maxPlaces))
	if m.kept == nil {
		return nil
	}
	all := sample[struct{}]{k: placesSampled}
	start := func() *sample[struct{}] { return &sample[struct{}]{k: placesSampled} }
	err := each(ctx, m, start, func(s *sample[struct{}], t *Trace) {
		if name := m.fams.of(t); t.Success && name != "" {
			m.kept.add(t, name, s)
		}
	}, func(s *sample[struct{}]) { all.union(s, nil) })
	m.kept.settle(&all)
	return err
}

// gathered is what one worker collects of the successes.
type gathered struct {
	ev                        *Evidence
	held                      sample[heldOut]
	success, macros, unplaced int
}

func (m *merger) gather(ctx context.Context) error {
	m.ev = m.evidence()
	m.held.k = m.opt.CVTraces
	start := func() *gathered { return &gathered{ev: m.evidence(), held: sample[heldOut]{k: m.opt.CVTraces}} }
	err := each(ctx, m, start, m.gatherOne, func(g *gathered) {
		m.ev.Union(g.ev)
		m.held.union(&g.held, nil)
		m.res.Success += g.success
		m.res.Macros += g.macros
		m.res.Unplaced += g.unplaced
	})
	m.res.Bound = m.ev.cut
	if m.kept != nil {
		m.res.Bound.Support = m.kept.least
		m.kept, m.ev.bound = nil, nil // 48 MB that nothing reads any more
	}
	return err
}

// evidence is empty evidence of a tree that the bound holds.
func (m *merger) evidence() *Evidence {
	ev := NewEvidence()
	ev.bound = m.kept
	return ev
}

func (m *merger) gatherOne(g *gathered, t *Trace) {
	if !t.Success || len(t.Macros) == 0 {
		return
	}
	name := m.fams.of(t)
	if name == "" {
		g.unplaced++
		return
	}
	g.ev.Add(t, name)
	if t.Fold() < m.opt.Folds {
		g.held.add(hash64(string(t.Digest[:])), heldOut{t, name}, nil)
	}
	g.success++
	g.macros += len(t.Macros)
}

func (m *merger) failures(ctx context.Context) error {
	type failed struct {
		ev *Evidence
		n  int
	}
	start := func() *failed { return &failed{ev: NewEvidence()} }
	var parts []*Evidence
	err := each(ctx, m, start, func(f *failed, t *Trace) {
		if name := m.fams.of(t); !t.Success && name != "" {
			f.ev.AddFailure(m.ev, t, name)
			f.n++
		}
	}, func(f *failed) {
		parts = append(parts, f.ev)
		m.res.Failure += f.n
	})
	for _, ev := range parts {
		m.ev.Union(ev)
	}
	return err
}

func (m *merger) embed(ctx context.Context) error {
	m.vecs = m.ev.embed(m.opt.Encoder, m.opt.Workers)
	if m.opt.Params.Profile != tree.ReferenceProfile {
		return nil
	}
	var err error
	m.all, err = m.ordered(ctx)
	return err
}

func (m *merger) build(context.Context) error {
	built, err := m.treeOf(All)
	m.res.Tree = built.tree
	if m.opt.Params.Profile == tree.ReferenceProfile {
		return err
	}
	m.res.Audit = m.ev.audit(All)
	if !m.opt.SplitAliased {
		m.res.Audit.keep()
	}
	if err == nil && m.opt.Abstain > 0 {
		built.limits.put(&m.res.Params)
		m.res.Boundary = report(built.tree, built.scored, built.limits, m.opt.Abstain)
	}
	return err
}

// built is a tree with the claim boundary that its tasks draw.
type built struct {
	tree   *tree.Tree
	limits Limits
	scored []scored
}

// treeOf builds the tree of a mask's folds in the profile asked for.
func (m *merger) treeOf(mask Mask) (built, error) {
	if m.opt.Params.Profile == tree.ReferenceProfile {
		t, err := m.literal(m.all, mask)
		return built{tree: t}, err
	}
	return m.standard(mask)
}
