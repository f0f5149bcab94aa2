package evolve

import (
	"context"
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
)

// TestSessionsStayStopped replays whole runs, with all that came before a call, under
// a policy and its successor, of which every edit is accepted unseen: no call that
// was stopped passes, wherever the new places are and whoever is claimed now.
func TestSessionsStayStopped(t *testing.T) {
	f := freshRuns(t)
	var runs []*distill.Fresh
	for i := range f.Episodes {
		runs = append(runs, &f.Episodes[i])
	}
	for _, scope := range []string{artifacts.ScopeNode, artifacts.ScopeSubtree} {
		t.Run(scope, func(t *testing.T) {
			p := gatedBy(t, "edit", toolGate(t, scope, "bash"))
			res, err := Evolve(context.Background(), p, f, Options{NoRetrieval: true, NoRegression: true})
			if err != nil {
				t.Fatal(err)
			}
			was, err := stops(context.Background(), p.Policy, allWords, runs, 2)
			if err != nil {
				t.Fatal(err)
			}
			is, err := stops(context.Background(), res.Policy, allWords, runs, 2)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for i := range runs {
				for _, x := range was[i] {
					n++
					if !slices.ContainsFunc(is[i], func(y stop) bool { return y.call == x.call }) {
						t.Errorf("run %d: call %d passes now", i, x.call)
					}
				}
			}
			if n == 0 || !res.Changed {
				t.Fatalf("%d calls were stopped, changed %v: the test shows nothing", n, res.Changed)
			}
		})
	}
}
