package replay

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/gbt-policy/gbt/corpora"
)

// Recorded is the environment for logs without a live one: every call gives
// back what the log holds, and the log's judgements of single calls are its
// verdicts. A state is a position in the log, so only the call that comes next
// there can be executed. Its zero value is ready to use.
type Recorded struct {
	ep  *corpora.Episode
	pos int
}

// Reset begins an episode.
func (r *Recorded) Reset(_ context.Context, ep *corpora.Episode) error {
	r.ep, r.pos = ep, 0
	return nil
}

var errNotReset = errors.New("no episode: call Reset first")

// Execute returns the recorded result of the call, which must be one that comes
// next in the log, calls that did not run left out.
func (r *Recorded) Execute(_ context.Context, c Call) (Result, error) {
	if r.ep == nil {
		return Result{}, errNotReset
	}
	for r.pos < len(r.ep.Steps) && !executed(&r.ep.Steps[r.pos]) {
		r.pos++
	}
	if r.pos >= len(r.ep.Steps) || r.pos != c.Index || r.ep.Steps[r.pos].Tool != c.Tool || r.ep.Steps[r.pos].Args != c.Args {
		return Result{}, fmt.Errorf("call %d (%s) is not what the log has next", c.Index+1, c.Tool)
	}
	s := &r.ep.Steps[r.pos]
	res := logged(s)
	res.Deltas = s.Deltas
	for _, v := range r.ep.Verdicts {
		if v.Step == r.pos && v.Unsafe {
			res.Verdicts = append(res.Verdicts, Verdict{Rule: v.Rule, Detail: v.Detail, Source: SourceChecker})
		}
	}
	r.pos++
	return res, nil
}

// Checkpoint names the present position.
func (r *Recorded) Checkpoint(context.Context) (Mark, error) {
	return Mark(strconv.Itoa(r.pos)), nil
}

// Restore returns to a position.
func (r *Recorded) Restore(_ context.Context, m Mark) error {
	pos, err := strconv.Atoi(string(m))
	if err != nil || r.ep == nil || pos < 0 || pos > len(r.ep.Steps) {
		return fmt.Errorf("unknown mark %q", m)
	}
	r.pos = pos
	return nil
}

// Close has nothing to do.
func (r *Recorded) Close() error { return nil }

// executed says whether a step's call is known to have run (requirement L1).
func executed(s *corpora.Step) bool { return s.Status == corpora.StatusExecuted }

// logged is a step's result as the log holds it.
func logged(s *corpora.Step) Result {
	return Result{Text: s.Result, Error: s.Error, ExitCode: s.ExitCode, HasExit: s.HasExit}
}
