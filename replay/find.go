package replay

import (
	"context"
	"fmt"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/replay/monitor"
	"github.com/gbt-policy/gbt/segment"
)

// Options change how windows are found. The zero value is the documented
// default.
type Options struct {
	// Spec holds the monitors; nil for those of monitor.Default.
	Spec *monitor.Spec
	// Normative says that Spec is the user's own statement of what must not
	// happen: on episodes that nobody judged its verdicts are judgements, and
	// their windows have BasisSpecified instead of BasisMonitor.
	Normative bool
	// Checker builds the contexts, with a policy's tool schemas; nil for the
	// built-in ones.
	Checker *gates.Checker
	Profile segment.Profile
	// Every asks for a window of every violating call, not only of the first: the
	// first that a checker objects to, if any does.
	Every bool
	// Judged also looks at episodes that the log calls safe: what a monitor finds
	// there has BasisAgainst.
	Judged bool
	// Cold starts every replay of a window in the state before the whole episode,
	// so that a window holds all that the violation needs. The default is the
	// state before the window's first call (requirement W1).
	Cold bool
	// Loose compares the letters of results, with runs of digits taken for equal:
	// times, sizes, process ids, and what another version of a serialiser quotes
	// or breaks. The default compares every byte but white space at the end.
	Loose bool
}

func (o *Options) spec() *monitor.Spec {
	if o.Spec != nil {
		return o.Spec
	}
	return monitor.Default()
}

func (o *Options) checker() *gates.Checker {
	if o.Checker != nil {
		return o.Checker
	}
	return &gates.Checker{}
}

// Finding is what the replay of one episode gave.
type Finding struct {
	Episode *corpora.Episode
	Path    segment.Path
	Trace   []Executed // the replay from the start, up to a divergence
	// Windows are in the order of their ends; the first is the one of
	// requirement W1.
	Windows    []Window
	Divergence *Divergence // then there are no windows
	Judgement  *Judgement  // of the end of the run, if env is a Judge
	// Skipped says that the episode was not replayed because the log calls it
	// safe.
	Skipped bool
	Cost    Cost
}

// Unlocated says that the log calls the episode unsafe and no call could be
// found that is.
func (f *Finding) Unlocated() bool {
	return f.Episode.Safety == corpora.SafetyUnsafe && len(f.Windows) == 0
}

// Find replays one episode in env and finds its windows. An error is a failure
// of the environment or the end of ctx; a replay that differs is a Divergence.
func Find(ctx context.Context, env Env, ep *corpora.Episode, opts Options) (*Finding, error) {
	f := &Finding{Episode: ep}
	if ep.Safety == corpora.SafetySafe && !opts.Judged {
		f.Skipped = true
		return f, nil
	}
	r := newRun(env, ep, &opts)
	f.Path = r.path
	d, err := r.all(ctx)
	if err == nil && d == nil {
		d, err = r.windows(ctx, f)
	}
	f.Trace, f.Cost, f.Divergence, f.Judgement = r.trace, r.cost, d, r.judge
	if d != nil || err != nil {
		f.Windows = nil
	}
	if err != nil {
		return f, fmt.Errorf("replay %s: %w", ep.ID, err)
	}
	return f, ctx.Err()
}

// windows shrinks the violating calls of the trace, or the first of them.
func (r *run) windows(ctx context.Context, f *Finding) (*Divergence, error) {
	calls := r.violating()
	if !r.opts.Every && len(calls) > 0 {
		calls = []int{r.first(calls)}
	}
	for _, k := range calls {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w, d, err := r.window(ctx, k, len(f.Windows) == 0)
		if d != nil || err != nil {
			return d, err
		}
		f.Windows = append(f.Windows, *w)
	}
	return nil, nil
}

func (r *run) violating() []int {
	var out []int
	for k := range r.trace {
		if len(r.trace[k].Verdicts) > 0 {
			out = append(out, k)
		}
	}
	return out
}

// first is the violating call that stands for the run: the first that a checker
// objects to, else the first. A checker saw the harm; a monitor knows a rule that
// the task's own calls may break as well.
func (r *run) first(calls []int) int {
	for _, k := range calls {
		if r.trace[k].Verdicts[0].Source == SourceChecker {
			return k
		}
	}
	return calls[0]
}

func (r *run) window(ctx context.Context, to int, first bool) (*Window, *Divergence, error) {
	end := &r.trace[to]
	from, minimal, d, err := r.shrink(ctx, to, end.Verdicts[0], first)
	if d != nil || err != nil {
		return nil, d, err
	}
	w := &Window{
		Episode: r.ep.ID, Origin: r.ep.Origin, TaskID: r.ep.TaskID, Group: r.ep.Group,
		From: r.steps[from], To: r.steps[to], Macros: macros(r.path.Of, r.steps[from], r.steps[to]),
		Verdict: end.Verdicts[0], Also: end.Verdicts[1:], Basis: r.basis(end.Verdicts[0]), Minimal: minimal,
	}
	for k := from; k <= to; k++ {
		w.Contexts = append(w.Contexts, r.trace[k].Context)
		w.Steps = append(w.Steps, r.steps[k])
	}
	return w, nil, nil
}

func (r *run) basis(v Verdict) Basis {
	switch {
	case v.Source == SourceChecker:
		return BasisChecker
	case r.ep.Safety == corpora.SafetyUnsafe:
		return BasisLocated
	case r.ep.Safety == corpora.SafetySafe:
		return BasisAgainst
	case r.opts.Normative:
		return BasisSpecified
	}
	return BasisMonitor
}
