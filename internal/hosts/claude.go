package hosts

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Claude Code: https://code.claude.com/docs/en/hooks. Exit 2 blocks and shows
// stderr to the agent; exit 0 makes it read stdout as JSON; any other code lets
// the call go on.
//
// An approved call gets exit 0 and no output at all. "allow" would skip the
// permission prompt of a user who never agreed to that; silence leaves the
// user's own rules and prompts as they are.
//
// A blocked call gets exit 2, with the reason on stderr and the full JSON
// wrapper on stdout. Claude Code reads the former only; a host that runs
// Claude Code's hooks and reads JSON first (Cursor, OpenHands) finds it blocked
// too.
var claudeCode = Host{
	Name: "claude-code", Title: "Claude Code",
	Events: []EventKind{
		{Name: eventPreToolUse, Asks: true},
		{Name: eventPermissionRequest, Asks: true, ByHand: true},
		{Name: "PostToolUse", Of: eventPreToolUse, Results: []string{"tool_response"}},
		{Name: "PostToolUseFailure", Of: eventPreToolUse, Results: []string{"error"}},
		{Name: "UserPromptSubmit", Prompt: "prompt"},
		{Name: eventStop, End: true},
		{Name: eventSubagentStop, End: true, ByHand: true},
	},
	Reports:    true,
	Ends:       claudeEnds(),
	Worded:     []string{"description"},
	ProjectEnv: "CLAUDE_PROJECT_DIR",
	ShellEnv:   "CLAUDECODE",
	Saved:      claudeSaved,
	Prompts:    &claudePrompts,
	Limits: []string{
		"before 2.1.295 it ignores onFailure: a hook that it ends after its time limit lets the call run",
		"disableAllHooks in any settings file turns the hook off, and so does running with --bare",
		"files that the user mentions with @ are read without a tool call",
	},
	// https://code.claude.com/docs/en/claude-directory, .../settings, .../skills, .../plugins-reference
	Loads: Loads{
		Dir: ".claude",
		Names: []string{
			".claude-plugin", ".lsp.json", ".mcp.json", "CLAUDE.local.md", "CLAUDE.md", "agent-memory", "agent-memory-local", "agents", "commands", "hooks", "keybindings.json", "launch.json",
			"loop.md", "monitors", "output-styles", "plugin.json", "plugins", "rules", "scheduled_tasks.json", "settings.json", "settings.local.json", "themes", "workflows",
		},
		Bundles:  []string{"skills"},
		HomeEnv:  []string{"CLAUDE_CONFIG_DIR"},
		Settings: []string{".mcp.json", ".claude-plugin", "/etc/claude-code", "/Library/Application Support/ClaudeCode"},
		Servers:  []string{"~/.claude.json"},
	},
	Settings: Settings{
		User: ".claude/settings.json", Project: ".claude/settings.json", Local: ".claude/settings.local.json",
		Element: claudeElement, Elements: readElements, Shell: true,
		Off: []Switch{{Path: []string{"disableAllHooks"}, Off: true}},
	},
	Samples: Samples{
		Shell: Tool{Name: "Bash", Key: "command"}, Read: Tool{Name: "Read", Key: "file_path"},
		Call: claudeCall,
	},
	// https://code.claude.com/docs/en/claude-directory, .../memory
	instructions: []string{".claude/CLAUDE.md", ".claude/agents", ".claude/commands", ".claude/plugins", ".claude/rules"},
	keeps:        claudeKeeps,
	eventKey:     "hook_event_name", sessionKey: "session_id",
	decode: decodeClaude, encode: encodeClaude, read: readClaude,
	asksIn: claudeAsks, succeeded: claudeSucceeded,
}

// claudeSaved reads what a model gets in the place of a result too long to show (seen in
// sessions of 2026).
func claudeSaved(result string) string {
	rest, ok := strings.CutPrefix(result, "<persisted-output>\n")
	if !ok {
		return ""
	}
	line, _, _ := strings.Cut(rest, "\n")
	_, file, ok := strings.Cut(line, "Full output saved to: ")
	if !ok || !strings.HasPrefix(file, "/") {
		return ""
	}
	return strings.TrimSpace(file)
}

// claudeAsks says whether an ask reaches the user in this permission mode. With
// bypassPermissions it does not where Claude Code's own check of the call would
// ask too, as for files it holds sensitive: the bypass answers both (found by
// running Claude Code 2.1.197, see integrations/hosts). Of a mode that is not
// listed nobody knows.
func claudeAsks(mode string) bool {
	switch mode {
	case "", "default", "plan", "acceptEdits", "dontAsk":
		return true
	}
	return false
}

// claudeSucceeded says whether a call ended well: PostToolUse follows those alone, and a
// command that goes on in the background, or was interrupted, has not ended.
func claudeSucceeded(event string, f fields) bool {
	var in struct {
		Background bool `json:"run_in_background"`
	}
	var out struct {
		Interrupted bool   `json:"interrupted"`
		Task        string `json:"backgroundTaskId"`
	}
	response := bytes.TrimSpace(f["tool_response"])
	if json.Unmarshal(f["tool_input"], &in) != nil || len(response) == 0 || response[0] == '{' && json.Unmarshal(response, &out) != nil {
		return false // of a server's tool it is a list of texts, or one
	}
	return event == "PostToolUse" && !in.Background && !out.Interrupted && out.Task == ""
}

const (
	eventPreToolUse        = "PreToolUse"
	eventPermissionRequest = "PermissionRequest"
	eventStop              = "Stop"
	eventSubagentStop      = "SubagentStop"
)

func decodeClaude(h *Host, f fields) (*Input, error) {
	in, err := h.called(f, "cwd")
	if err != nil {
		return nil, err
	}
	if in.mode, err = f.text("permission_mode"); err != nil {
		return nil, err
	}
	return in, in.marks(f)
}

// claudeOutput is the wrapper for every event; Codex refuses keys it does not
// know, so empty ones are left out.
type claudeOutput struct {
	Specific claudeSpecific `json:"hookSpecificOutput"`
}

type claudeSpecific struct {
	Event    string          `json:"hookEventName"`
	Decision string          `json:"permissionDecision,omitempty"`
	Reason   string          `json:"permissionDecisionReason,omitempty"`
	Request  *claudeBehavior `json:"decision,omitempty"`
}

type claudeBehavior struct {
	Behavior string `json:"behavior"`
	Message  string `json:"message,omitempty"`
}

func encodeClaude(in *Input, a answer) Output {
	request := in.Event == eventPermissionRequest
	if a.verdict == allow && request && in.Yes {
		return Output{Stdout: encodeJSON(claudeOutput{claudeSpecific{Event: in.Event, Request: &claudeBehavior{Behavior: "allow"}}})}
	}
	if a.verdict == allow || a.verdict == ask && request {
		return Output{} // on a request the host is about to ask the user anyway
	}
	if request {
		s := claudeSpecific{Event: in.Event, Request: &claudeBehavior{Behavior: "deny", Message: a.reason}}
		return Output{Stdout: encodeJSON(claudeOutput{s}), Stderr: a.reason + "\n", Exit: exitBlocked}
	}
	s := claudeSpecific{Event: eventPreToolUse, Decision: "deny", Reason: a.reason}
	if a.verdict == ask {
		s.Decision, s.Reason = "ask", a.person // which the user is shown, and the agent is not
		return Output{Stdout: encodeJSON(claudeOutput{s})}
	}
	return Output{Stdout: encodeJSON(claudeOutput{s}), Stderr: a.reason + "\n", Exit: exitBlocked}
}

func readClaude(event string, p Process) Outcome {
	if event == eventPermissionRequest {
		return readRequest(event, p)
	}
	if p.Died {
		return blocksIf(p.FailClosed)
	}
	switch p.Exit {
	case exitBlocked:
		return Blocks
	case exitDecided:
		r, ok := p.reply()
		switch s := r.Specific; {
		case !ok:
			return Proceeds
		case r.Continue != nil && !*r.Continue:
			return Blocks
		case s.Event == event && s.Decision == "deny":
			return Blocks
		case s.Event == event && s.Decision == "ask":
			return Asks
		}
		return Proceeds
	}
	return blocksIf(p.FailClosed)
}

// readRequest is what the host makes of an answer to its own question: without one that it
// understands it asks, as it was about to.
func readRequest(event string, p Process) Outcome {
	r, ok := p.reply()
	s := r.Specific
	switch {
	case p.Exit == exitBlocked && !p.Died:
		return Blocks
	case (p.Died || p.Exit != exitDecided) && p.FailClosed:
		return Blocks
	case p.Died || p.Exit != exitDecided || !ok || s.Event != event:
		return Asks
	case s.Request.Behavior == "deny":
		return Blocks
	case s.Request.Behavior == "allow":
		return Proceeds
	}
	return Asks
}

func claudeElement(line string, decides bool, seconds int) any {
	if decides {
		return grouped(line, seconds, "block")
	}
	return grouped(line, seconds, "")
}

func claudeCall(event, dir, tool string, args map[string]any) map[string]any {
	return map[string]any{
		"hook_event_name": event, "session_id": sampled, "cwd": dir, "transcript_path": nil, "permission_mode": "default",
		"model": sampled, "tool_use_id": sampled, "tool_name": tool, "tool_input": args,
	}
}
