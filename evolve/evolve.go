package evolve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/replay"
	"github.com/gbt-policy/gbt/tree"
)

// Options are the settings of Evolve. The zero Options are the usual ones.
type Options struct {
	Config  distill.Config // how gates are learned
	Workers int            // 1 if not positive
	// Tolerance is how much of the successes through a place an edit may degrade;
	// 0.02 (requirement S6).
	Tolerance float64
	// Only applies these edits alone, by their ids; nil for all that are accepted.
	// Except refuses some.
	Only, Except []string
	// Rejected says of a gate's scope and canonical expression that a person does not
	// want it; nil for none.
	Rejected func(scope, expr string) bool
	// NoRetrieval imports no successors from successes like a failed run, and
	// NoRegression accepts every edit unseen: to measure what each is worth.
	NoRetrieval, NoRegression bool
	Suite                     Suite // refuses edits that fail its cases; nil for none
	// Env runs recorded successes again under the successor, where it knows them; nil
	// for what the logs hold. Loose compares the letters of results alone.
	Env   replay.Env
	Loose bool
	// Diagnoser is asked about failed covered runs too; nil for nobody.
	Diagnoser Diagnoser
	consult   *consult
	Progress  distill.Progress // nil for nobody
}

func (o *Options) tolerance() float64 {
	if o.Tolerance > 0 {
		return o.Tolerance
	}
	return 0.02
}

// Judged is an edit with what became of it.
type Judged struct {
	Edit
	Judgement Judgement `json:"judgement"`
	Applied   bool      `json:"applied"`
}

// Result is what evolving came to.
type Result struct {
	// Policy is the successor; the old policy itself where no edit was applied.
	Policy     *artifacts.Policy
	Changed    bool
	Succession *distill.Succession // nil if nothing was applied
	Contexts   *contexts.Corpus    // to be kept beside the policy; nil for none
	Edits      []Judged            // those applied and those refused, by family and kind
	Changes    []Change            // every verdict on a judging run that the accepted edits change
	Trials     []Trial             // how each judging run was judged, by run

	Diagnoses []Diagnosis // of failed covered runs, by run
	Fragile   []Fragile   // the steps of the new runs that the old policy answers with doubt
	Dropped   []Dropped   // answers of the Diagnoser that came to nothing

	Runs     int // new runs that succeeded or failed
	Placed   int // of them, those that are runs of a family
	Known    int // of tasks that the old policy was made from
	Claimed  int // whose tasks the old policy claims
	Covered  int // and whose every macro it offers
	Failed   int // of these, those that failed
	Unplaced int // runs of no family
}

// ErrUnknownEdit is what Evolve returns where the caller names an edit that the runs
// do not speak for.
type ErrUnknownEdit struct{ ID string }

func (e *ErrUnknownEdit) Error() string { return fmt.Sprintf("there is no edit %s", e.ID) }

// ErrProfile is what Evolve returns for a policy of the reference profile, whose
// nodes share no states.
var ErrProfile = errors.New("the policy is of the reference profile, which cannot be evolved: distil again with --parent")

// Evolve makes the successor of a policy from new episodes, sorted by digest.
func Evolve(ctx context.Context, parent *distill.Parent, fresh *distill.FreshLogs, opt Options) (*Result, error) {
	p := parent.Policy
	if p.Params.Profile != tree.DefaultProfile {
		return nil, ErrProfile
	}
	stage := func(name string) {
		if opt.Progress != nil {
			opt.Progress.Stage(name)
		}
	}
	opt.consult = newConsult(ctx, opt.Diagnoser)
	b := newBase(p)
	b.seen(fresh.Episodes)
	out := &Result{Policy: p, Contexts: parent.Contexts}
	stage("walking")
	runs, err := out.walk(ctx, b, fresh, &opt)
	if err != nil {
		return nil, err
	}
	stage("proposing")
	edits, err := out.propose(ctx, b, runs, &opt)
	if err != nil {
		return nil, err
	}
	stage("learning gates")
	g, added := learnGates(parent, fresh, &opt)
	for _, e := range added {
		if err := e.sign(); err != nil {
			return nil, err
		}
	}
	if err := opt.known(slices.Concat(added, edits)); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	stage("judging")
	verdicts, changes, err := crossFit(ctx, b, runs, edits, &opt)
	if err != nil {
		return nil, err
	}
	stopping, err := judgeGates(ctx, b, g, added, fresh, &opt)
	if err != nil {
		return nil, err
	}
	out.Changes = changes
	out.pick(added, stopping, &opt)
	out.pick(edits, verdicts, &opt)
	stage("running the suite")
	if err := out.runSuite(b, g, &opt); err != nil {
		return nil, err
	}
	stage("running live")
	if err := out.act(ctx, b, g, fresh, &opt); err != nil {
		return nil, err
	}
	stage("sealing")
	if err := out.seal(ctx, b, parent, fresh, g, &opt); err != nil {
		return nil, err
	}
	stage("working off fragile steps")
	if out.Fragile, err = out.workOff(ctx, b, runs, &opt); err != nil {
		return nil, err
	}
	return out, ctx.Err()
}

// walk takes the new episodes down the sealed tree, keeps those that count, and
// replays them.
func (out *Result) walk(ctx context.Context, b *base, fresh *distill.FreshLogs, opt *Options) ([]*Run, error) {
	var runs []*Run
	for i := range fresh.Episodes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f := &fresh.Episodes[i]
		if f.Use != distill.UseSuccess && f.Use != distill.UseFailure {
			continue
		}
		r := follow(b.view, &b.policy.Params, b.enc, f)
		out.Runs++
		tally1(&out.Known, b.old[f.Trace.TaskKey])
		tally1(&out.Claimed, r.Claimed)
		tally1(&out.Covered, r.Covered)
		if !r.placed(b.view) {
			out.Unplaced++
			continue
		}
		out.Placed++
		runs = append(runs, r)
	}
	sortRuns(runs)
	was, err := replayAll(ctx, b.policy, b.enc, runs, opt.Workers)
	if err != nil {
		return nil, err
	}
	for i, r := range runs {
		r.was = was[i]
	}
	return runs, nil
}

// propose makes the edits of all runs, signed.
func (out *Result) propose(ctx context.Context, b *base, runs []*Run, opt *Options) ([]*Edit, error) {
	all, err := propose(ctx, b, runs, opt)
	if err != nil {
		return nil, err
	}
	for _, e := range all.edits {
		if err := e.sign(); err != nil {
			return nil, err
		}
	}
	out.Diagnoses, out.Dropped = all.found, all.drop
	for _, r := range runs {
		tally1(&out.Failed, r.Covered && !r.Success)
	}
	return all.edits, nil
}

// half says in which half of the tasks a run stands.
func (r *Run) half() int { return int(r.Trace.TaskKey>>8) % 2 }

// crossFit judges edits on runs of tasks that they do not come from: what one half
// of the tasks proposes is judged on the other half, and an edit that both propose
// on both. The tasks are parted by their hash.
func crossFit(ctx context.Context, b *base, runs []*Run, edits []*Edit, opt *Options) (map[string]Judgement, []Change, error) {
	var halves [2][]*Run
	for _, r := range runs {
		halves[r.half()] = append(halves[r.half()], r)
	}
	wanted := map[string]bool{}
	for _, e := range edits {
		wanted[e.name()] = opt.wants(e.ID)
	}
	out := map[string]Judgement{}
	var changes []Change
	for h := range halves {
		own, err := propose(ctx, b, halves[h], opt)
		if err != nil {
			return nil, nil, err
		}
		mine := slices.DeleteFunc(own.edits, func(e *Edit) bool { return !wanted[e.name()] })
		v, err := newCourt(ctx, b, halves[1-h], opt).decide(mine, opt)
		if err != nil {
			return nil, nil, err
		}
		for name, j := range v.of {
			join(out, name, j)
		}
		changes = append(changes, v.changes...)
	}
	sortChanges(changes)
	return out, changes, nil
}

// join adds what one half says of an edit to what the other said.
func join(out map[string]Judgement, name string, j Judgement) {
	both, has := out[name]
	both.Accepted = j.Accepted && (both.Accepted || !has)
	both.Reason = cmp.Or(both.Reason, j.Reason)
	both.add(j)
	out[name] = both
}

// known says which edit the caller names that there is not.
func (o *Options) known(edits []*Edit) error {
	for _, id := range slices.Concat(o.Only, o.Except) {
		if !slices.ContainsFunc(edits, func(e *Edit) bool { return e.ID == id }) {
			return &ErrUnknownEdit{id}
		}
	}
	return nil
}

// wants says whether the caller asked for an edit.
func (o *Options) wants(id string) bool {
	return (o.Only == nil || slices.Contains(o.Only, id)) && !slices.Contains(o.Except, id)
}

// pick notes what becomes of each edit.
func (out *Result) pick(edits []*Edit, verdicts map[string]Judgement, opt *Options) {
	for _, e := range edits {
		j := Judged{Edit: *e, Judgement: Judgement{Reason: "neither half of the tasks speaks for it, so that the other could judge it"}}
		if v, ok := verdicts[e.name()]; ok {
			j.Judgement = v
		}
		if !opt.wants(e.ID) {
			j.Judgement = Judgement{Reason: "not asked for"}
		}
		j.Applied = j.Judgement.Accepted
		out.Edits = append(out.Edits, j)
	}
}

// apply makes the policy with some edits of its tree; its gates and all else stay.
func (b *base) apply(edits []*Edit) (*artifacts.Policy, error) {
	d := newDraft(&b.policy.Tree)
	for _, kind := range Kinds() {
		for _, e := range edits {
			if e.Kind == kind {
				e.change.apply(d)
			}
		}
	}
	next := *b.policy
	next.Tree = *d.tree()
	return &next, next.Tree.Check()
}

// seal makes the successor of what was applied.
func (out *Result) seal(ctx context.Context, b *base, parent *distill.Parent, fresh *distill.FreshLogs, g *distill.Gates, opt *Options) error {
	var chosen []*Edit
	for _, j := range out.chosen() {
		chosen = append(chosen, &j.Edit)
	}
	if len(chosen) == 0 {
		return nil
	}
	next, err := b.apply(chosen)
	if err != nil {
		return err
	}
	next.Provenance = provenance(parent.Policy, fresh)
	next.TaskDigests = taskDigests(fresh)
	next.Report = nil // figures of another tree
	next.Gates = slices.Clone(next.Gates)
	if g != nil {
		g.SealInto(next, wantedGates(chosen))
		if !out.homeless(next) {
			return nil // what is left is the old policy
		}
		out.Contexts = g.Contexts
	}
	if out.Succession, err = parent.Succeed(ctx, next, opt.Workers); err != nil {
		return err
	}
	out.Policy, out.Changed = next, true
	return nil
}

// homeless takes back the gates that no node could have, and says whether any edit
// is left.
func (out *Result) homeless(next *artifacts.Policy) bool {
	left := false
	for i := range out.Edits {
		e := &out.Edits[i]
		if e.Kind == Gate && e.Applied && !slices.ContainsFunc(next.Gates, func(g artifacts.Gate) bool { return g.ID == e.To }) {
			e.refuse("the tree has no place for its macro")
		}
		left = left || e.Applied
	}
	return left
}

// provenance says what the successor was made from: the new logs; its parent says
// the rest.
func provenance(old *artifacts.Policy, fresh *distill.FreshLogs) artifacts.Provenance {
	c := &fresh.Counts
	used := c.Uses[distill.UseSuccess.String()] + c.Uses[distill.UseFailure.String()] + c.Uses[distill.UseUnsafe.String()]
	return artifacts.Provenance{
		Tool: distill.Tool, Config: old.Provenance.Config, Inputs: fresh.Inputs,
		Episodes: artifacts.EpisodeCounts{
			Read: uint64(c.Episodes), Used: uint64(used), Success: uint64(c.Success), Failure: uint64(c.Failure), Unsafe: uint64(c.Unsafe),
			Skipped: uint64(c.Skipped), Malformed: uint64(c.Malformed),
		},
	}
}

// taskDigests are the tasks of the new episodes, sorted, each once.
func taskDigests(fresh *distill.FreshLogs) [][]byte {
	var out [][]byte
	for i := range fresh.Episodes {
		out = append(out, fresh.Episodes[i].Tasks...)
	}
	slices.SortFunc(out, slices.Compare)
	return slices.CompactFunc(out, slices.Equal)
}
