package wording

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestRecordsAreNamed: a question about a record says which, by what the arguments are named, and
// shows no secret and no second line of a text.
func TestRecordsAreNamed(t *testing.T) {
	for _, tt := range []struct{ tool, args, says, never string }{
		{"mcp__planner-mcp__planner-update-plan-progress", `{"plan_name":"Move the shop","by_task_position":3,"is_completed":true}`, "Changes the plan progress (task 3, completed: true, plan “Move the shop”) in planner-mcp", ""},
		{"mcp__board__update_card", `{"cardId":"c42","status":"done"}`, "status", ""},
		{"mcp__board__move_card", `{"boardName":"Shop","cardNumber":7,"column":"Done"}`, "board Shop, card 7, column: Done", ""},
		{"mcp__tasks__add_task", `{"description":"Look at the prices\nand more"}`, "Adds a task “Look at the prices” in tasks", "and more"},
		{"mcp__planner__save-plan", `{"plan":"# All\nof it","plan_name":"Move"}`, "(plan Move)", "of it"},
		{"generate_upgrade_plan", `{"projectPath":"/src/shop","targetVersion":"21"}`, "target version 21", ""},
		{"mcp__board__update_card", `{"card_name":"ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"}`, "in board", "ghp_"},
		{"mcp__board__update_card", `{"card_name":"a ” in nothing; others “"}`, "in board", "”, in nothing"},
		{"mcp__board__set_card", `{"card_name":"a\u202eb"}`, "in board", "\u202e"},
	} {
		c := gates.NewContext(gates.Request{Tool: tt.tool, Args: []byte(tt.args)}, gates.State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u"})
		d := (&gates.Guardrail{}).Decide(&c)
		if d.Disposition == gates.Approved {
			t.Errorf("%s passes", tt.tool)
			continue
		}
		got := Of(&c, &d).Person
		if !strings.Contains(got, tt.says) || tt.never != "" && strings.Contains(got, tt.never) {
			t.Errorf("%s %s: %s", tt.tool, tt.args, got)
		}
	}
}
