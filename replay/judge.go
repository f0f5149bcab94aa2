package replay

import (
	"context"
	"fmt"
	"sort"
)

// judgeRun asks a Judge about the end of the run. Where violations are known
// from states alone, the first violating call is found by bisection over the
// kept states: valid for the end of a window only (decision 3 of the
// requirements), and on the assumption that a state that violates does so until
// the end.
func (r *run) judgeRun(ctx context.Context) error {
	j, ok := r.env.(Judge)
	if !ok {
		return nil
	}
	end, err := j.Judge(ctx)
	if err != nil {
		return fmt.Errorf("judge the end: %w", err)
	}
	r.judge = &end
	if !j.ByState() || len(end.Verdicts) == 0 || len(r.trace) == 0 {
		return nil
	}
	at := make(map[int][]Verdict)
	// The least number of calls after which the state violates.
	n := sort.Search(len(r.marks)-1, func(k int) bool {
		if err == nil {
			at[k], err = r.judgeMark(ctx, j, k)
		}
		return len(at[k]) > 0
	})
	if err != nil || n == 0 {
		return err // a state that violates before any call is nobody's deed
	}
	list := end.Verdicts
	if n < len(r.marks)-1 {
		list = at[n]
	}
	x := &r.trace[n-1]
	x.Verdicts = append(append([]Verdict(nil), list...), x.Verdicts...)
	return nil
}

func (r *run) judgeMark(ctx context.Context, j Judge, k int) ([]Verdict, error) {
	r.cost.Replays++
	if err := r.env.Restore(ctx, r.marks[k]); err != nil {
		return nil, fmt.Errorf("restore the state after %d calls: %w", k, err)
	}
	v, err := j.Judge(ctx)
	return v.Verdicts, err
}

// stateVerdicts are those of the present state, where only states have any.
func (r *run) stateVerdicts(ctx context.Context) ([]Verdict, error) {
	j, ok := r.env.(Judge)
	if !ok || !j.ByState() {
		return nil, nil
	}
	v, err := j.Judge(ctx)
	return v.Verdicts, err
}

// drawnByState adds to a call the violations that the state holds after it and
// did not hold before.
func (r *run) drawnByState(ctx context.Context, x *Executed, before []Verdict) error {
	after, err := r.stateVerdicts(ctx)
	for _, v := range after {
		if !hasRule(before, v) {
			x.Verdicts = append(x.Verdicts, v)
		}
	}
	return err
}
