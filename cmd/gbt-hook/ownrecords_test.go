package main

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/gbt-policy/gbt/internal/hosts"
)

// TestHookOwnRecords: the hook knows a record that the session made by what its host says came back, in
// each form that results of servers' tools have.
func TestHookOwnRecords(t *testing.T) {
	for response, want := range map[string]hosts.Outcome{
		`[{"type":"text","text":"{\"id\":\"WEB-12\",\"title\":\"T\"}"}]`:     hosts.Proceeds,
		`{"content":[{"type":"text","text":"{\"identifier\":\"WEB-12\"}"}]}`: hosts.Proceeds,
		`"{\"key\":\"WEB-12\"}"`:                                                        hosts.Proceeds,
		`[{"type":"text","text":"{\"id\":\"WEB-13\"}"}]`:                                hosts.Asks,
		`[{"type":"text","text":"made"}]`:                                               hosts.Asks,
		`{"content":[{"type":"text","text":"{\"id\":\"WEB-12\"}"}],"interrupted":true}`: hosts.Asks,
	} {
		s := sequence{repo: repo{place: newPlace(t), t: t}, open: map[string]map[string]any{}}
		s.args = []string{"-state", filepath.Join(s.home, "state")}
		if !s.user(repository) {
			t.Fatal("no repository")
		}
		e := s.event("mcp__tracker__create_issue", map[string]any{"title": "T"})
		s.asks(e, hosts.Asks, "create")
		e["hook_event_name"], e["tool_response"] = "PostToolUse", json.RawMessage(response)
		mustZero(t, s.tell(t, "claude-code", e, s.args...))
		s.asks(s.event("mcp__tracker__update_issue", map[string]any{"id": "WEB-12", "title": "U"}), want, response)
	}
}
