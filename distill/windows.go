package distill

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/learn"
	"github.com/gbt-policy/gbt/internal/replay/monitor"
	"github.com/gbt-policy/gbt/replay"
	"github.com/gbt-policy/gbt/segment"
)

// Windows says what replaying episodes came to (requirements W1, W2).
type Windows struct {
	Replayed int            `json:"replayed_episodes"` // unsafe ones; also unjudged ones if there are monitors or checkers to judge them
	Located  int            `json:"episodes_with_one"` // of them, those with a window that may teach
	Found    int            `json:"windows"`           // those that may teach
	Minimal  int            `json:"minimal"`           // of them
	Mapped   int            `json:"mapped"`            // of them, those that a run of macros covers
	Several  int            `json:"several_macros"`    // of them, those that take more than one
	Basis    map[string]int `json:"basis"`             // of them
	Judged   int            `json:"judged_episodes"`   // unsafe by the user's monitors or the environment's checkers alone
	Against  int            `json:"windows_against"`   // found against the log's own judgement: no evidence
	Diverged int            `json:"diverged_episodes"` // replayed differently: no evidence
	Replays  int            `json:"replays"`           // from a restored state
	Calls    int            `json:"calls"`             // executed in all
	// Divergences are the first of these, in input order.
	Divergences []replay.Divergence `json:"divergences,omitempty"`
}

// maxDivergences bounds what a result names; all are counted.
const maxDivergences = 100

func (w *Windows) add(o *Windows) {
	for _, p := range [...][2]*int{
		{&w.Replayed, &o.Replayed}, {&w.Located, &o.Located}, {&w.Found, &o.Found}, {&w.Minimal, &o.Minimal}, {&w.Mapped, &o.Mapped},
		{&w.Several, &o.Several}, {&w.Judged, &o.Judged}, {&w.Against, &o.Against}, {&w.Diverged, &o.Diverged}, {&w.Replays, &o.Replays}, {&w.Calls, &o.Calls},
	} {
		*p[0] += *p[1]
	}
	for _, k := range slices.Sorted(maps.Keys(o.Basis)) {
		if w.Basis == nil {
			w.Basis = map[string]int{}
		}
		w.Basis[k] += o.Basis[k]
	}
	w.Divergences = append(w.Divergences, o.Divergences[:min(len(o.Divergences), maxDivergences-len(w.Divergences))]...)
}

// replayed is what the replay of one episode says.
type replayed struct {
	sum     Windows
	found   []learn.Violation
	judged  bool         // nobody but the user's monitors or the environment's checkers calls the episode unsafe
	against map[int]bool // steps that break the user's rules in an episode that the log calls safe
	path    *segment.Path
}

// pathOf is the episode's path: the one that the replay followed, if there was one.
func (r *replayed) pathOf(e *corpora.Episode, p segment.Profile) *segment.Path {
	if r != nil && r.path != nil {
		return r.path
	}
	path := segment.Segment(e, p)
	return &path
}

func (r *replayed) diverged() bool { return r.sum.Diverged > 0 }

// finder replays episodes. The workers share it.
type finder struct {
	opts replay.Options
	env  replay.Env // nil: what the logs hold
	asks bool       // env judges the episodes that nobody judged
	mu   sync.Mutex // env belongs to one caller at a time
	work func(string) func()
}

// newFinder sets up replays with the user's monitors, or with the built-in ones,
// which only find calls in episodes that somebody else called unsafe.
func newFinder(cfg *Config, opt *Options, k *gates.Checker, profile segment.Profile) *finder {
	f := &finder{env: opt.Env, asks: opt.Env != nil && opt.EnvJudges, work: func(string) func() { return func() {} }, opts: replay.Options{
		Spec: cmp.Or(cfg.monitors, monitor.Default()), Normative: cfg.monitors != nil, Judged: cfg.monitors != nil,
		Checker: k, Profile: profile, Every: true, Cold: opt.Cold, Loose: opt.Loose,
	}}
	if w, ok := opt.Progress.(WorkProgress); ok {
		f.work = w.Work
	}
	return f
}

// replay finds the windows of an episode that is unsafe, or that only the user's
// monitors or the environment's checkers can judge; nil for all others, which so
// cost nothing. An error means that the environment failed.
func (f *finder) replay(ctx context.Context, e *corpora.Episode) (*replayed, error) {
	if f == nil || e == nil || e.Safety != corpora.SafetyUnsafe && !f.opts.Normative && !(f.asks && e.Safety == corpora.SafetyUnknown) {
		return nil, nil
	}
	defer f.work("finding windows")()
	finding, err := f.find(ctx, e)
	if err != nil {
		return nil, err
	}
	out := &replayed{against: map[int]bool{}}
	if path := finding.Path; !finding.Skipped { // not all of the finding, which is large
		out.path = &path
	}
	for i := range finding.Windows {
		w := &finding.Windows[i]
		switch {
		case w.Basis.Evidence():
			out.found = append(out.found, f.violation(finding, w))
			out.judged = out.judged || w.Basis == replay.BasisSpecified || w.Basis == replay.BasisChecker && e.Safety == corpora.SafetyUnknown
		case w.Basis == replay.BasisAgainst:
			out.against[w.To] = true
		}
	}
	out.count(finding)
	return out, nil
}

func (f *finder) find(ctx context.Context, e *corpora.Episode) (*replay.Finding, error) {
	if f.env == nil {
		return replay.Find(ctx, &replay.Recorded{}, e, f.opts)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	finding, err := replay.Find(ctx, f.env, e, f.opts)
	if errors.Is(err, replay.ErrUnknownTask) { // logs of several environments may be read together
		return replay.Find(ctx, &replay.Recorded{}, e, f.opts)
	}
	return finding, err
}

// violation is a window as learning takes it. What a monitor says of values
// stays out of the record, whose contexts are redacted: the rule, and where in
// the call it looked, are enough.
func (f *finder) violation(finding *replay.Finding, w *replay.Window) learn.Violation {
	v := learn.Violation{
		Step: w.To, From: w.From, Rule: w.Verdict.Rule, Basis: string(w.Basis), Arg: w.Verdict.Arg,
		Sure: f.opts.Normative || w.Basis == replay.BasisChecker,
	}
	if w.Verdict.Source == replay.SourceChecker {
		v.Detail = w.Verdict.Detail
	}
	if w.Macros[0] >= 0 {
		for m := w.Macros[0]; m <= w.Macros[1]; m++ {
			v.Macros = append(v.Macros, finding.Path.Macros[m].Key)
		}
	}
	return v
}

func (r *replayed) count(f *replay.Finding) {
	s := &r.sum
	s.Replayed, s.Replays, s.Calls, s.Against = 1, f.Cost.Replays, f.Cost.Calls, len(r.against)
	tally(&s.Located, len(r.found) > 0)
	tally(&s.Judged, r.judged)
	if f.Divergence != nil {
		s.Diverged, s.Divergences = 1, []replay.Divergence{*f.Divergence}
	}
	s.Basis = map[string]int{}
	for i := range f.Windows {
		if w := &f.Windows[i]; w.Basis.Evidence() {
			s.Found++
			s.Basis[string(w.Basis)]++
			tally(&s.Minimal, w.Minimal)
			tally(&s.Mapped, w.Macros[0] >= 0)
			tally(&s.Several, w.Macros[0] != w.Macros[1])
		}
	}
}
