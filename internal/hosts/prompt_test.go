package hosts

import (
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// TestPromptsFit: a question that gbt may answer has an event that decides, tools with
// arguments, modes and files; and no tool that edits files or asks the user is answered.
func TestPromptsFit(t *testing.T) {
	n := 0
	for _, h := range all {
		p := h.Prompts
		if p == nil {
			continue
		}
		n++
		if k := h.Event(p.Event); !k.Decides() || !k.ByHand || k.Name == "" {
			t.Errorf("%s: %q is no event that install leaves to people", h.Name, p.Event)
		}
		if len(p.Tools) == 0 || len(p.Modes) == 0 || len(p.Choices.User) == 0 || len(p.Choices.Project) == 0 || len(p.Choices.Managed) == 0 {
			t.Errorf("%s: its questions are not described to the end", h.Name)
		}
		for tool, args := range p.Tools {
			if len(args) == 0 || slices.Contains([]string{"Edit", "Write", "NotebookEdit", "AskUserQuestion", "ExitPlanMode", "EnterPlanMode"}, tool) {
				t.Errorf("%s: %s is answered", h.Name, tool)
			}
		}
	}
	if n == 0 {
		t.Error("no host's questions are answered")
	}
}

// TestApproveAnswer: the one answer that says yes, and how the host reads it.
func TestApproveAnswer(t *testing.T) {
	h := host(t, "claude-code")
	in := &Input{Event: "PermissionRequest"}
	if out := h.Encode(in, nil, decision(gates.Approved)); out != (Output{}) {
		t.Errorf("unasked: %+v", out)
	}
	out := h.Approve(in)
	if want := (Output{Stdout: `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}` + "\n"}); out != want {
		t.Errorf("got %+v", out)
	}
	if got := h.Reading("PermissionRequest", Process{Stdout: out.Stdout}); got != Proceeds {
		t.Errorf("read as %v", got)
	}
	in.Event = "PreToolUse" // where a yes would skip the user's own rules
	if out := h.Approve(in); out != (Output{}) {
		t.Errorf("before the call: %+v", out)
	}
}

// TestChoiceFiles: where the rules of a host's user lie.
func TestChoiceFiles(t *testing.T) {
	c := &host(t, "claude-code").Prompts.Choices
	for _, tt := range []struct{ got, want []string }{
		{c.UserFiles("/h", ""), []string{"/h/.claude/settings.json"}},
		{c.UserFiles("/h", "/c"), []string{"/c/settings.json"}},
		{c.ProjectFiles("/p"), []string{"/p/.claude/settings.json", "/p/.claude/settings.local.json"}},
		{c.ManagedPatterns("linux"), []string{"/etc/claude-code/managed-settings.json", "/etc/claude-code/managed-settings.d/*.json"}},
		{c.ManagedPatterns("plan9"), nil},
	} {
		if !slices.Equal(tt.got, tt.want) {
			t.Errorf("got %v, want %v", tt.got, tt.want)
		}
	}
}

// TestLeaves: what alone leaves a question to the user, of a call that is approved.
func TestLeaves(t *testing.T) {
	h := host(t, "claude-code")
	call := gates.Request{Tool: "Bash", Args: []byte(`{"command":"make"}`)}
	for want, change := range map[string]func(*gates.Context, *gates.Decision){
		"":           func(*gates.Context, *gates.Decision) {},
		leftTaint:    func(c *gates.Context, _ *gates.Decision) { c.Flow.Unvetted = []string{"/w/x"} },
		leftDecision: func(_ *gates.Context, d *gates.Decision) { d.Would = gates.Rejected },
		leftEdit: func(c *gates.Context, _ *gates.Decision) {
			c.Effects = []gates.Effect{{Kind: effect.Delete, Zone: effect.ZoneWorkspace, Resource: "/w/x"}}
		},
	} {
		c, d := gates.Context{}, gates.Decision{Disposition: gates.Approved, Would: gates.Approved}
		change(&c, &d)
		if got := h.LeavesIn("default", call, &c, &d); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
