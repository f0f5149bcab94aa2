package runner

import (
	"context"
	"fmt"
	"strings"

	"github.com/gbt-policy/gbt/internal/completion"
	"github.com/gbt-policy/gbt/traverse"
)

// The policy's own completion checks, where the task names none. They came out of logs and
// not from the person who runs this: a command of theirs passes the guard first like any
// other call, and one whose judges the run changed is not executed.

// maxAhead bounds the checks that are tried before anything is done: each may take as long as
// all tests.
const maxAhead = 8

// ahead tries the policy's checks on what is untouched.
func (r *runner) ahead(ctx context.Context) error {
	list := r.session.MinedAhead()
	for _, m := range list[:min(len(list), maxAhead)] {
		res, ok, err := r.executeMined(ctx, &m)
		if err != nil {
			return err
		}
		if ok {
			r.session.Untouched(m.ID, res.Passed, &res.Evidence)
			r.Show(fmt.Sprintf("the policy's check %s, before anything is done: passed %v", m.Says, res.Passed))
		}
	}
	return nil
}

// checkMined executes the policy's checks for the place where the run stands, again where
// another one wrote something after them.
func (r *runner) checkMined(ctx context.Context) error {
	at, writes := map[string]int{}, 0
	for range checkRounds {
		for _, m := range r.session.Mined() {
			if was, ran := at[m.ID]; m.Check == nil || ran && was == writes {
				continue
			}
			res, ok, err := r.executeMined(ctx, &m)
			if err != nil {
				return err
			}
			if ok {
				if res.Wrote {
					r.session.Changed()
					writes++
				}
				r.session.Report(m.ID, res.Passed, &res.Evidence)
				r.checked(m.ID, &res)
				r.Show(fmt.Sprintf("the policy's check %s: passed %v%s", m.Says, res.Passed, because(res.Why)))
			}
			at[m.ID] = writes
		}
	}
	return nil
}

// executeMined executes one check of the policy. ok is false where it can't be: the session
// knows why.
func (r *runner) executeMined(ctx context.Context, m *traverse.Mined) (completion.Result, bool, error) {
	if why := r.unfit(m.Check); why != "" {
		r.cannot(m, why)
		return completion.Result{}, false, nil
	}
	res, err := completion.Execute(ctx, host{r}, m.Check)
	if err == nil && res.Missing {
		r.cannot(m, "its program is not here")
		return res, false, nil
	}
	return res, err == nil, err
}

func (r *runner) cannot(m *traverse.Mined, why string) {
	r.session.Cannot(m.ID, why)
	r.Show(fmt.Sprintf("the policy's check %s is not executed: %s", m.Says, why))
}

// unfit says why a check must not be executed, or would say nothing.
func (r *runner) unfit(c *traverse.Check) string {
	if c.File != nil {
		return ""
	}
	if !r.session.Permits(traverse.Call{Tool: "bash", Args: []byte(commandArgs(c.Text)), Env: r.place()}) {
		return "the guard does not let its command pass"
	}
	judged := traverse.Task{Text: r.Task.Text, Checks: []traverse.Check{*c}}
	if changed := completion.JudgesOf(&judged, r.Lock, r.Unlock).Changed(r.before, r.Env.Digests()); len(changed) > 0 {
		return "the run changed what judges it: " + strings.Join(changed, " ")
	}
	return ""
}

// missing says what a claim to be done lacks, for the model.
func missing(end *traverse.Outcome) string {
	for i := range end.Findings {
		if f := &end.Findings[i]; f.Reason == end.Reason && f.Says != "" {
			return end.Reason + ": " + f.Says
		}
	}
	return end.Reason
}
