package evolve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"os"

	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/evolve/diagnose"
)

// oracle answers every question in one way.
type oracle struct {
	diagnose.Answer
	err   error
	asked int
	last  *diagnose.Question
}

func (o *oracle) Ask(_ context.Context, q *diagnose.Question) (diagnose.Answer, error) {
	o.asked, o.last = o.asked+1, q
	return o.Answer, o.err
}

func (o *oracle) Digests() (model, template string) { return "m", "t" }

// boxes writes runs that look after a box: the tools that each calls, and whether it
// succeeded.
func boxes(t *testing.T, name string, success bool, from, to int, tools ...string) string {
	t.Helper()
	var b strings.Builder
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, `{"id":"r%d","task_id":"task_%d","success":%v,"messages":[{"role":"user","content":"Look after the box number %d."}`, i, i, success, i)
		for k, tool := range tools {
			fmt.Fprintf(&b, `,{"role":"assistant","content":"","tool_calls":[{"id":"%d","type":"function","function":{"name":"%s","arguments":"{\"n\":\"x%d\"}"}}]},{"role":"tool","tool_call_id":"%d","content":"ok"}`, k, tool, i, k)
		}
		b.WriteString("]}\n")
	}
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// failedBoxes is a policy of runs that read and lock a box, or open, mend and lock it,
// and new runs that read and lock one and fail.
func failedBoxes(t *testing.T) (*distill.Parent, *distill.FreshLogs) {
	t.Helper()
	opt := distill.Options{Config: distill.DefaultConfig(), Workers: 1}
	old := logs.Open([]string{boxes(t, "a.jsonl", true, 0, 12, "read_box", "lock_box"), boxes(t, "b.jsonl", true, 20, 32, "open_box", "mend_box", "lock_box")}, logs.Options{})
	res, err := distill.Run(context.Background(), old, opt)
	if err != nil {
		t.Fatal(err)
	}
	p := &distill.Parent{Policy: res.Policy, Digest: testDigest, Contexts: res.Gates.Contexts, Mutations: -1}
	f, err := distill.ReadFresh(context.Background(), logs.Open([]string{boxes(t, "c.jsonl", false, 40, 42, "read_box", "lock_box")}, logs.Options{}), p.Policy, opt)
	if err != nil {
		t.Fatal(err)
	}
	return p, f
}

// TestDiagnoser: an answer that names a step of the run, and a macro that successes
// have shown, is an edit with the model in its evidence; any other is dropped with
// its reason, and the policy is what it is without a model.
func TestDiagnoser(t *testing.T) {
	p, f := failedBoxes(t)
	ask := func(o *oracle) *Result {
		t.Helper()
		var d Diagnoser
		if o != nil {
			d = o
		}
		res, err := Evolve(context.Background(), p, f, Options{Diagnoser: d})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	alone := ask(nil)
	if alone.Failed != 2 || len(alone.Dropped) != 0 {
		t.Fatalf("%+v", alone)
	}
	good := &oracle{Answer: diagnose.Answer{Step: 2, Instead: "mend-box"}}
	res := ask(good)
	i := slices.IndexFunc(res.Edits, func(e Judged) bool { return e.Evidence.Model != "" })
	if i < 0 || good.asked != 2 {
		t.Fatalf("no edit by the model, asked %d times: %+v, %+v", good.asked, res.Dropped, res.Edits)
	}
	if e := &res.Edits[i]; e.Kind != Successor || e.At != "read:box" || e.To != "mend-box" || e.Evidence.Template != "t" || !e.Applied || !steps(res.Policy, e.Family, e.At, e.To) {
		t.Errorf("%+v", e)
	}
	if q := good.last; !slices.Equal(q.Steps, []string{"read:box", "lock:box"}) || !slices.Contains(q.Instead, "mend-box") || !strings.HasPrefix(q.Task, "Look after") {
		t.Errorf("%+v", q)
	}
	for _, c := range []struct {
		name string
		oracle
		why   string
		asked int
	}{
		{"silent", oracle{err: errors.New("no answer: timeout")}, "no answer: timeout", 2},
		{"no step", oracle{}, "names no step", 2},
		{"a step beyond the run", oracle{Answer: diagnose.Answer{Step: 3, Instead: "mend-box"}}, "step 3 of a run of 2", 2},
		{"a step before it", oracle{Answer: diagnose.Answer{Step: -1, Instead: "mend-box"}}, "step -1 of a run of 2", 2},
		{"what the run did", oracle{Answer: diagnose.Answer{Step: 2, Instead: "lock:box"}}, "what the run did", 2},
		{"what nobody did", oracle{Answer: diagnose.Answer{Step: 2, Instead: "burn:box"}}, "no success like the run shows", 2},
		{"a generic step", oracle{Answer: diagnose.Answer{Step: 2, Instead: "*none"}}, "no success like the run shows", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ask(&c.oracle)
			if len(got.Dropped) != 2 || c.oracle.asked != c.asked {
				t.Fatalf("asked %d times, dropped %+v", c.oracle.asked, got.Dropped)
			}
			for _, x := range got.Dropped {
				if !strings.Contains(x.Why, c.why) || x.Run == "" {
					t.Errorf("%+v", x)
				}
			}
			if !bytes.Equal(encoded(t, got.Policy), encoded(t, alone.Policy)) {
				t.Error("a dropped answer changes the policy")
			}
		})
	}
}

// TestConsultEnds: a server that does not answer is not asked for ever.
func TestConsultEnds(t *testing.T) {
	o := &oracle{err: errors.New("gone")}
	c := newConsult(context.Background(), o)
	for i := range 10 {
		h := c.ask(fmt.Sprint(i), &diagnose.Question{})
		if want := i < maxSilent; (h.why == "gone") != want {
			t.Errorf("question %d: %s", i, h.why)
		}
	}
	o = &oracle{}
	c = newConsult(context.Background(), o)
	for i := range 2 * maxQuestions {
		c.ask(fmt.Sprint(i), &diagnose.Question{})
	}
	if o.asked != maxQuestions {
		t.Errorf("asked %d times", o.asked)
	}
}
