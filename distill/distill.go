package distill

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/completion/fixes"
	"github.com/gbt-policy/gbt/internal/completion/mine"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/gates/learn/model"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/replay"
	"github.com/gbt-policy/gbt/tree"
	"github.com/gbt-policy/gbt/tree/text"
)

// Tool names the program in artifacts it makes. A release changes it; nothing
// else about a build is recorded.
const Tool = "gbt 0.1"

// Progress is told how a run gets on. Methods are called from one goroutine.
type Progress interface {
	Stage(name string) // a stage begins
	Add(n int)         // n more episodes were read
}

// WorkProgress is a Progress that is also told of work which several workers do within
// a stage. Work may be called from several goroutines; what it returns is called
// when that piece of work is done.
type WorkProgress interface {
	Work(name string) (done func())
}

// Options are what a run needs besides the logs.
type Options struct {
	Config   Config
	Workers  int      // 1 if not positive
	TempDir  string   // for spilled traces; the system's if empty
	Progress Progress // nil for nobody

	// HoldOutGroups cross-validates over whole suites, repositories or sites
	// instead of tasks, and ValidateAll over all folds and episodes instead of
	// what a calibration needs.
	HoldOutGroups bool
	ValidateAll   bool

	// Env is where the calls of unsafe episodes are run again to find their
	// windows; nil for what the logs hold. It is used by one worker at a time. Cold
	// and Loose are those of replay.Options.
	Env         replay.Env
	Cold, Loose bool
	// EnvJudges says that Env has checkers of its own: episodes that nobody judged
	// run there too, and a call that draws a verdict makes them unsafe (L1).
	EnvJudges bool

	// Proposer is asked for gates where the learner's own leave unsafe calls open;
	// nil for nobody. Evaluations never ask it.
	Proposer *model.Proposer

	// Rejected says of a gate's scope and canonical expression that a person does not
	// want it: it is neither enforced nor proposed, unless the parent has it. Nil for
	// none.
	Rejected func(scope, expr string) bool

	// Parent is the policy that the new one succeeds; nil for the first of a line.
	Parent *Parent

	spool spoolSize // for tests
}

// Result is a distilled policy and what is known about it.
type Result struct {
	Policy     *artifacts.Policy
	Counts     Counts
	Merge      *merge.Merged
	Checks     mine.Found        // completion checks at the leaves
	Fixes      fixes.Found       // known fixes and retry bounds of its families
	Gates      *Gates            // nil if the settings turn them off
	Windows    Windows           // of the episodes that gates were learned from
	Succession *Succession       // nil without a parent
	Problems   []corpora.Problem // the first of them, in input order
}

// maxProblems bounds the problems that a result carries; all are counted.
const maxProblems = 1000

// Run distils logs into a policy. It fails only if nothing can be distilled or
// the context ends; records that cannot be read are counted in the result.
func Run(ctx context.Context, in *logs.Input, opt Options) (*Result, error) {
	r := &run{cfg: opt.Config, opt: opt, progress: opt.Progress, spool: newSpool(opt.TempDir, opt.spool), tasks: map[[16]byte]struct{}{}, rules: map[string]int{}, refused: evidence{unjudged: true}}
	defer r.spool.Close()
	if r.progress == nil {
		r.progress = silent{}
	}
	var err error
	if r.params, err = r.cfg.Params(); err != nil {
		return nil, err
	}
	if r.checker, err = r.cfg.Checker(); err != nil {
		return nil, err
	}
	if err := r.cfg.monitorsLoaded(); err != nil {
		return nil, err
	}
	r.res.Counts = newCounts()
	r.progress.Stage("reading")
	if err := r.read(ctx, in); err != nil {
		return nil, err
	}
	if n := r.res.Counts.Uses[UseSuccess.String()]; n == 0 {
		return &r.res, ErrNoSuccess
	}
	if err := r.mergeAndLearn(ctx); err != nil {
		return &r.res, err
	}
	if err := r.assemble(); err != nil {
		return &r.res, err
	}
	return &r.res, r.succeed(ctx)
}

// mergeAndLearn makes the tree and the gates. Neither reads what the other writes,
// so a second worker learns while the first merges; but a model is asked after
// the merge, as a stage of its own.
func (r *run) mergeAndLearn(ctx context.Context) error {
	learn := sync.OnceValue(func() *Gates { return r.learnGates(ctx) })
	if r.opt.Workers > 1 && r.opt.Proposer == nil {
		var beside sync.WaitGroup
		defer beside.Wait()
		beside.Go(func() { learn() })
	}
	err := r.merge(ctx)
	r.spool.Close() // its traces would be held through all that follows
	if err != nil {
		return err
	}
	if !r.cfg.Learning.Off {
		r.progress.Stage("learning gates")
	}
	r.res.Gates = learn()
	return nil
}

// succeed makes the policy the successor of its parent, if it has one, and fails
// if it would let pass what that one stops.
func (r *run) succeed(ctx context.Context) error {
	p := r.opt.Parent
	if p == nil {
		return nil
	}
	r.progress.Stage("auditing against the parent")
	var err error
	if r.res.Succession, err = p.succeed(r.res.Policy); err != nil {
		return err
	}
	r.res.Succession.Audit, err = p.audit(ctx, r.res.Policy, r.opt.Workers)
	return err
}

// parentContexts is what is on record already, or nil.
func (r *run) parentContexts() *contexts.Corpus {
	if r.opt.Parent == nil {
		return nil
	}
	return r.opt.Parent.Contexts
}

type silent struct{}

func (silent) Stage(string) {}
func (silent) Add(int)      {}

type run struct {
	cfg        Config
	opt        Options
	params     tree.Params
	progress   Progress
	spool      *Spool
	digests    [][16]byte
	rules      map[string]int        // episodes learned from, by the rule that labelled them
	tasks      map[[16]byte]struct{} // digests: a string for each would take three times the room
	encoder    artifacts.Encoder
	checker    *gates.Checker
	evidence   evidence
	conditions conditionRuns
	refused    evidence // of what users declined
	res        Result
}

func (r *run) merge(ctx context.Context) error {
	table := text.Default()
	r.encoder = artifacts.Encoder{ID: table.ID(), Digest: table.Digest(), Dim: table.Dim()}
	cv, folds := 0, 0
	if r.opt.ValidateAll {
		cv, folds = r.res.Counts.Episodes, merge.Folds
	}
	lost, late, err := r.cfg.abstain()
	if err != nil {
		return err
	}
	var familyOf func(*merge.Trace) string
	res, err := merge.Merge(ctx, r.spool, merge.Options{
		Abstain: lost, Late: late, Placed: func(f func(*merge.Trace) string) { familyOf = f },
		Params: r.params, Families: r.cfg.specs(), Encoder: NewEncoder(table),
		Workers: r.opt.Workers, Stage: r.progress.Stage, CVTraces: cv, Folds: folds, HoldOutGroups: r.opt.HoldOutGroups,
		SplitAliased: r.cfg.splitAliased(), OwnSuccessors: off(r.cfg.Tree.ShareSuccessors), OwnNames: off(r.cfg.Tree.PoolWords),
		KeepText: r.cfg.KeepText, RecoveryFilters: r.cfg.recoveryFilters(),
	})
	if err != nil {
		return err
	}
	r.res.Merge = res
	if r.res.Checks, err = mineChecks(r.spool, res, familyOf, &r.cfg); err != nil {
		return err
	}
	if r.res.Fixes, err = mineFixes(r.spool, res, familyOf, &r.cfg); err != nil {
		return err
	}
	if res.Unplaced > 0 {
		r.res.Counts.Uses[UseUnplaced.String()] += res.Unplaced
		r.res.Counts.Uses[UseSuccess.String()] -= res.Unplaced
	}
	if r.res.Counts.Uses[UseSuccess.String()] == 0 {
		return ErrNoSuccess
	}
	return nil
}

func (r *run) assemble() error {
	config, err := r.cfg.digest()
	if err != nil {
		return err
	}
	rail, err := r.cfg.Guardrail.Sealed()
	if err != nil {
		return err
	}
	rail.Content = r.cfg.Content.Seal
	rail.Conditions = r.mine()
	schemas, err := r.cfg.sealedSchemas()
	if err != nil {
		return err
	}
	own, err := r.cfg.SealedGates()
	if err != nil {
		return err
	}
	c := &r.res.Counts
	r.res.Policy = &artifacts.Policy{
		Name: r.cfg.Name, Sequence: 1, LogText: r.cfg.KeepText,
		Tree: *r.res.Merge.Tree, Params: r.res.Merge.Params,
		Pack: artifacts.DefaultPack(), Guardrail: rail, Schemas: schemas, Gates: own,
		Provenance: artifacts.Provenance{
			Tool: Tool, Config: config, Inputs: r.inputs(),
			Episodes: artifacts.EpisodeCounts{
				Read: uint64(c.Episodes), Success: uint64(c.Success), Failure: uint64(c.Failure), Unsafe: uint64(c.Unsafe),
				Used:    uint64(c.Uses[UseSuccess.String()] + c.Uses[UseFailure.String()] + c.Uses[UseUnsafe.String()]),
				Skipped: uint64(c.Skipped), Malformed: uint64(c.Malformed),
			},
		},
		Report:      append(metrics(&r.res.Merge.CV), labelMetrics(r.rules, c.Uses)...),
		TaskDigests: r.taskDigests(),
		Encoder:     r.encoder,
	}
	if r.res.Gates != nil {
		r.res.Gates.seal(r.res.Policy)
	}
	return nil
}

// inputs names the logs by the digests of their episodes, so that the same
// episodes in other files, or in another order, are the same input.
func (r *run) inputs() artifacts.Inputs {
	in := artifacts.Inputs{Count: uint64(len(r.digests))}
	leaves := make([][]byte, len(r.digests))
	for i := range r.digests {
		leaves[i] = r.digests[i][:]
	}
	slices.SortFunc(leaves, bytes.Compare)
	in.Root = artifacts.MerkleRoot(leaves)
	for name, n := range r.res.Counts.Formats {
		in.Layouts = append(in.Layouts, artifacts.Tally{Name: name, Count: uint64(n)})
	}
	slices.SortFunc(in.Layouts, func(a, b artifacts.Tally) int { return cmp.Compare(a.Name, b.Name) })
	return in
}

// taskDigests are the tasks distilled from, sorted; cut to what an artifact may
// hold, which keeps the least and so stays independent of order.
func (r *run) taskDigests() [][]byte {
	all := slices.SortedFunc(maps.Keys(r.tasks), func(a, b [16]byte) int { return bytes.Compare(a[:], b[:]) })
	all = all[:min(len(all), artifacts.MaxTaskDigests)]
	out := make([][]byte, len(all))
	for i := range all {
		out[i] = all[i][:]
	}
	return out
}
