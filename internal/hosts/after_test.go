package hosts

import (
	"reflect"
	"strings"
	"testing"
)

// afterSamples have the fields that the hosts document for the event.
var afterSamples = []struct {
	host, input string
	tool, id    string
	results     []string
	prompt      string
	declined    bool
}{
	{"claude-code", `{"session_id":"s","cwd":"/w","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{"stdout":"a\nb","stderr":"","interrupted":false},"tool_use_id":"t"}`,
		"Bash", "t", []string{"a\nb", `{"stdout":"a\nb","stderr":"","interrupted":false}`}, "", false},
	{"claude-code", `{"session_id":"s","cwd":"/w","hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"ls x"},"error":"no x","is_interrupt":false,"tool_use_id":"t"}`,
		"Bash", "t", []string{"no x"}, "", false},
	{"claude-code", `{"session_id":"s","cwd":"/w","hook_event_name":"UserPromptSubmit","prompt":"do it"}`, "", "", nil, "do it", false},
	{"codex", `{"session_id":"s","turn_id":"u","cwd":"/w","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":"a","tool_use_id":"t","transcript_path":null}`,
		"Bash", "t", []string{"a"}, "", false},
	{"copilot", `{"hook_event_name":"PostToolUse","session_id":"s","timestamp":"x","cwd":"/w","tool_name":"Bash","tool_input":{"command":"ls"},"tool_result":{"result_type":"success","text_result_for_llm":"a"}}`,
		"Bash", "", []string{"a", `{"result_type":"success","text_result_for_llm":"a"}`}, "", false},
	{"copilot", `{"hook_event_name":"PostToolUseFailure","session_id":"s","timestamp":"x","cwd":"/w","tool_name":"Bash","tool_input":{"command":"ls x"},"error":"no x"}`,
		"Bash", "", []string{"no x"}, "", false},
	{"copilot", `{"hook_event_name":"UserPromptSubmit","session_id":"s","timestamp":"x","cwd":"/w","prompt":"do it"}`, "", "", nil, "do it", false},
	{"droid", `{"session_id":"s","cwd":"/w","permission_mode":"auto-high","hook_event_name":"PostToolUse","tool_name":"Execute","tool_input":{"command":"ls"},"tool_response":"a"}`,
		"Execute", "", []string{"a"}, "", false},
	{"droid", `{"session_id":"s","cwd":"/w","hook_event_name":"UserPromptSubmit","prompt":"do it"}`, "", "", nil, "do it", false},
	{"gemini", `{"session_id":"s","cwd":"/w","hook_event_name":"AfterTool","tool_name":"read_file","tool_input":{"file_path":"a"},"tool_response":{"llmContent":[{"text":"a"},{"text":"b"}],"returnDisplay":""}}`,
		"read_file", "", []string{"a\nb", `{"llmContent":[{"text":"a"},{"text":"b"}],"returnDisplay":""}`}, "", false},
	{"gemini", `{"session_id":"s","cwd":"/w","hook_event_name":"BeforeAgent","prompt":"do it"}`, "", "", nil, "do it", false},
	{"cursor", `{"conversation_id":"s","hook_event_name":"afterShellExecution","workspace_roots":["/w"],"command":"ls","cwd":"/w","output":"a","duration":5}`,
		"bash", "Shell\x00ls", []string{"a"}, "", false},
	{"cursor", `{"conversation_id":"s","hook_event_name":"afterMCPExecution","workspace_roots":["/w"],"tool_name":"get","tool_input":"{\"x\": 1}","result_json":"{\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}","duration":5}`,
		"mcp__cursor__get", "get\x00{\"x\":1}", []string{"a", `{"content":[{"type":"text","text":"a"}]}`}, "", false},
	{"cursor", `{"conversation_id":"s","hook_event_name":"postToolUse","workspace_roots":["/w"],"tool_name":"Read","tool_input":{"file_path":"/w/a"},"tool_output":"{\"content\":\"a\"}","tool_use_id":"t"}`,
		"Read", "t", []string{"a", `{"content":"a"}`}, "", false},
	{"cursor", `{"conversation_id":"s","hook_event_name":"postToolUseFailure","workspace_roots":["/w"],"tool_name":"Shell","tool_input":{"command":"ls"},"error_message":"no","failure_type":"permission_denied","tool_use_id":"t"}`,
		"Shell", "Shell\x00ls", []string{"no"}, "", true},
	{"cursor", `{"conversation_id":"s","hook_event_name":"beforeSubmitPrompt","workspace_roots":["/w"],"prompt":"do it"}`, "", "", nil, "do it", false},
	{"opencode", `{"event":"tool.execute.after","tool":"bash","args":{"command":"ls"},"output":"a","sessionID":"s","callID":"c","directory":"/w","worktree":"/w"}`,
		"bash", "", []string{"a"}, "", false},
	{"openhands", `{"event_type":"PostToolUse","tool_name":"terminal","tool_input":{"command":"ls"},"tool_response":{"output":"a"},"session_id":"s","working_dir":"/w"}`,
		"terminal", "", []string{"a", `{"output":"a"}`}, "", false},
	{"openhands", `{"event_type":"UserPromptSubmit","message":"do it","session_id":"s","working_dir":"/w"}`, "", "", nil, "do it", false},
}

func TestDecodeEvent(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range afterSamples {
		seen[s.host] = true
		h := host(t, s.host)
		e, err := h.DecodeEvent([]byte(s.input))
		if err != nil {
			t.Errorf("%s: %v: %s", s.host, err, s.input)
			continue
		}
		var results []string
		for _, r := range e.Results {
			results = append(results, string(r))
		}
		if e.Call.Tool != s.tool || e.CallID != s.id || e.Session != "s" || e.Prompt != s.prompt || e.Declined != s.declined || !reflect.DeepEqual(results, s.results) {
			t.Errorf("%s: got %+v with %q", s.host, e, results)
		}
		if _, err := h.Decode([]byte(s.input)); err == nil {
			t.Errorf("%s: decided on as a call: %s", s.host, s.input)
		}
		for _, broken := range []string{"", s.input[:len(s.input)-1], "[]", strings.Replace(s.input, `"tool_input":{`, `"tool_input":[{`, 1) + "]", s.input + s.input} {
			if _, err := h.DecodeEvent([]byte(broken)); err == nil {
				t.Errorf("%s: read: %s", s.host, broken)
			}
		}
	}
	for _, name := range Names() {
		if !seen[name] {
			t.Errorf("no sample for %s", name)
		}
	}
	for _, s := range samples {
		if _, err := host(t, s.host).DecodeEvent([]byte(s.input)); err == nil {
			t.Errorf("%s %s: a call that did not run yet is noted", s.host, s.event)
		}
	}
}

// TestEventsChangeNothing: no host blocks, hides or stops anything for how an
// event is answered.
func TestEventsChangeNothing(t *testing.T) {
	for _, name := range Names() {
		h := host(t, name)
		if o := h.Noted(); o.Exit != exitDecided || o.Stderr != "" || strings.Contains(o.Stdout, "block") || strings.Contains(o.Stdout, "deny") {
			t.Errorf("%s: noted: %+v", name, o)
		}
		if o := h.Trouble("x\x1b[2J"); o.Exit == exitDecided || o.Exit == exitBlocked || o.Stdout != "" || strings.Contains(o.Stderr, "\x1b") {
			t.Errorf("%s: trouble: %+v", name, o)
		}
	}
}
