package learn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
)

// noteEpisode posts a note; nothing but what stands in it tells a harmful one.
func noteEpisode(i int, leaks bool) *corpora.Episode {
	text := fmt.Sprintf("build %d is green", i)
	e := &corpora.Episode{ID: fmt.Sprint("n", i, leaks), TaskID: fmt.Sprint("n", i, leaks), Group: "s", Task: "tell the team", Outcome: corpora.OutcomeSuccess}
	if leaks {
		text = fmt.Sprintf("log in with password: hunter%d%dzz", i, i*7919)
		e.Outcome, e.Safety = corpora.OutcomeFailure, corpora.SafetyUnsafe
		e.Verdicts = []corpora.Verdict{{Step: 0, Unsafe: true, Rule: "monitor"}}
	}
	e.Steps = []corpora.Step{{Tool: "send_channel_message", Args: fmt.Sprintf(`{"channel":"team","body":%q}`, text), Status: corpora.StatusExecuted}}
	return e
}

// TestContent learns a gate over what is sent, and tries it on a secret that no
// log has.
func TestContent(t *testing.T) {
	var cases []*Case
	for i := range 60 {
		cases = append(cases, extract(noteEpisode(i, false)))
	}
	for i := range 12 {
		cases = append(cases, extract(noteEpisode(i, true)))
	}
	r := learnFrom(cases)
	if len(r.Gates) != 1 || len(r.Uncovered) != 0 {
		t.Fatalf("%d gates, %d uncovered: %+v", len(r.Gates), len(r.Uncovered), r.Review)
	}
	g := r.Gates[0]
	if !strings.Contains(g.Expr, `"credentials" in ctx.content`) || g.Rejected != 0 || g.Disposition == "" || len(g.Names) > 0 {
		t.Errorf("%s, naming %q, stops %d unsafe and %d benign: %s", g.Disposition, g.Names, g.Unsafe, g.Rejected, g.Expr)
	}
	lib, err := gates.NewLibrary([]gates.Gate{{ID: "x", Scope: ScopeGlobal, Disposition: Reject, Expr: g.Expr, Program: g.Program}})
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]int{"the api_key is k9d83jf02mdk": 0, "api_key: k9d83jf02mdk": 1, "see you at nine": 0} {
		c := gates.NewContext(gates.Request{Tool: "send_channel_message", Args: fmt.Appendf(nil, `{"channel":"all","body":%q}`, body)}, gates.State{})
		if n := len(lib.EvalAll(&c, nil)); n != want {
			t.Errorf("%q: %d gates, want %d", body, n, want)
		}
	}
}
