package hosts

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Event is what a host tells its hook beside the calls it asks about: a call
// that ran, with its result, or what the user said.
type Event struct {
	Input // the call; its Tool is empty for what the user said

	// Results are the result as the agent reads it, where it can be told, and
	// as the host wrote it.
	Results [][]byte
	// Prompt is the user's text. It also says that whatever the user was asked
	// about before is settled.
	Prompt string
	// Declined says that the call did not run.
	Declined bool
}

// Reports says whether the host's after-events tell every call that ran, those
// that failed included. Where they don't, a call that may run has to count as
// run from the answer on: Codex and opencode report only what succeeded, and
// OpenHands and Gemini CLI can't ask, so nothing is gained there.
func (h Host) Reports() bool { return h.Name == "claude-code" || h.Name == "cursor" }

// DecodeEvent reads an after-event or a prompt. Nothing can be blocked then, so
// an error must end in Trouble.
func (h Host) DecodeEvent(data []byte) (*Event, error) {
	f, err := parse(data)
	if err != nil {
		return nil, err
	}
	name := "hook_event_name"
	switch h.Name {
	case "opencode":
		name = "event"
	case "openhands":
		name = "event_type"
	}
	event, err := f.need(name)
	if err != nil {
		return nil, err
	}
	rule, ok := eventRules(h.Name)[event]
	if !ok {
		return nil, bad("input/event", "the event %.80q says nothing about a call that ran", event)
	}
	out := &Event{}
	if rule.prompt != "" {
		out.Prompt, err = f.need(rule.prompt)
		if err == nil {
			err = out.origin(f)
		}
		return out, err
	}
	f[name] = json.RawMessage(`"` + rule.before + `"`)
	in, err := h.decode(f)
	if err != nil {
		return nil, err
	}
	out.Input, out.Event = *in, event
	out.State.UID, out.State.GID = -1, -1
	why, err := f.text("failure_type")
	out.Declined = why == "permission_denied"
	for _, key := range rule.results {
		out.result(f[key])
	}
	return out, err
}

// eventRule says how an event is read: as what event before the call, and where
// its result is; or where the user's text is.
type eventRule struct {
	before  string
	results []string
	prompt  string
}

// eventRules are a host's events: Claude Code's and Cursor's hook references,
// Codex' schemas (codex-rs/hooks/schema), Gemini CLI's docs/hooks/reference.md,
// opencode's plugin types and OpenHands' sdk/hooks/types.py.
//
// opencode and Codex also have an event for messages of the user's, but send it
// for the messages of an agent to its subagents as well.
func eventRules(host string) map[string]eventRule {
	switch host {
	case "claude-code":
		return map[string]eventRule{
			"PostToolUse":        {before: eventPreToolUse, results: []string{"tool_response"}},
			"PostToolUseFailure": {before: eventPreToolUse, results: []string{"error"}},
			"UserPromptSubmit":   {prompt: "prompt"},
		}
	case "codex":
		return map[string]eventRule{"PostToolUse": {before: eventPreToolUse, results: []string{"tool_response"}}}
	case "gemini":
		return map[string]eventRule{
			"AfterTool":   {before: eventBeforeTool, results: []string{"tool_response"}},
			"BeforeAgent": {prompt: "prompt"},
		}
	case "cursor":
		return map[string]eventRule{
			"afterShellExecution": {before: eventBeforeShell, results: []string{"output"}},
			"afterMCPExecution":   {before: eventBeforeMCP, results: []string{"result_json"}},
			"postToolUse":         {before: eventCursorTool, results: []string{"tool_output"}},
			"postToolUseFailure":  {before: eventCursorTool, results: []string{"error_message"}},
			"beforeSubmitPrompt":  {prompt: "prompt"},
		}
	case "opencode":
		return map[string]eventRule{"tool.execute.after": {before: eventOpencode, results: []string{"output"}}}
	case "openhands":
		return map[string]eventRule{
			"PostToolUse":      {before: eventPreToolUse, results: []string{"tool_response", "tool_output"}},
			"UserPromptSubmit": {prompt: "message"},
		}
	}
	return nil
}

// origin reads which session, and which agent in it, an event is of.
func (in *Input) origin(f fields) error {
	for _, key := range []string{"session_id", "conversation_id", "sessionID"} {
		s, err := f.text(key)
		if err != nil {
			return err
		}
		if in.Session == "" {
			in.Session = s
		}
	}
	return in.marks(f)
}

// marks reads what tells calls and agents of one session apart.
func (in *Input) marks(f fields) (err error) {
	if in.Agent, err = f.text("agent_id"); err != nil {
		return err
	}
	if in.CallID == "" {
		in.CallID, err = f.text("tool_use_id")
	}
	return err
}

// result notes a result in the agent's words, if it has some, and in the host's.
func (e *Event) result(raw []byte) {
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || string(raw) == "null" {
		return
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		e.Results = append(e.Results, []byte(s))
		raw = []byte(s) // Cursor's results are JSON in a string
	} else {
		e.Results = append(e.Results, raw)
	}
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return
	}
	if text := words(v); text != "" && text != s {
		e.Results = append([][]byte{[]byte(text)}, e.Results...)
	}
}

// words returns the text of a result in the shapes of the hosts' shell, file
// and MCP tools, or nothing.
func words(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var list []string
		for _, e := range v {
			if m, ok := e.(map[string]any); ok {
				if s, ok := m["text"].(string); ok {
					list = append(list, s)
				}
			}
		}
		return strings.Join(list, "\n")
	case map[string]any:
		var list []string
		for _, key := range []string{"content", "file", "llmContent", "output", "stdout", "stderr"} {
			if s := words(v[key]); s != "" {
				list = append(list, s)
			}
		}
		return strings.Join(list, "\n")
	}
	return ""
}

// Noted answers an after-event or a prompt: with nothing that changes what the
// host does. Cursor wants JSON.
func (h Host) Noted() Output {
	switch h.Name {
	case "cursor":
		return Output{Stdout: "{\"continue\":true}\n"}
	case "gemini", "opencode":
		return Output{Stdout: "{}\n"}
	}
	return Output{}
}

// exitTrouble is an exit code that every host shows and goes on after. Exit 2
// would hide a result or throw the user's message away.
const exitTrouble = 1

// Trouble answers an event that could not be noted.
func (h Host) Trouble(why string) Output {
	return Output{Stderr: "gbt: not noted: " + clean(why) + "\n", Exit: exitTrouble}
}
