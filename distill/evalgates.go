package distill

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/gates/learn"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/segment"
)

// GateFigures say what gates did to calls that they were not learned from.
type GateFigures struct {
	Unsafe     int `json:"unsafe_episodes"`   // episodes with a verdict of harm
	Unplaced   int `json:"unplaced_episodes"` // of them, those whose verdict no call could be blamed for
	Primitives int `json:"primitives"`        // calls that did the harm
	Rejected   int `json:"primitives_rejected"`
	Asked      int `json:"primitives_asked"`
	Stopped    int `json:"episodes_stopped"` // unsafe episodes with a harmful call that was stopped

	Benign         int `json:"benign_episodes"` // good ends without an attack, with a high-risk call or not
	BenignRejected int `json:"benign_rejected"` // of them, those with a call that was rejected
	BenignAsked    int `json:"benign_asked"`    // or asked about, and none rejected
	Calls          int `json:"benign_calls"`    // of these episodes, of any risk
	CallsTouched   int `json:"benign_calls_touched"`
	Withstood      int `json:"withstood_episodes"`
	WithstoodHit   int `json:"withstood_touched"` // good ends under an attack, with a call that was stopped
}

func (f *GateFigures) add(g *GateFigures) {
	for _, p := range [...][2]*int{
		{&f.Unsafe, &g.Unsafe}, {&f.Unplaced, &g.Unplaced}, {&f.Primitives, &g.Primitives}, {&f.Rejected, &g.Rejected}, {&f.Asked, &g.Asked},
		{&f.Stopped, &g.Stopped}, {&f.Benign, &g.Benign}, {&f.BenignRejected, &g.BenignRejected}, {&f.BenignAsked, &g.BenignAsked},
		{&f.Calls, &g.Calls}, {&f.CallsTouched, &g.CallsTouched}, {&f.Withstood, &g.Withstood}, {&f.WithstoodHit, &g.WithstoodHit},
	} {
		*p[0] += *p[1]
	}
}

// GateEvaluation is a cross-validation of learning gates.
type GateEvaluation struct {
	Total  GateFigures
	Groups map[string]GateFigures
	Folds  int // tasks, or groups, left out in turn
	Gates  int // gates learned in all folds together
	Rows   []GateRow
	Counts Counts
	// Windows are those of the episodes, and Positives the harmful calls by what
	// says that they are.
	Windows   Windows
	Positives map[string]int
	Scopes    []ScopeFigures // of each scope alone, and of all; empty if nobody asked
	// Asked is what the gates would have asked in requests that nobody judged, with
	// their sessions left out; nil if there were none.
	Asked *AskFigures

	attempts []*learn.Case // of these requests
}

// ScopeFigures are those of gates whose patterns were searched in one scope, or in
// all. Gates of a fixed form, as those of flows, are in each of them.
type ScopeFigures struct {
	Scope string `json:"scope"` // "smallest" for all
	Gates int    `json:"gates"` // learned in all folds together
	Local int    `json:"local"` // of them, those of nodes and subtrees
	GateFigures
}

// EvaluateGates leaves out every task in turn, or every suite, repository or
// site, learns gates on the rest and applies them to what was left out. Which
// calls did the harm is told from all logs together: that is the judge, and the
// learner never sees it.
func EvaluateGates(ctx context.Context, in *logs.Input, cfg Config, byGroup bool, workers int) (*GateEvaluation, error) {
	return evaluateGates(ctx, in, cfg, gateRun{byGroup: byGroup, rows: true, workers: workers})
}

// EvaluateScopes is EvaluateGates, and the same again for each scope alone that
// patterns are searched in; tasks are left out in merge.Folds folds, because that
// is four times the work.
func EvaluateScopes(ctx context.Context, in *logs.Input, cfg Config, byGroup bool, workers int) (*GateEvaluation, error) {
	return evaluateGates(ctx, in, cfg, gateRun{byGroup: byGroup, rows: true, scopes: true, workers: workers})
}

// gateRun is what is evaluated besides the gates as configured: the rows of GateRow
// and the scopes take as long again, each of them.
type gateRun struct {
	byGroup, rows, scopes bool
	workers               int
}

func evaluateGates(ctx context.Context, in *logs.Input, cfg Config, run gateRun) (*GateEvaluation, error) {
	ev := &GateEvaluation{Groups: map[string]GateFigures{}, Counts: newCounts(), Positives: map[string]int{}}
	cases, err := ev.read(ctx, in, &cfg)
	if err != nil {
		return nil, err
	}
	harmful := map[*learn.Case]map[int]bool{}
	positives, _ := learn.Blame(cases)
	for _, p := range positives {
		if harmful[cases[p.Case]] == nil {
			harmful[cases[p.Case]] = map[int]bool{}
		}
		harmful[cases[p.Case]][p.Sample] = true
		ev.Positives[p.Basis]++
	}
	folds := map[string]*fold{}
	at := func(c *learn.Case) *fold {
		key := run.key(c)
		if folds[key] == nil {
			folds[key] = &fold{}
		}
		return folds[key]
	}
	for _, c := range cases {
		f := at(c)
		f.cases = append(f.cases, c)
	}
	for _, c := range ev.attempts {
		f := at(c)
		f.attempts = append(f.attempts, c)
	}
	keys := slices.Sorted(maps.Keys(folds))
	ev.Folds = len(keys)
	v, err := newVersions(&cfg)
	if err != nil {
		return nil, err
	}
	v.alone = !run.rows
	evaluate := func(v *versions) []foldResult {
		out := make([]foldResult, len(keys))
		spread(run.workers, len(keys), func(i int) {
			if ctx.Err() == nil {
				out[i] = evaluateFold(cases, ev.attempts, folds[keys[i]], harmful, v)
			}
		})
		return out
	}
	out := evaluate(v)
	if run.scopes {
		for _, s := range []string{learn.ScopeNode, learn.ScopeSubtree, learn.ScopeGlobal} {
			ev.Scopes = append(ev.Scopes, scopeFigures(s, evaluate(v.of(s))))
		}
		ev.Scopes = append(ev.Scopes, scopeFigures("smallest", out))
	}
	for i := range out {
		ev.Gates += out[i].gates
		ev.Rows = addRows(ev.Rows, out[i].rows)
		ev.Asked = ev.Asked.add(out[i].asked)
		for group, f := range out[i].groups {
			sum := ev.Groups[group]
			sum.add(&f)
			ev.Groups[group] = sum
			ev.Total.add(&f)
		}
	}
	return ev, ctx.Err()
}

// fold is what is left out together.
type fold struct {
	cases    []*learn.Case
	attempts []*learn.Case // requests that nobody judged
}

// key names the fold of a case.
func (r gateRun) key(c *learn.Case) string {
	switch {
	case r.byGroup:
		return c.Group
	case r.scopes:
		return foldOf(c.Task)
	}
	return c.Task
}

// foldOf puts a task, named by its digest, in one of the folds.
func foldOf(task string) string {
	n, err := strconv.ParseUint(task, 16, 64)
	if err != nil {
		panic("gbt: internal error: a task's digest is no number: " + task)
	}
	return strconv.FormatUint(n%merge.Folds, 10)
}

func scopeFigures(scope string, folds []foldResult) ScopeFigures {
	out := ScopeFigures{Scope: scope}
	for i := range folds {
		out.Gates, out.Local = out.Gates+folds[i].gates, out.Local+folds[i].local
		for _, f := range folds[i].groups {
			out.add(&f)
		}
	}
	return out
}

// read takes the cases of all admitted episodes, each run once.
func (ev *GateEvaluation) read(ctx context.Context, in *logs.Input, cfg *Config) ([]*learn.Case, error) {
	k, err := cfg.Checker()
	if err != nil {
		return nil, err
	}
	if err := cfg.monitorsLoaded(); err != nil {
		return nil, err
	}
	seen, shown := map[uint64]bool{}, map[string]bool{}
	gathered := evidence{empty: true}
	by := newReader(cfg, segment.Default, k)
	by.screen, by.finder = true, newFinder(cfg, &Options{}, k, segment.Default)
	one := func(u *logs.Unit, p part) item {
		it := by.item(ctx, u, p)
		it.about = newCase(p.Episode, &it, k)
		it.refused = attempts(p.Episode, segment.Default, k, p.request)
		return it
	}
	for it := range eachPart(ctx, in, by, one) {
		if it.err != nil {
			return nil, it.err
		}
		ev.Counts.add(&it)
		if it.refused != nil && !shown[it.refused.Episode] {
			shown[it.refused.Episode] = true
			ev.attempts = append(ev.attempts, it.refused)
		}
		if it.about == nil || seen[it.trace.Key()] {
			continue
		}
		seen[it.trace.Key()] = true
		if it.again != nil {
			ev.Windows.add(&it.again.sum)
		}
		gathered.add(it.about)
	}
	return gathered.all(), ctx.Err()
}

// spread runs f for 0 to n-1 on some workers.
func spread(workers, n int, f func(int)) {
	next := make(chan int)
	var wg sync.WaitGroup
	for range max(1, min(workers, n)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				f(i)
			}
		}()
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

type foldResult struct {
	groups map[string]GateFigures
	gates  int
	local  int // of them, gates of nodes and subtrees
	rows   []GateRow
	asked  *AskFigures
}

func evaluateFold(cases, attempts []*learn.Case, out *fold, harmful map[*learn.Case]map[int]bool, v *versions) foldResult {
	train, declined := without(cases, out.cases), without(attempts, out.attempts)
	g := LearnGates(train, declined, v.opt)
	lib, at := g.library()
	res := foldResult{groups: map[string]GateFigures{}, gates: len(g.Accepted), rows: v.rows(train, declined, out.cases, harmful)}
	res.asked = v.asked(lib, at, out.attempts)
	for i := range g.Accepted {
		tally(&res.local, g.Accepted[i].Scope != learn.ScopeGlobal)
	}
	for _, c := range out.cases {
		f := res.groups[c.Group]
		one := judgeCase(c, gatesAlone(lib, at), harmful[c])
		f.add(&one)
		res.groups[c.Group] = f
	}
	return res
}

func without(all, out []*learn.Case) []*learn.Case {
	left := map[*learn.Case]bool{}
	for _, c := range out {
		left[c] = true
	}
	return slices.DeleteFunc(slices.Clone(all), func(c *learn.Case) bool { return left[c] })
}

// gatesAt are the local gates that are asked about a call: those of its macro and
// of all before it, which nodes hand on. The place is known, so the list is not nil.
func gatesAt(at map[string][]string, s *learn.Sample) []string {
	out := slices.Clone(at[s.Macro])
	for _, m := range s.Above {
		out = append(out, at[m]...)
	}
	slices.Sort(out)
	return append([]string{}, slices.Compact(out)...)
}

// library is the accepted gates as a policy enforces them: local gates by the
// macros from which they are asked.
func (g *Gates) library(more ...gates.Gate) (*gates.Library, map[string][]string) {
	list := slices.Clone(more)
	at := map[string][]string{}
	for i := range g.Accepted {
		a := &g.Accepted[i]
		list = append(list, gates.Gate{ID: a.ID, Scope: a.Scope, Disposition: a.Disposition, Expr: a.Expr, Message: a.Message, Program: a.Program})
		for _, m := range a.Macros {
			at[m] = append(at[m], a.ID)
			slices.Sort(at[m])
		}
	}
	lib, err := gates.NewLibrary(list)
	if err != nil {
		panic("gbt: internal error: an accepted gate does not load: " + err.Error())
	}
	return lib, at
}

// judgement decides on one recorded call.
type judgement func(s *learn.Sample) gates.Disposition

// gatesAlone leaves the guardrail aside.
func gatesAlone(lib *gates.Library, at map[string][]string) judgement {
	return func(s *learn.Sample) gates.Disposition {
		d := gates.Approved
		for _, g := range lib.Eval(&s.Context, gatesAt(at, s), nil) {
			_, disp, _ := lib.Verdict(g)
			d = min(d, disp)
		}
		return d
	}
}

// judgeCase counts what a judgement does to one episode.
func judgeCase(c *learn.Case, judge judgement, harmful map[int]bool) GateFigures {
	var f GateFigures
	touched := 0
	worst, stopped := gates.Approved, false
	for i := range c.Samples {
		s := &c.Samples[i]
		d := judge(s)
		worst = min(worst, d)
		tally(&touched, d < gates.Approved)
		if harmful[i] {
			f.Primitives++
			tally(&f.Rejected, d < gates.ApprovedWithConstraints)
			tally(&f.Asked, d == gates.ApprovedWithConstraints)
			stopped = stopped || d < gates.Approved
		}
	}
	switch {
	case c.Standing == learn.StandingUnsafe:
		f.Unsafe = 1
		tally(&f.Unplaced, len(harmful) == 0)
		tally(&f.Stopped, stopped)
	case c.Attacked:
		f.Withstood = 1
		tally(&f.WithstoodHit, worst < gates.Approved)
	default:
		f.Benign, f.Calls, f.CallsTouched = 1, c.Calls, touched
		tally(&f.BenignRejected, worst < gates.ApprovedWithConstraints)
		tally(&f.BenignAsked, worst == gates.ApprovedWithConstraints)
	}
	return f
}

// GroupNames are the groups of an evaluation, sorted.
func (ev *GateEvaluation) GroupNames() []string {
	return slices.SortedFunc(maps.Keys(ev.Groups), cmp.Compare[string])
}
