package hosts

import "encoding/json"

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
func claudeCode() Host {
	return Host{
		Name: "claude-code", Title: "Claude Code",
		decode: decodeClaude, encode: encodeClaude,
		asks: func(in *Input) bool { return claudeAsks(in.mode) },
	}
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

const (
	eventPreToolUse        = "PreToolUse"
	eventPermissionRequest = "PermissionRequest"
)

func decodeClaude(f fields) (*Input, error) {
	event, err := f.need("hook_event_name")
	if err != nil {
		return nil, err
	}
	if event != eventPreToolUse && event != eventPermissionRequest {
		return nil, bad("input/event", "the event %.80q is not one this hook decides", event)
	}
	in := &Input{Event: event}
	if in.Call.Tool, err = f.need("tool_name"); err != nil {
		return nil, err
	}
	if in.Call.Args, err = f.object("tool_input"); err != nil {
		return nil, err
	}
	if in.State.Cwd, err = f.text("cwd"); err != nil {
		return nil, err
	}
	if in.Session, err = f.text("session_id"); err != nil {
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
	if a.verdict == allow || a.verdict == ask && request {
		return Output{} // on a request the host is about to ask the user anyway
	}
	if request {
		s := claudeSpecific{Event: in.Event, Request: &claudeBehavior{Behavior: "deny", Message: a.reason}}
		return Output{Stdout: encodeJSON(claudeOutput{s}), Stderr: a.reason + "\n", Exit: exitBlocked}
	}
	s := claudeSpecific{Event: eventPreToolUse, Decision: "deny", Reason: a.reason}
	if a.verdict == ask {
		s.Decision = "ask"
		return Output{Stdout: encodeJSON(claudeOutput{s})}
	}
	return Output{Stdout: encodeJSON(claudeOutput{s}), Stderr: a.reason + "\n", Exit: exitBlocked}
}

// encodeJSON encodes one of this package's own output types, which have only
// strings in them and can't fail.
func encodeJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	return string(b) + "\n"
}

// jsonArgs builds the arguments of a call from one value.
func jsonArgs(key, value string) []byte {
	b, err := json.Marshal(map[string]string{key: value})
	if err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	return b
}

// mcpName marks a tool of an MCP server as one: such a tool may carry any
// name, and gates trusts a built-in tool's name only without this mark.
func mcpName(host, tool string) string { return "mcp__" + host + "__" + tool }
