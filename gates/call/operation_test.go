package call_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
)

// TestOperations: a tool for many things that is told to do one which reads passes,
// also where it is called destructive for the others; told anything else, or more
// than that, it asks.
func TestOperations(t *testing.T) {
	for _, tt := range []struct {
		tool, args string
		passes     bool
	}{
		{"manage_links", `{"operation":"list"}`, true},
		{"manage-accounts", `{"action":"list"}`, true},
		{"doc_manage_styles", `{"operation":"get_details","index":1}`, true},
		{"calendar", `{"action":"list","limit":3}`, true},
		{"emails", `{"action":"search","query":"bill"}`, true},
		{"manage_links", `{"operation":"remove"}`, false},
		{"manage_links", `{"operation":"add","url":"https://a.example/"}`, false},
		{"manage_links", `{"operation":"frob"}`, false},
		{"manage_links", `{"operation":""}`, false},
		{"manage_links", `{}`, false},
		{"manage_links", `{"operation":"list","delete":true}`, false},
		{"manage_links", `{"operation":"list","action":"delete"}`, false},
		{"manage_links", `{"operation":["list","delete"]}`, false},
		{"manage_links", `{"operation":"list_and_delete"}`, false},
		{"manage_links", `{"operation":"get_or_create"}`, false},
		{"manage_links", `{"more":{"operation":"list"}}`, false},
		{"manage_and_delete_links", `{"operation":"list"}`, false},
		{"manage_delete", `{"operation":"list"}`, false},
		{"update_links", `{"operation":"list"}`, false},
		{"ban_user", `{"action":"view"}`, false},
		{"frobnicate", `{"action":"list"}`, false},
		{"manage_secrets", `{"action":"list"}`, false},
		{"manage_files", `{"action":"read","path":"/home/u/.ssh/id_rsa"}`, false},
		{"manage_links", `{"operation":"list","command":"rm -rf ~"}`, false},
	} {
		for _, hints := range []call.Hints{{}, {Destructive: true}} {
			var k gates.Checker
			c := k.Context(gates.Request{Tool: "mcp__x__" + tt.tool, Args: []byte(tt.args), Hints: hints}, gates.State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u"})
			if d := k.Check(&c, nil); (d.Disposition == gates.Approved) != tt.passes {
				t.Errorf("%s %s %+v: %v %v", tt.tool, tt.args, hints, d.Disposition, d.Reasons)
			}
		}
	}
}
