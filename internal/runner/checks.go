package runner

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/completion"
	"github.com/gbt-policy/gbt/replay"
	"github.com/gbt-policy/gbt/traverse"
)

// host is the environment of a run as checks are executed in it.
type host struct{ r *runner }

func (h host) Command(ctx context.Context, line string) (completion.Output, error) {
	res, err := h.r.Env.Examine(ctx, line)
	return completion.Output{Text: res.Text, Exit: res.ExitCode, Ended: res.HasExit && res.Error == "", Wrote: wrote(res.Deltas)}, err
}

func (h host) ReadFile(_ context.Context, name string) ([]byte, error) { return h.r.Env.ReadFile(name) }

// Variable asks the shell that calls run in: there a run sets variables.
func (h host) Variable(ctx context.Context, name string) (string, bool, error) {
	res, err := h.r.Env.Execute(ctx, replay.Call{Index: int(h.r.n), Tool: "bash", Args: commandArgs("printenv " + name)})
	return strings.TrimSuffix(res.Text, "\n"), res.HasExit && res.ExitCode == 0, err
}

// lockedCheck is the check that the files which judge the run are as they were.
const lockedCheck = "judges-unchanged"

// begin starts the session: a new one, whose checks are tried on what is untouched, or
// the one that a run of a plan left.
func (r *runner) begin(ctx context.Context) error {
	if r.Plan != nil {
		r.Task.Checks = r.Plan.Checks()
	}
	if len(r.From) > 0 {
		return r.resume()
	}
	r.before = r.Env.Digests()
	if err := r.lockRegions(); err != nil {
		return err
	}
	var err error
	if r.Task.Checks, err = completion.WithReads(ctx, host{r}, &r.Task, slices.Collect(maps.Keys(r.before))); err != nil {
		return err
	}
	if len(r.Task.Checks) > 0 {
		r.Task.Checks = append(r.Task.Checks, traverse.Check{ID: lockedCheck, Text: "the files that judge the run are as they were", Holds: true})
	}
	r.lock()
	r.session = r.Policy.Start(r.Task, *r.place())
	return r.untouched(ctx)
}

// maxLocked bounds the files that calls are kept from: each costs a comparison in every
// check of a call. Of more than that, the digests at the end speak alone.
const maxLocked = 256

// lock keeps calls from changing the files that judge the run: better than to find out
// about it at the end.
func (r *runner) lock() {
	if len(r.Task.Checks) == 0 {
		return
	}
	j := completion.JudgesOf(&r.Task, r.Lock, r.Unlock)
	var rules []traverse.Constraint
	for _, name := range slices.Sorted(maps.Keys(r.before)) {
		if j.Judges(name) {
			rules = append(rules, traverse.Constraint{Does: "change", Path: name, Text: name + " judges this run, so no call may change it; go on without that"})
		}
	}
	if len(rules) <= maxLocked {
		r.Task.Constraints = append(slices.Clone(r.Task.Constraints), rules...)
	}
}

// untouched runs the completion checks before anything is done, and takes back what
// they wrote: one that passes now cannot tell whether the task was carried out.
func (r *runner) untouched(ctx context.Context) error {
	if len(r.Task.Checks) == 0 && len(r.session.MinedAhead()) == 0 || r.session.Status().Stopped != "" {
		return nil
	}
	at, err := r.Env.Checkpoint(ctx)
	if err != nil {
		return err
	}
	if r.Plan != nil {
		if err := r.tryPlan(ctx); err != nil {
			return err
		}
	}
	for i := range r.Task.Checks {
		c := &r.Task.Checks[i]
		res, err := r.execute(ctx, c)
		if err != nil {
			return err
		}
		r.session.Untouched(c.ID, res.Passed, &res.Evidence)
		r.Show(fmt.Sprintf("check %s, before anything is done: passed %v", c.ID, res.Passed))
	}
	if err := r.ahead(ctx); err != nil {
		return err
	}
	return r.Env.Restore(ctx, at)
}

// tryPlan refuses a plan with a check that cannot be executed here or does not hold
// though it says so, and one of a model with a check that the guard does not let pass.
// Those that cannot fail are found with all others.
func (r *runner) tryPlan(ctx context.Context) error {
	if r.Plan.DraftedBy != "" {
		if problems := r.Plan.Judge(r.unpermitted); len(problems) > 0 {
			return fmt.Errorf("the plan, line %d: %s", problems[0].Line, problems[0].Text)
		}
	}
	_, problems, err := r.Plan.Try(ctx, host{r})
	for _, x := range problems {
		if x.Code != "check-cannot-fail" {
			return fmt.Errorf("the plan, line %d: %s", x.Line, x.Text)
		}
	}
	return err
}

// unpermitted says that the guard does not let a call pass without a question.
func (r *runner) unpermitted(tool string, args []byte) (why string) {
	if r.session.Permits(traverse.Call{Tool: tool, Args: args, Env: r.place()}) {
		return ""
	}
	return "a model drafted this plan (drafted_by)"
}

// execute executes one check.
func (r *runner) execute(ctx context.Context, c *traverse.Check) (completion.Result, error) {
	if c.ID != lockedCheck {
		return completion.Execute(ctx, host{r}, c)
	}
	changed := completion.JudgesOf(&r.Task, r.Lock, r.Unlock).Changed(r.before, r.Env.Digests())
	for _, x := range r.brokenRegions() {
		changed = append(changed, x.String())
	}
	why := strings.Join(changed, " ")
	return completion.Result{Passed: len(changed) == 0, Why: why, Evidence: traverse.Evidence{Head: completion.Head(why)}}, nil
}

// checkRounds is how often the completion checks may run at one time. A check that
// writes makes those before it stale, and they run again: twice is enough where
// one of them writes every time, three times where the first run of each does (caches).
const checkRounds = 3

// check runs the completion checks, again where another one changed something
// after them, and reports them.
func (r *runner) check(ctx context.Context) (passed bool, err error) {
	at, all, failed := make([]int, len(r.Task.Checks)), 0, make([]bool, len(r.Task.Checks))
	for i := range at {
		at[i] = -1
	}
	for range checkRounds {
		for i := range r.Task.Checks {
			if at[i] == all {
				continue
			}
			c := &r.Task.Checks[i]
			res, err := r.execute(ctx, c)
			if err != nil {
				return false, err
			}
			if res.Wrote {
				r.session.Changed()
				all++
			}
			at[i], failed[i] = all, !res.Passed
			r.session.Report(c.ID, res.Passed, &res.Evidence)
			r.checked(c.ID, &res)
			r.Show(fmt.Sprintf("check %s: passed %v%s", c.ID, res.Passed, because(res.Why)))
		}
	}
	r.record.failed = slices.Contains(failed, true)
	return !r.record.failed, nil
}

func because(why string) string {
	if why == "" {
		return ""
	}
	return " (" + why + ")"
}

// wrote reports whether files changed.
func wrote(in []corpora.Delta) bool {
	return slices.ContainsFunc(in, func(d corpora.Delta) bool {
		return d.Kind == corpora.DeltaFileCreate || d.Kind == corpora.DeltaFileModify || d.Kind == corpora.DeltaFileDelete
	})
}
