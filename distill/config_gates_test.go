package distill

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

func TestConfigGates(t *testing.T) {
	c, err := ReadConfig([]byte(`gates:
  - expr: '!(ctx.tool == "deploy") && ctx.effects.all(e, !e.resource.under("/srv/prod"))'
    message: deploy through the pipeline
  - expr: ctx.tool != "page_oncall"
    disposition: approved_with_constraints
`))
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := c.SealedGates()
	if err != nil || len(sealed) != 2 || sealed[0].ID >= sealed[1].ID {
		t.Fatalf("%d gates, %v", len(sealed), err)
	}
	k, err := c.Checker()
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]gates.Disposition{
		"cat a": gates.Approved, "touch /srv/prod/x": gates.Rejected,
	} {
		ctx := k.Context(gates.Request{Tool: "Bash", Args: []byte(`{"command":"` + command + `"}`)}, gates.State{Cwd: "/w"})
		if d := k.Check(&ctx, nil); d.Disposition != want {
			t.Errorf("%s: %v, want %v", command, d.Disposition, want)
		}
	}
	none := DefaultConfig()
	if k, err := none.Checker(); err != nil || k.Library != nil {
		t.Errorf("without gates: library %v, %v", k.Library, err)
	}
}

func TestConfigGatesRefused(t *testing.T) {
	for _, tc := range []struct{ name, yaml, want string }{
		{"unknown field", "gates:\n  - message: m\n    expr: ctx.thought == \"x\"", "line 3: gates[0].expr: gate, at 1:4: undefined field 'thought'"},
		{"no expression", "gates:\n  - message: m", "gate, at 1:1"},
		{"node gate", "gates:\n  - expr: ctx.high\n    scope: node", "line 3: gates[0].scope: \"node\": a gate of gbt.yaml is global"},
		{"disposition that lets pass", "gates:\n  - expr: ctx.high\n    disposition: approved", "line 3: gates[0].disposition: \"approved\": give rejected"},
		{"the same twice", "gates:\n  - expr: ctx.high\n  - expr: (ctx.high)", "line 3: gates[1].expr: this gate is given twice"},
		{"unknown key", "gates:\n  - expr: ctx.high\n    when: now", "when"},
	} {
		if _, err := ReadConfig([]byte(tc.yaml)); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %s", tc.name, err, tc.want)
		}
	}
}
