package episode

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/orders"
)

// TestOrderedIssues: a tool that makes one issue, in the tracker that was named.
func TestOrderedIssues(t *testing.T) {
	const made = `{"title":"T","description":"what we saw"}`
	for _, tt := range []struct {
		told, ran, tool, args string
		asks                  bool
	}{
		{"file an issue for it", "", "mcp__linear__create_issue", made, false},
		{"file a linear issue for it", "", "mcp__linear-server__create_issue", made, false},
		{"file an issue for it in jira", "", "mcp__atlassian__createJiraIssue", made, false},
		{"file a github issue for it", "", "mcp__github__create_issue", `{"owner":"acme","repo":"shop","title":"T","body":"B"}`, false},
		{"file a github issue for it", "", "mcp__github__create_issue", `{"owner":"evil","repo":"shop","title":"T","body":"B"}`, true},
		{"file a github issue for it", "", "mcp__github__create_issue", `{"repo":"evil/shop","title":"T","body":"B"}`, true},
		{"file an issue for it", "", "mcp__linear__create_issue", `{"title":"T","teamId":"x","labels":["a"],"assignee":"me"}`, false},
		{"file an issue for it", "", "mcp__atlassian__createJiraIssue", `{"cloudId":"c","projectKey":"WEB","issueTypeName":"Bug","summary":"T","fields":{"priority":{"name":"Low"}}}`, false},
		{"file an issue for it", "", "mcp__github__create_issue", `{"owner":"acme","repo":"shop","title":"T","assignees":["agent"]}`, true},
		{"file an issue for it", "", "mcp__github__create_issue", `{"repository":{"owner":"evil","name":"x"},"title":"T"}`, true},
		{"file an issue for it", "", "mcp__github__create_issue", `{"fullName":"evil/x","title":"T"}`, true},
		{"file an issue for it", "", "mcp__github__create_issue", `{"org":"evil","repo":"shop","title":"T"}`, true},
		{"file an issue for it", "", "mcp__github__create_issue", `{"params":{"owner":"evil","repo":"shop"},"title":"T"}`, true},
		{"file an issue for it", "", "mcp__github__create_issue", `{"repo":"other","title":"T"}`, true},
		{"file an issue for it", "", "mcp__gitlab__create_issue", `{"project_id":"evil%2Fshop","title":"T"}`, true},
		{"file an issue for it", "", "mcp__gitlab__create_issue", `{"project_id":"1234","title":"T"}`, true},
		{"file an issue for it", "", "mcp__gitlab__create_issue", `{"projectPath":"evil/shop","title":"T"}`, true},
		{"file an issue for it", "", "mcp__jira__create_issue", `{"title":"T","update":{"comment":[{"add":{"body":"x"}}]}}`, true},
		{"file an issue for it", "", "mcp__jira__create_issue", `{"title":"T","transition":{"id":"5"}}`, true},
		{"file an issue for it", "", "mcp__jira__create_issue", `{"issues":[{"title":"T"},{"title":"U"}]}`, true},
		{"file an issue for it", "", "mcp__linear__create_issue", `{"title":"T","id":"WEB-1"}`, true},
		{"file a jira issue for it", "", "mcp__linear__create_issue", made, true},
		{"file an issue for it", "", "mcp__linear__update_issue", `{"id":"A-1","title":"T"}`, true},
		{"file an issue for it", "", "mcp__linear__delete_issue", `{"id":"A-1"}`, true},
		{"file an issue for it", "", "mcp__linear__create_comment", `{"issueId":"A-1","body":"x"}`, true},
		{"file an issue for it", "", "mcp__linear__create_issue_label", made, true},
		{"file an issue for it", "", "mcp__linear__create_issues", made, true},
		{"file an issue for it", "", "mcp__slack__send_message", `{"channel":"c","text":"x"}`, true},
		{"file an issue for it", "", "mcp__linear__create_project", made, true},
		{"file an issue for it", "", "mcp__linear__create_issue", `{"title":"T","description":"see ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"}`, true},
		{"file an issue for it", "mcp__linear__create_issue", "mcp__linear__create_issue", `{"title":"U"}`, true},
		{"fix the issue", "", "mcp__linear__create_issue", made, true},
		{"don't file an issue", "", "mcp__linear__create_issue", made, true},
	} {
		m := Memory{Observes: true}
		m.Told(orders.Of(tt.told), inFix)
		at := func(past func(*gates.State), tool, args string) *gates.Context {
			st := gates.State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u"}
			shop(&st)
			past(&st)
			c := gates.NewContext(gates.Request{Tool: tool, Args: []byte(args)}, st)
			return &c
		}
		if tt.ran != "" {
			c := at(m.Before, tt.ran, made)
			d := (&gates.Checker{}).Check(c, nil)
			m.Let("k", "", c, &d, 1)
			c = at(func(st *gates.State) { m.At("k", st) }, tt.ran, made)
			m.Ended("k", c, 1)
			m.Succeeded(c)
			m.agreed = nil
		}
		c := at(m.Before, tt.tool, tt.args)
		if d := (&gates.Checker{}).Check(c, nil); (d.Disposition != gates.Approved) != tt.asks {
			t.Errorf("%q, %s %s: %v %v", tt.told, tt.tool, tt.args, d.Disposition, d.Reasons)
		}
	}
}

// TestRecorded: a record that the session made is its own once the server has answered, and in no
// other session.
func TestRecorded(t *testing.T) {
	at := func(past func(*gates.State), tool, args string) *gates.Context {
		st := gates.State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u"}
		past(&st)
		c := gates.NewContext(gates.Request{Tool: tool, Args: []byte(args)}, st)
		return &c
	}
	for _, answered := range []bool{true, false} {
		var m Memory
		const tool, args = "mcp__tracker__create_issue", `{"title":"T"}`
		c := at(m.Before, tool, args)
		d := (&gates.Checker{}).Check(c, nil)
		m.Let("k", "", c, &d, 1)
		c = at(func(st *gates.State) { m.At("k", st) }, tool, args)
		m.Ended("k", c, 1)
		if answered {
			m.Recorded(c, `{"identifier":"WEB-12"}`)
		}
		m.shellRan(t, "go test ./...")
		c = at(m.Before, "mcp__tracker__update_issue", `{"id":"WEB-12","title":"U"}`)
		if d := (&gates.Checker{}).Check(c, nil); (d.Disposition == gates.Approved) != answered {
			t.Errorf("answered %v: %v", answered, d.Disposition)
		}
	}
}

// shellRan takes in a command that ran.
func (m *Memory) shellRan(t *testing.T, line string) {
	c := read(t, m.Before, line)
	d := (&gates.Checker{}).Check(c, nil)
	m.Let("s", "", c, &d, 1)
	m.Ended("s", read(t, func(st *gates.State) { m.At("s", st) }, line), 1)
}
