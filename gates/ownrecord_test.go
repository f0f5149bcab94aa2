package gates_test

import (
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestRecordsMade: what came back says by what a record that a call made is known.
func TestRecordsMade(t *testing.T) {
	const id = "0b1c2d3e-1111-2222-3333-444455556666"
	for _, tt := range []struct {
		tool, answer string
		want         []string
	}{
		{"mcp__tracker__create_issue", `{"id":"` + id + `","identifier":"WEB-12","title":"T"}`, []string{"record:tracker " + id, "record:tracker WEB-12"}},
		{"mcp__tracker__create_issue", `[{"type":"text","text":"{\"key\":\"WEB-12\"}"}]`, []string{"record:tracker WEB-12"}},
		{"mcp__tracker__create_issue", `{"content":[{"type":"text","text":"{\"issue\":{\"id\":\"` + id + `\",\"team\":{\"id\":\"WEB-1\"}}}"}]}`, []string{"record:tracker " + id}},
		{"mcp__tracker__create_issue", `{"identifier":"WEB-12","description":"what is cut in the mi`, []string{"record:tracker WEB-12"}},
		{"mcp__tracker__create_issue", `{"id":12,"title":"T"}`, nil},
		{"mcp__tracker__create_issue", `{"id":"12"}`, nil},
		{"mcp__tracker__create_issue", `{"id":"main"}`, nil},
		{"mcp__tracker__create_issue", `{"team":{"id":"` + id + `"},"title":"T"}`, nil},
		{"mcp__tracker__create_issue", `[{"id":"` + id + `"},{"id":"WEB-2"}]`, nil},
		{"mcp__tracker__create_issue", `made WEB-12`, nil},
		{"mcp__tracker__create_issue", `{"data":{"id":"WEB-1"},"result":{"id":"WEB-2"}}`, nil},
		{"mcp__tracker__get_issue", `{"id":"` + id + `"}`, nil},
		{"mcp__tracker__update_issue", `{"id":"` + id + `"}`, nil},
		{"create_issue", `{"id":"` + id + `"}`, nil},
		{"mcp__tracker__create_or_update_issue", `{"id":"` + id + `"}`, nil},
		{"mcp__tracker__create_issue_relation", `{"issue":{"id":"` + id + `"}}`, nil},
		{"mcp__tracker__create_comment", `{"id":"` + id + `"}`, nil},
		{"mcp__tracker__create_issue", `{"id":"OLD-1","identifier":"WEB-12"}`, []string{"record:tracker WEB-12"}},
	} {
		c := gates.NewContext(gates.Request{Tool: tt.tool, Args: []byte(`{"title":"T","parent":"old-1"}`)}, gates.State{Cwd: "/w", Roots: []string{"/w"}})
		if got := c.RecordsMade([]string{tt.answer}); !slices.Equal(got, tt.want) {
			t.Errorf("%s, %s: %q, want %q", tt.tool, tt.answer, got, tt.want)
		}
	}
}

// TestOwnRecords: a record that the session made may be changed, and nothing else for it.
func TestOwnRecords(t *testing.T) {
	for _, tt := range []struct {
		tool, args string
		asks       bool
	}{
		{"mcp__tracker__update_issue", `{"id":"WEB-12","description":"more"}`, false},
		{"mcp__tracker__updateJiraIssue", `{"issueIdOrKey":"WEB-12","summary":"T"}`, false},
		{"mcp__tracker__save_issue", `{"id":"WEB-12","priority":3}`, false},
		{"mcp__tracker__save_issue", `{"title":"another","priority":3}`, true},
		{"mcp__tracker__update_issue", `{"id":"WEB-13","description":"more"}`, true},
		{"mcp__other__update_issue", `{"id":"WEB-12","description":"more"}`, true},
		{"update_issue", `{"id":"WEB-12","description":"more"}`, true},
		{"mcp__tracker__update_issue", `{"id":"WEB-12","issueId":"WEB-13","description":"more"}`, true},
		{"mcp__tracker__update_issue", `{"description":"WEB-12"}`, true},
		{"mcp__tracker__delete_issue", `{"id":"WEB-12"}`, true},
		{"mcp__tracker__move_issue", `{"id":"WEB-12","team":"x"}`, true},
		{"mcp__tracker__assign_issue", `{"id":"WEB-12","user":"x"}`, true},
		{"mcp__tracker__create_comment", `{"id":"WEB-12","body":"x"}`, true},
		{"mcp__tracker__send_issue", `{"id":"WEB-12","to":"x"}`, true},
		{"mcp__tracker__update_issue", `{"id":"WEB-12","fields":{"summary":"T","labels":["a"]},"labels":["b"]}`, false},
		{"mcp__tracker__update_issue", `{"id":"WEB-12","ids":["OPS-1"]}`, true},
		{"mcp__tracker__update_issue", `{"id":["OPS-1"],"key":"WEB-12"}`, true},
		{"mcp__tracker__update_issue", `{"id":"WEB-12","issue":{"id":"OPS-1"}}`, true},
		{"mcp__tracker__update_issue", `{"id":"WEB-12","Id":"OPS-1"}`, true},
		{"mcp__tracker__update_issue", `{"id":"WEB-12","filter":"project = OPS"}`, true},
		{"mcp__tracker__update_issue", `{"id":"WEB-12","trashed":true}`, true},
		{"mcp__tracker__update_issue", `{"id":"WEB-12","comment":"x"}`, true},
		{"mcp__tracker__update_issue", `{"id":"WEB-12","update":{"comment":[{"add":{"body":"x"}}]}}`, true},
		{"mcp__tracker__update_issue", `{"id":"WEB-12","teamId":"PUB"}`, true},
		{"mcp__tracker__update_issue", `{"id":"WEB-12","assignee":"agent"}`, true},
		{"mcp__tracker__update_issue", `{"id":"WEB-12","visibility":"public"}`, true},
		{"mcp__tracker__update_issue", `{"id":"WEB-12","duplicateOf":"OPS-1"}`, true},
		{"mcp__tracker__update_issue", `{"id":"WEB-12","cloudId":"another","title":"T"}`, true},
		{"mcp__tracker__update_issues", `{"id":"WEB-12","title":"T"}`, true},
		{"mcp__tracker__update_all_issues", `{"id":"WEB-12","title":"T"}`, true},
		{"mcp__tracker__update_permissions", `{"id":"WEB-12","title":"T"}`, true},
		{"mcp__tracker__edit_settings", `{"key":"WEB-12","content":"x"}`, true},
		{"mcp__tracker__patch_server", `{"id":"WEB-12"}`, true},
		{"mcp__tracker__update_comment", `{"id":"WEB-12","body":"x"}`, true},
		{"mcp__tracker__update_issue", `{"id":"WEB-12","description":"ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"}`, true},
	} {
		st := gates.State{Cwd: "/w", Roots: []string{"/w"}, Flow: gates.Flow{Own: []string{"record:tracker WEB-12"}}}
		for _, secret := range []bool{false, true} {
			st.Flow.SensitiveRead = secret
			c := gates.NewContext(gates.Request{Tool: tt.tool, Args: []byte(tt.args)}, st)
			if d := (&gates.Checker{}).Check(&c, nil); (d.Disposition != gates.Approved) != (tt.asks || secret) {
				t.Errorf("%s %s, secrets read %v: %v", tt.tool, tt.args, secret, d.Disposition)
			}
		}
	}
}
