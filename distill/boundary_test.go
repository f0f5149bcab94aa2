package distill

import (
	"context"
	"reflect"
	"testing"

	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

// TestEvaluateBoundary asks policies of one example's logs about themselves and about
// another's. The figures are the same with one worker and with two.
func TestEvaluateBoundary(t *testing.T) {
	cfg := DefaultConfig()
	run := func(workers int) *BoundaryEvaluation {
		opt := logs.Options{Workers: workers}
		foreign := []ForeignLogs{{"other", logs.Open([]string{"../examples/logs/openhands-sdk"}, opt)}}
		ev, err := EvaluateBoundary(context.Background(), logs.Open([]string{"../examples/logs/mini-swe-agent"}, opt), foreign, &cfg, workers)
		if err != nil {
			t.Fatal(err)
		}
		ev.Counts = Counts{} // remembers a worker
		return ev
	}
	a := run(1)
	if b := run(2); !reflect.DeepEqual(a, b) {
		t.Errorf("one worker: %+v\ntwo: %+v", a, b)
	}
	if a.Policies < 2 || a.Known.Tasks == 0 || len(a.Groups) < 2 || len(a.Foreign) != 4 {
		t.Fatalf("%+v", a)
	}
	for _, r := range a.Foreign {
		if r.Tasks == 0 || r.End < a.Known.End || r.Start > r.Steps || r.Early > r.End {
			t.Errorf("%s: %+v, known %+v", r.Name, r, a.Known)
		}
		if (r.Name == "empty" || r.Name == "random letters") && r.Start < 1 {
			t.Errorf("%s: %.3f are abstained from", r.Name, r.Start)
		}
	}
}
