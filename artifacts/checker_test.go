package artifacts

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// TestNewChecker carries settings and schemas through a file and decides by them.
func TestNewChecker(t *testing.T) {
	p := minimal()
	p.Guardrail = Guardrail{Rules: gates.Guardrail{DenySpawn: []string{"make"}}, Strict: true}
	p.Schemas = []Schema{SchemaOf(&call.Schema{Tool: "fetch_order", Family: call.FamilyApp, Verb: effect.VerbRead, Resource: call.ResourceRecord})}
	back, _, err := Open(must(p), Trust{})
	if err != nil {
		t.Fatal(err)
	}
	k, err := NewChecker(back)
	if err != nil {
		t.Fatal(err)
	}
	if !k.Strict {
		t.Error("strict is lost")
	}
	for call, want := range map[*gates.Request]gates.Disposition{
		{Tool: "Bash", Args: []byte(`{"command":"make"}`)}:    gates.Rejected,
		{Tool: "fetch_order", Args: []byte(`{"id":"3"}`)}:     gates.Approved,
		{Tool: "frobnicate", Args: []byte(`{"id":"3"}`)}:      gates.ApprovedWithConstraints,
		{Tool: "Bash", Args: []byte(`{"command":"cat a.c"}`)}: gates.Approved,
	} {
		c := k.Context(*call, gates.State{Cwd: "/w"})
		if d := k.Check(&c, nil); d.Disposition != want {
			t.Errorf("%s %s: %v %v, want %v", call.Tool, call.Args, d.Disposition, d.Reasons, want)
		}
	}
}

func TestNewCheckerRefuses(t *testing.T) {
	bad := minimal()
	bad.Schemas = []Schema{{"read_ticket", []byte{1, 2}}}
	if k, err := NewChecker(bad); k != nil || err == nil || !strings.Contains(err.Error(), `tool schema "read_ticket"`) {
		t.Errorf("schema: %v, %v", k, err)
	}
	bad = minimal()
	bad.Gates = sampleGates()
	bad.Gates[0].Program = []byte{1, 2, 3}
	if k, err := NewChecker(bad); k != nil || err == nil || !strings.Contains(err.Error(), "gate ") {
		t.Errorf("gate: %v, %v", k, err)
	}
}

// TestContentGateThatNobodyAsks: a policy with a content gate lets no call send
// where the host can't ask it, whatever else allows it.
func TestContentGateThatNobodyAsks(t *testing.T) {
	p := minimal()
	p.Guardrail = Guardrail{Rules: gates.Guardrail{Egress: []gates.Egress{{Domain: "h.example", Send: true}}}}
	call := gates.Request{Tool: "Bash", Args: []byte(`{"command":"curl -d x https://h.example/"}`)}
	for _, tt := range []struct {
		name    string
		content Content
		asks    bool
		want    gates.Disposition
	}{
		{"no content gate", Content{}, false, gates.Approved},
		{"one that nobody asks", sampleContent(), false, gates.ApprovedWithConstraints},
		{"one that the host asks", sampleContent(), true, gates.Approved},
	} {
		p.Guardrail.Content = tt.content
		k, err := NewChecker(p)
		if err != nil {
			t.Fatal(err)
		}
		k.Asks = tt.asks
		c := k.Context(call, gates.State{})
		if d := k.Check(&c, nil); d.Disposition != tt.want {
			t.Errorf("%s: %v, want %v: %v", tt.name, d.Disposition, tt.want, d.Reasons)
		}
	}
}
