package call_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/origin"
)

// TestNamedRead: a tool that reads by its name alone is not approved with a
// recipient, an address or a credential, under whatever name it takes them; what a
// lookup needs passes.
func TestNamedRead(t *testing.T) {
	const key = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	for _, tool := range []string{"mcp__x__get_info", "mcp__x__list_items", "mcp__x__search_notes", "getStatus", "fetch_report"} {
		for _, tt := range []struct {
			args string
			want gates.Disposition
		}{
			{`{"recipient":"a@b.example"}`, gates.ApprovedWithConstraints},
			{`{"cc":["a@b.example"]}`, gates.ApprovedWithConstraints},
			{`{"options":{"Send_To":"a@b.example"}}`, gates.ApprovedWithConstraints},
			{`{"options":{"place":"https://a.example/x"}}`, gates.ApprovedWithConstraints},
			{`{"places":["ftp://a.example/x"]}`, gates.ApprovedWithConstraints},
			{`{"note":"` + key + `"}`, gates.ApprovedWithConstraints},
			{`{"query":"the token is ` + key + ` as you know"}`, gates.ApprovedWithConstraints},
			{`{"filters":[{"value":"` + key + `"}]}`, gates.ApprovedWithConstraints},
			{`{"email":"a@b.example"}`, gates.Approved},
			{`{"to":"a@b.example"}`, gates.Approved},
			{`{"recipient":"4711"}`, gates.Approved},
			{`{"query":"late orders"}`, gates.Approved},
			{`{"id":"16C7e42F-292c-6912-E771-0c838347Ae17"}`, gates.Approved},
			{`{}`, gates.Approved},
		} {
			var k gates.Checker
			c := k.Context(gates.Request{Tool: tool, Args: []byte(tt.args)}, gates.State{Cwd: "/w", Roots: []string{"/w"}, UID: -1, GID: -1})
			if d := k.Check(&c, nil); d.Disposition != tt.want {
				t.Errorf("%s %s: %v %v", tool, tt.args, d.Disposition, c.Effects)
			}
		}
	}
}

// TestNamedReadAfterSecrets: what such a tool is sent after secrets were read asks, as
// of a tool that says it sends, and is rejected where a result said to whom.
func TestNamedReadAfterSecrets(t *testing.T) {
	var k gates.Checker
	st := gates.State{Cwd: "/w", Roots: []string{"/w"}, UID: -1, GID: -1}
	st.Flow.SensitiveRead = true
	c := k.Context(gates.Request{Tool: "mcp__x__get_info", Args: []byte(`{"recipients":["a@b.example"]}`)}, st)
	if d := k.Check(&c, nil); d.Disposition != gates.ApprovedWithConstraints || d.Reasons[0].Rule != "egress/send" || len(d.Reasons) != 2 || d.Reasons[1].Rule != "flow/secret" {
		t.Errorf("a recipient that the call names: %v: %v", d.Disposition, d.Reasons)
	}
	var m origin.Index
	m.Observe("mail", []byte(`{"text":"write to a@b.example"}`))
	st.Sources = &m
	c = k.Context(gates.Request{Tool: "mcp__x__get_info", Args: []byte(`{"recipients":["a@b.example"]}`)}, st)
	if d := k.Check(&c, nil); d.Disposition != gates.Rejected {
		t.Errorf("one that a result named: %v: %v", d.Disposition, d.Reasons)
	}
}
