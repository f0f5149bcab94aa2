package distill

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

func TestToolSettings(t *testing.T) {
	c, err := ReadConfig([]byte(`
tools:
  - name: crm_send
    family: message
    does: send
    args: {to: recipient, body: payload, why: words, hook: "code:node"}
  - name: mcp__Desk__*
    does: read
`))
	if err != nil {
		t.Fatal(err)
	}
	k, err := c.Checker()
	if err != nil {
		t.Fatal(err)
	}
	for tool, want := range map[string]gates.Disposition{
		`crm_send {"to":"a","why":"x"}`: gates.ApprovedWithConstraints, `mcp__desk__frobnicate {}`: gates.Approved, `mcp__other__frobnicate {}`: gates.ApprovedWithConstraints,
	} {
		name, args, _ := strings.Cut(tool, " ")
		ctx := k.Context(gates.Request{Tool: name, Args: []byte(args)}, gates.State{})
		if d := k.Check(&ctx, nil); d.Disposition != want {
			t.Errorf("%s: %v %v, want %v", tool, d.Disposition, d.Reasons, want)
		}
	}
	sealed, err := c.sealedSchemas()
	if err != nil || len(sealed) != 2 || sealed[0].Name != "crm_send" {
		t.Errorf("%v %v", sealed, err)
	}
}

func TestToolFaults(t *testing.T) {
	tests := []struct{ name, yaml, want string }{
		{"no verb", "tools:\n- name: x\n", `line 2: tools[0].does: "" is nothing a tool does: give read, search`},
		{"wrong verb", "tools:\n- name: x\n  does: fly\n", `line 3: tools[0].does: "fly"`},
		{"wrong family", "tools:\n- name: x\n  does: read\n  family: zoo\n", `line 4: tools[0].family: "zoo"`},
		{"wrong role", "tools:\n- name: x\n  does: read\n  args:\n    a: path\n", `line 5: tools[0].args.a: "path" is no role: give path-read`},
		{"language of a path", "tools:\n- name: x\n  does: read\n  args: {a: \"path-read:go\"}\n", `argument a of x`},
		{"no name", "tools:\n- does: read\n", `tools[0].name: tool ""`},
		{"every tool", "tools:\n- {name: \"*\", does: read}\n", `would be every tool`},
		{"twice", "tools:\n- {name: x, does: read}\n- {name: X, does: send}\n", `line 3: tools[1].name: tool x is given twice`},
		{"classifier", "content:\n  classifier: oracle\n", `line 2: content.classifier: "oracle" is no classifier: give none, secrets or openai`},
		{"no model", "content:\n  classifier: openai\n", `line 2: content.model: name the model`},
		{"no address", "content:\n  classifier: openai\n  model: m\n  url: h.example\n", `line 4: content.url: "h.example"`},
		{"no time", "content:\n  classifier: openai\n  model: m\n  timeout: 0\n", `line 4: content.timeout: 0 is not`},
		{"unknown key", "tools:\n- {name: x, do: read}\n", `line 2: no key "do" here`},
	}
	for _, tt := range tests {
		_, err := ReadConfig([]byte(tt.yaml))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}
