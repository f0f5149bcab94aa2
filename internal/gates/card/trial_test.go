package card

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

// chat writes a run that looks something up and then calls a tool.
func chat(id, tool, args string) string {
	return fmt.Sprintf(`{"id":%q,"task_id":%q,"success":true,"messages":[{"role":"user","content":"Do it."},`+
		`{"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function","function":{"name":"get_rates","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"[]"},`+
		`{"role":"assistant","content":"","tool_calls":[{"id":"b","type":"function","function":{"name":%q,"arguments":%q}}]},{"role":"tool","tool_call_id":"b","content":"done"}]}`+"\n", id, id, tool, args)
}

func TestTrial(t *testing.T) {
	file := filepath.Join(t.TempDir(), "runs.jsonl")
	token := "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	text := chat("1", "send_money", `{"to":"anna","amount":5,"password":"hunter2"}`) + chat("2", "send_money", `{"to":"bob","note":"`+token+`"}`) +
		chat("3", "bash", `{"command":"rm -rf /srv/x; echo \u001b[31m"}`) + "broken\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	list := []Gate{gate(t, "rejected", `ctx.tool != "send_money"`), gate(t, "rejected", `ctx.effects.all(e, e.type != "delete")`), gate(t, "rejected", `ctx.tool != "none"`),
		gate(t, "rejected", `ctx.tool != "send_money"`)}
	list[3].Scope, list[3].Proposal, list[3].Below = artifacts.ScopeNode, true, []string{"nowhere"}
	var first []*Cost
	for _, workers := range []int{1, 3} {
		trial := Trial{Logs: "runs", Checker: &gates.Checker{}, Gates: list}
		costs, problems, err := trial.Run(t.Context(), logs.Open([]string{file}, logs.Options{Workers: workers}))
		if err != nil || len(problems) != 1 {
			t.Fatalf("%v, problems %v", err, problems)
		}
		if first == nil {
			first = costs
		}
		if !reflect.DeepEqual(first, costs) {
			t.Errorf("%d workers: other costs", workers)
		}
	}
	for i, want := range []string{
		"runs: would stop 2 of 6 calls, in 2 of 3 sessions; the guardrail stops or asks about 2 of the calls without the gate too",
		"runs: would stop 1 of 6 calls, in 1 of 3 sessions; the guardrail stops or asks about 1 of the calls without the gate too",
		"runs: would stop 0 of 6 calls, in 0 of 3 sessions",
		"runs: would stop 0 of 6 calls, in 0 of 3 sessions",
	} {
		if got := first[i].line(); got != want {
			t.Errorf("gate %d\n got %s\nwant %s", i, got, want)
		}
	}
	shown := fmt.Sprint(first[0].Examples, first[1].Examples)
	for _, secret := range []string{"hunter2", token, "\x1b"} {
		if strings.Contains(shown, secret) {
			t.Errorf("a card shows %q: %s", secret, shown)
		}
	}
	if !strings.Contains(shown, `to="anna"`) || !strings.Contains(shown, "bash: rm -rf /srv/x") {
		t.Errorf("calls %s", shown)
	}
}
