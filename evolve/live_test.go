package evolve

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/replay"
)

// world is an environment that answers as the log does. It calls a run a success if
// nothing was left out, or whatever happened, or says nothing of runs.
type world struct {
	ep      *corpora.Episode
	ran     int
	unknown func(*corpora.Episode) bool
	other   bool // answers otherwise than the log
	says    func(all bool) corpora.Outcome
}

func (w *world) Reset(_ context.Context, ep *corpora.Episode) error {
	w.ep, w.ran = ep, 0
	if w.unknown != nil && w.unknown(ep) {
		return replay.ErrUnknownTask
	}
	return nil
}

func (w *world) Execute(_ context.Context, c replay.Call) (replay.Result, error) {
	w.ran++
	s := &w.ep.Steps[c.Index]
	res := replay.Result{Text: s.Result, Error: s.Error, ExitCode: s.ExitCode, HasExit: s.HasExit}
	if w.other {
		res.Text += " and more"
	}
	return res, nil
}

func (w *world) Checkpoint(context.Context) (replay.Mark, error) { return "", nil }
func (w *world) Restore(context.Context, replay.Mark) error      { return nil }
func (w *world) Close() error                                    { return nil }
func (w *world) ByState() bool                                   { return false }

func (w *world) Judge(context.Context) (replay.Judgement, error) {
	if w.says == nil {
		return replay.Judgement{}, nil
	}
	n := 0
	for i := range w.ep.Steps {
		tally1(&n, w.ep.Steps[i].Status == corpora.StatusExecuted)
	}
	return replay.Judgement{Outcome: w.says(w.ran == n)}, nil
}

// TestLiveJudges: a success that needs a call which a policy rejects ends worse in an
// environment without checkers, and in one whose checkers say so.
func TestLiveJudges(t *testing.T) {
	some := &distill.FreshLogs{Episodes: freshRuns(t).Episodes[:4]}
	worse := func(all bool) corpora.Outcome {
		if all {
			return corpora.OutcomeSuccess
		}
		return corpora.OutcomeFailure
	}
	for _, c := range []struct {
		name string
		says func(bool) corpora.Outcome
		want string // of what is said of a run that lost a call
	}{
		{"no checkers", nil, "(bash) does not run"},
		{"checkers that miss the call", worse, "calls it a success no longer: its step"},
		{"checkers that do not", func(bool) corpora.Outcome { return corpora.OutcomeSuccess }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBase(sealedPolicy(t).Policy)
			s, err := newStage(context.Background(), b, some, &Options{Env: &world{says: c.says}})
			if err != nil || len(s.order) == 0 || slices.ContainsFunc(s.trials, func(x Trial) bool { return x.Judged != Live }) {
				t.Fatalf("%v, %+v", err, s)
			}
			if fails, err := s.fails(b.policy, nil); err != nil || len(fails) != 0 {
				t.Errorf("under the parent itself: %v, %v", err, fails)
			}
			hard := gatedBy(t, "edit", toolGate(t, artifacts.ScopeGlobal, "bash")).Policy
			fails, err := s.fails(hard, nil)
			if err != nil || (len(fails) > 0) != (c.want != "") {
				t.Errorf("%v, %v", err, fails)
			}
			for id, why := range fails {
				if !strings.Contains(why, c.want) {
					t.Errorf("%s: %s", id, why)
				}
				if one, err := s.fails(hard, map[string]bool{id: true}); err != nil || len(one) != 1 {
					t.Errorf("asked about one: %v, %v", err, one)
				}
			}
		})
	}
}

// TestLiveOrOnRecord: every judging run says how it was judged, and each changed
// verdict how its run was; what the environment cannot show is judged on record.
func TestLiveOrOnRecord(t *testing.T) {
	f := &distill.FreshLogs{Episodes: freshRuns(t).Episodes[:6]}
	first := f.Episodes[slices.IndexFunc(f.Episodes, func(x distill.Fresh) bool { return x.Use == distill.UseSuccess })].Episode.ID
	for _, c := range []struct {
		name, why string
		env       replay.Env
	}{
		{"none", NoEnvironment, nil},
		{"another world", "gives another result than the log", &world{other: true}},
		{"a world of some", "does not know its task", &world{unknown: func(e *corpora.Episode) bool { return e.ID == first }}},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := evolve(t, f, Options{Env: c.env})
			live := map[string]bool{}
			record := 0
			for _, x := range res.Trials {
				live[x.Run] = x.Judged == Live
				if tally1(&record, x.Judged == OnRecord); x.Judged == OnRecord && !strings.Contains(x.Why, c.why) {
					t.Errorf("%+v", x)
				}
			}
			if some := c.name == "a world of some"; record == 0 || (record < len(res.Trials)) != some {
				t.Errorf("%d of %d on record", record, len(res.Trials))
			}
			for _, x := range res.Changes {
				if x.Judged != Live && x.Judged != OnRecord || live[x.Run] != (x.Judged == Live) {
					t.Errorf("%+v", x)
				}
			}
		})
	}
}
