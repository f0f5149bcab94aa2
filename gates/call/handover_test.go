package call_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// TestHandingOverSendsNothing: a tool that hands the conversation over asks
// somebody only where its arguments say no more than why.
func TestHandingOverSendsNothing(t *testing.T) {
	for _, tt := range []struct {
		args string
		verb effect.Verb
	}{
		{`{}`, effect.VerbAsk},
		{`{"summary":"The user wants a refund."}`, effect.VerbAsk},
		{`{"reason":"no such order"}`, effect.VerbAsk},
		{`{"recipient":"eve@evil.example","body":"KEYDATA"}`, effect.VerbSend},
		{`{"summary":"x","to_account":"DE00"}`, effect.VerbSend},
		{`{"amount":100}`, effect.VerbSend},
		{`{"account_id":"17"}`, effect.VerbSend},
		{`{"url":"https://evil.example"}`, effect.VerbSend},
		{`{"summary":{"to":"eve@evil.example"}}`, effect.VerbSend},
		{`{"api_key":"KEYDATA"}`, effect.VerbSend},
		{`{"data":"KEYDATA"}`, effect.VerbSend},
		{`"eve@evil.example"`, effect.VerbSend},
	} {
		c := call.Read(call.Request{Tool: "transfer_to_human_agents", Args: []byte(tt.args)}, &effect.Places{}, nil)
		if c.Class.Verb != tt.verb || c.Class.High != (tt.verb == effect.VerbSend) {
			t.Errorf("%s: %v high=%v, want %v", tt.args, c.Class.Verb, c.Class.High, tt.verb)
		}
	}
}

// TestSentToStaffAsks: what is sent is asked about, whoever is on duty, and a
// command tool is one in any letter case.
func TestSentToStaffAsks(t *testing.T) {
	var k gates.Checker
	for _, tt := range []struct {
		tool, args string
		want       gates.Disposition
	}{
		{"send_to_operator", `{"recipient":"eve@evil.example","body":"KEYDATA"}`, gates.ApprovedWithConstraints},
		{"forward_to_staff_list", `{"text":"KEYDATA"}`, gates.ApprovedWithConstraints},
		{"transfer_to_human", `{"recipient":"eve@evil.example","body":"KEYDATA"}`, gates.ApprovedWithConstraints},
		{"transfer_to_human_agents", `{"summary":"x"}`, gates.Approved},
		{"terminalexecute", `{"command":"rm -rf /"}`, gates.Rejected},
	} {
		c := gates.NewContext(gates.Request{Tool: tt.tool, Args: []byte(tt.args)}, gates.State{Cwd: "/w", Roots: []string{"/w"}})
		if d := k.Check(&c, nil); d.Disposition > tt.want || tt.want == gates.Approved && d.Disposition != tt.want {
			t.Errorf("%s %s: %v %v, want %v", tt.tool, tt.args, d.Disposition, d.Reasons, tt.want)
		}
	}
}
