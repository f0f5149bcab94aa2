package mcpproxy

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/traverse"
	"github.com/gbt-policy/gbt/tree"
	"github.com/gbt-policy/gbt/tree/text"
)

// policy is one without any family, so that no task is routed, with a pack of
// three steps and a node-local gate that stops every call with "secret" in it.
func policy(t *testing.T) *traverse.Policy {
	t.Helper()
	table := text.Default()
	expr, program, err := lang.Compile(`ctx.args.all(a, !a.value.contains("secret"))`)
	if err != nil {
		t.Fatal(err)
	}
	g := artifacts.Gate{ID: artifacts.GateID(artifacts.ScopeNode, artifacts.DispositionReject, expr), Scope: artifacts.ScopeNode,
		Disposition: artifacts.DispositionReject, Expr: expr, Message: "the gate says no", Program: program}
	p := &artifacts.Policy{
		Name: "small", Sequence: 1, Pack: artifacts.DefaultPack().Tighten(3, 1<<20, 1<<40), Provenance: artifacts.Provenance{Tool: "test"},
		Encoder: artifacts.Encoder{ID: table.ID(), Digest: table.Digest(), Dim: table.Dim()},
		Params: tree.Params{
			Profile: tree.DefaultProfile, ThetaHigh: 780, ThetaLow: 700, Ambiguous: 50, ExploreBudget: 3,
			RouteAbstain: 900, RouteKeep: 20, RouteTemperature: 50, RouteEvery: 3, RouteSwitch: 100,
			Alpha: 1000, EnvCos: 1, Lambda: 500, MaxRecovery: 8, MaxChildren: 12, AllowedShare: 1000, Novelty: 1001,
			Posterior: [4]tree.Milli{-3000, 5000, 2000, 0},
		},
		Gates: []artifacts.Gate{g},
	}
	p.Tree.Nodes = append(p.Tree.Nodes, tree.Node{Parent: -1, State: -1})
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	tp, err := traverse.New(p, traverse.Options{Digest: "small"})
	if err != nil {
		t.Fatal(err)
	}
	return tp
}

func withPolicy(p *traverse.Policy) func(*Options) {
	return func(o *Options) { o.Policy, o.Checker, o.About = p, p.Checker(), "the policy's text" }
}

func (w *world) plan(tool, args string) plan {
	w.Helper()
	var out plan
	if text := w.call(tool, args); json.Unmarshal([]byte(text), &out) != nil {
		w.Fatalf("%s: %s", tool, text)
	}
	return out
}

// TestTraverserTools: the plan and the spine are offered with a policy, and only
// then.
func TestTraverserTools(t *testing.T) {
	if got := newWorld(t, settings{}).call("gbt_plan", `{}`); !strings.Contains(got, "unknown tool") {
		t.Errorf("without a policy: %s", got)
	}
	w := newWorld(t, settings{edit: withPolicy(policy(t))})
	if got := w.call("gbt_plan", `{"next":"read"}`); !strings.Contains(got, "call gbt_start") {
		t.Errorf("plan before start: %s", got)
	}
	for _, bad := range []string{`{}`, `{"task":" "}`, `{"task":1}`, `{"task":"a","task":"b"}`} {
		if got := w.call("gbt_start", bad); !strings.Contains(got, "needs the task") {
			t.Errorf("gbt_start %s: %s", bad, got)
		}
	}
	if got := w.plan("gbt_start", `{"task":"fix the bug"}`); got.Covered || got.Lost != "not-routed" {
		t.Errorf("start: %+v", got)
	}
	if got := w.plan("gbt_plan", `{"next":"read the file"}`); got.Verdict != "explore" || !strings.Contains(got.Brief, "fix the bug") {
		t.Errorf("plan: %+v", got)
	}
	for uri, want := range map[string]string{"gbt://spine": `"lost": "not-routed"`, "gbt://policy": "the policy's text"} {
		r, err := w.client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil || !strings.Contains(r.Contents[0].Text, want) {
			t.Errorf("%s: %v %v", uri, r, err)
		}
	}
}

// TestAnotherTask: a second task has new budgets, so the user has to agree to it;
// whoever cannot be asked has not agreed.
func TestAnotherTask(t *testing.T) {
	w := newWorld(t, settings{edit: withPolicy(policy(t))})
	w.plan("gbt_start", `{"task":"one"}`)
	if got := w.call("gbt_start", `{"task":"two"}`); !strings.Contains(got, "nobody can agree here") {
		t.Errorf("without elicitation: %s", got)
	}
	dir := t.TempDir()
	w = newWorld(t, settings{edit: func(o *Options) { withPolicy(policy(t))(o); o.Confirmations = dir }})
	w.plan("gbt_start", `{"task":"one"}`)
	w.call("gbt_start", `{"task":"two"}`)
	if err := os.WriteFile(w.fileToAgree(dir), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w.plan("gbt_start", `{"task":"two"}`)
	agreed := newWorld(t, settings{answer: yes, edit: withPolicy(policy(t))})
	agreed.plan("gbt_start", `{"task":"one"}`)
	agreed.plan("gbt_start", `{"task":"two"}`)
	if len(agreed.asked) != 1 {
		t.Errorf("asked %q", agreed.asked)
	}
}

// TestGovernancePack: the bound sealed in the policy stops the run's calls, and no
// call before.
func TestGovernancePack(t *testing.T) {
	w := newWorld(t, settings{edit: withPolicy(policy(t))})
	w.plan("gbt_start", `{"task":"one"}`)
	for i := range 3 {
		w.plan("gbt_plan", `{"next":"step `+strings.Repeat("x", i)+`"}`)
		if got := w.call("read_note", free); strings.HasPrefix(got, "error") {
			t.Fatalf("step %d: %s", i+1, got)
		}
	}
	if got := w.plan("gbt_plan", `{"next":"one more"}`); got.Verdict != "stall" || got.Stopped != "pack:budget-steps" {
		t.Errorf("plan: %+v", got)
	}
	if got := w.call("read_note", free); !strings.Contains(got, "pack:budget-steps") {
		t.Errorf("call: %s", got)
	}
}

// TestTaskFromAgent: what a client calls its task does not count as the user's
// words, so nobody can talk a recipient into it.
func TestTaskFromAgent(t *testing.T) {
	k := gated(t, `ctx.args.all(a, a.path != "recipient" || a.origin == "task")`)
	w := newWorld(t, settings{edit: func(o *Options) { withPolicy(policy(t))(o); o.Checker = k }})
	w.plan("gbt_start", `{"task":"pay 5 to XX12SAMPLE000000042"}`)
	if got := w.call("send_money", transfer); !strings.Contains(got, "not named by the user") {
		t.Errorf("answer %s", got)
	}
}

// TestRetriesInATask: a task's stopped call says how often it may be tried again,
// and nothing of its kind runs once that is over (V6).
func TestRetriesInATask(t *testing.T) {
	w := newWorld(t, settings{edit: withPolicy(policy(t))})
	w.plan("gbt_start", `{"task":"clean up"}`)
	for _, want := range []string{"Retries left: 3.", "Retries left: 2.", "Retries left: 1.", "No retry is left"} {
		if got := w.call("bash", `{"command":"rm -rf /"}`); !strings.Contains(got, want) {
			t.Errorf("%s lacks %q", got, want)
		}
	}
	if got := w.call("bash", `{"command":"rm notes.tmp"}`); !strings.Contains(got, "retries/exhausted") || !strings.Contains(got, "cannot be confirmed") {
		t.Errorf("a harmless call of the kind: %s", got)
	}
}

// TestPlaceUnknown: before a task is started the gates of every node are asked.
func TestPlaceUnknown(t *testing.T) {
	w := newWorld(t, settings{edit: withPolicy(policy(t))})
	if got := w.call("read_note", `{"name":"a secret"}`); !strings.Contains(got, "the gate says no") {
		t.Errorf("answer %s", got)
	}
	w.plan("gbt_start", `{"task":"one"}`)
	if got := w.call("read_note", `{"name":"a secret"}`); strings.HasPrefix(got, "error") {
		t.Errorf("at a place without that gate: %s", got)
	}
}
