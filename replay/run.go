package replay

import (
	"context"
	"fmt"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/replay/monitor"
	"github.com/gbt-policy/gbt/segment"
)

// Executed is one call that a replay ran.
type Executed struct {
	Step     int // its place in the episode
	Context  gates.Context
	Result   Result
	Verdicts []Verdict
}

// Divergence is the first step at which a replay gave something else than the
// log, or than the replay before it.
type Divergence struct {
	Episode string `json:"episode"`
	Step    int    `json:"step"`
	What    string `json:"what"` // "exit code", "error", "result", "call", "verdict"
	Want    string `json:"want"`
	Got     string `json:"got"`
}

func (d *Divergence) String() string {
	return fmt.Sprintf("step %d: %s differs: the log has %q, the replay %q", d.Step+1, d.What, clip(d.Want), clip(d.Got))
}

// run is the replay of one episode.
type run struct {
	env   Env
	opts  *Options
	spec  *monitor.Spec
	ep    *corpora.Episode
	path  segment.Path
	steps []int      // the steps that ran, in order
	marks []Mark     // the state before each of them, and after the last
	trace []Executed // the replay from the start
	judge *Judgement // of its end
	cost  Cost
}

// Cost counts what finding the windows took.
type Cost struct {
	Replays int `json:"replays"` // from a restored state
	Calls   int `json:"calls"`   // executed in all
}

func newRun(env Env, ep *corpora.Episode, opts *Options) *run {
	r := &run{env: env, opts: opts, spec: opts.spec(), ep: ep, path: segment.Segment(ep, opts.Profile)}
	for i := range ep.Steps {
		if executed(&ep.Steps[i]) {
			r.steps = append(r.steps, i)
		}
	}
	return r
}

func (r *run) tracker() *tracker {
	place := gates.State{UID: -1, GID: -1, Roots: r.spec.Roots, Home: r.spec.Home}
	live, _ := r.env.(Observer)
	t := newTracker(r.ep, r.opts.checker(), place, live, r.path.Of)
	t.hinter, _ = r.env.(Hinter)
	return t
}

// all replays the whole episode and keeps the state before every call.
func (r *run) all(ctx context.Context) (*Divergence, error) {
	if err := r.env.Reset(ctx, r.ep); err != nil {
		return nil, fmt.Errorf("reset to %s: %w", r.ep.ID, err)
	}
	t := r.tracker()
	r.cost.Replays++
	for _, i := range r.steps {
		m, err := r.env.Checkpoint(ctx)
		if err != nil {
			return nil, fmt.Errorf("checkpoint before step %d: %w", i+1, err)
		}
		r.marks = append(r.marks, m)
		x, err := r.execute(ctx, t, i)
		if err != nil {
			return nil, err
		}
		r.trace = append(r.trace, x)
		want := logged(&r.ep.Steps[i])
		if d := r.compare(i, &want, &x.Result); d != nil {
			return d, nil
		}
	}
	m, err := r.env.Checkpoint(ctx)
	r.marks = append(r.marks, m)
	if err != nil {
		return nil, fmt.Errorf("checkpoint after the last step: %w", err)
	}
	return nil, r.judgeRun(ctx)
}

// again replays the calls from..to (positions in r.steps) from the state before
// the first of them, and returns what ran.
func (r *run) again(ctx context.Context, from, to int) ([]Executed, *Divergence, error) {
	start := r.marks[from]
	if r.opts.Cold {
		start = r.marks[0]
	}
	if err := r.env.Restore(ctx, start); err != nil {
		return nil, nil, fmt.Errorf("restore the state before step %d: %w", r.steps[from]+1, err)
	}
	t := r.tracker()
	t.cwd = r.trace[from].Context.Cwd
	r.cost.Replays++
	out := make([]Executed, 0, to-from+1)
	for k := from; k <= to; k++ {
		var before []Verdict
		if k == to {
			var err error
			if before, err = r.stateVerdicts(ctx); err != nil {
				return nil, nil, err
			}
		}
		x, err := r.execute(ctx, t, r.steps[k])
		if err == nil && k == to {
			err = r.drawnByState(ctx, &x, before)
		}
		if err != nil {
			return nil, nil, err
		}
		if !r.opts.Cold {
			if d := r.compare(r.steps[k], &r.trace[k].Result, &x.Result); d != nil {
				return nil, d, nil
			}
		}
		out = append(out, x)
	}
	return out, nil, nil
}

func (r *run) execute(ctx context.Context, t *tracker, i int) (Executed, error) {
	s := &r.ep.Steps[i]
	x := Executed{Step: i, Context: t.context(i)}
	res, err := r.env.Execute(ctx, Call{Index: i, Tool: s.Tool, Args: s.Args, Cwd: s.Cwd})
	if err != nil {
		return x, fmt.Errorf("step %d: %w", i+1, err)
	}
	r.cost.Calls++
	x.Result = res
	x.Verdicts = append(x.Verdicts, res.Verdicts...)
	for _, v := range r.spec.Judge(&x.Context) {
		own := Verdict{Rule: v.Rule, Message: v.Message, Detail: v.Detail, Source: SourceMonitor}
		if v.Arg >= 0 {
			own.Arg = x.Context.Args[v.Arg].Path
		}
		x.Verdicts = append(x.Verdicts, own)
	}
	t.ran(i, &x.Context, &res)
	return x, nil
}

// compare holds a result against what it should be: exit code, whether it is an
// error, and its text.
func (r *run) compare(step int, want, got *Result) *Divergence {
	d := &Divergence{Episode: r.ep.ID, Step: step}
	switch {
	case want.HasExit && got.HasExit && want.ExitCode != got.ExitCode:
		d.What, d.Want, d.Got = "exit code", fmt.Sprint(want.ExitCode), fmt.Sprint(got.ExitCode)
	case (want.Error != "") != (got.Error != ""):
		d.What, d.Want, d.Got = "error", want.Error, got.Error
	case want.Own || got.Own || r.opts.same(want.Text, got.Text):
		return nil
	default:
		d.What, d.Want, d.Got = "result", want.Text, got.Text
	}
	return d
}

func clip(s string) string {
	const limit = 200
	if len(s) <= limit {
		return s
	}
	return s[:limit] + "…"
}
