package hosts

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// sample is one well-formed input of a host and what it says.
type sample struct {
	host, event, input string
	want               Input
}

func callOf(tool, args string) gates.Request { return gates.Request{Tool: tool, Args: []byte(args)} }

func state(cwd string, roots ...string) gates.State {
	return gates.State{Cwd: cwd, Roots: roots, UID: -1, GID: -1}
}

// samples have every field that the hosts document for the event.
var samples = []sample{
	{"claude-code", "PreToolUse", `{"session_id":"abc","transcript_path":"/t.jsonl","cwd":"/w","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls","description":"list","timeout":1000,"run_in_background":false},"tool_use_id":"toolu_1"}`,
		Input{Call: callOf("Bash", `{"command":"ls","description":"list","timeout":1000,"run_in_background":false}`), State: state("/w"), Event: "PreToolUse", Session: "abc", CallID: "toolu_1", mode: "default"}},
	{"claude-code", "PreToolUse", `{"session_id":"abc","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"mcp__mail__send","tool_input":{"to":"a@b.example"}}`,
		Input{Call: callOf("mcp__mail__send", `{"to":"a@b.example"}`), State: state("/w"), Event: "PreToolUse", Session: "abc"}},
	{"claude-code", "PermissionRequest", `{"session_id":"abc","cwd":"/w","hook_event_name":"PermissionRequest","tool_name":"Write","tool_input":{"file_path":"/w/a","content":"x"}}`,
		Input{Call: callOf("Write", `{"file_path":"/w/a","content":"x"}`), State: state("/w"), Event: "PermissionRequest", Session: "abc"}},
	{"codex", "PreToolUse", `{"session_id":"abc","turn_id":"t","transcript_path":null,"cwd":"/w","hook_event_name":"PreToolUse","model":"m","permission_mode":"default","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** End Patch"},"tool_use_id":"c1"}`,
		Input{Call: callOf("apply_patch", `{"command":"*** Begin Patch\n*** End Patch"}`), State: state("/w"), Event: "PreToolUse", Session: "abc", CallID: "c1", mode: "default"}},
	{"codex", "PreToolUse", `{"session_id":"abc","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"mcp__clock__now","tool_input":null}`,
		Input{Call: callOf("mcp__clock__now", `{}`), State: state("/w"), Event: "PreToolUse", Session: "abc"}},
	{"codex", "PermissionRequest", `{"session_id":"abc","turn_id":"t","cwd":"/w","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"ls","description":"why"}}`,
		Input{Call: callOf("Bash", `{"command":"ls","description":"why"}`), State: state("/w"), Event: "PermissionRequest", Session: "abc"}},
	{"copilot", "PreToolUse", `{"hook_event_name":"PreToolUse","session_id":"abc","timestamp":"2026-11-25T22:05:14.141Z","cwd":"/w","tool_name":"Bash","tool_input":{"command":"ls","description":"list"}}`,
		Input{Call: callOf("Bash", `{"command":"ls","description":"list"}`), State: state("/w"), Event: "PreToolUse", Session: "abc"}},
	{"copilot", "PreToolUse", `{"hook_event_name":"PreToolUse","session_id":"abc","timestamp":"x","cwd":"/w","tool_name":"files-Read","tool_input":{"path":"a"}}`,
		Input{Call: callOf("mcp__copilot__files-Read", `{"path":"a"}`), State: state("/w"), Event: "PreToolUse", Session: "abc"}},
	{"droid", "PreToolUse", `{"session_id":"abc","transcript_path":"/t.jsonl","cwd":"/w","permission_mode":"auto-high","hook_event_name":"PreToolUse","tool_name":"Execute","tool_input":{"command":"ls","riskLevel":"low","riskLevelReason":"lists"}}`,
		Input{Call: callOf("Execute", `{"command":"ls","riskLevel":"low","riskLevelReason":"lists"}`), State: state("/w"), Event: "PreToolUse", Session: "abc", mode: "auto-high"}},
	{"droid", "PreToolUse", `{"session_id":"abc","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"files___Read","tool_input":{"path":"a"}}`,
		Input{Call: callOf("mcp__droid__files___Read", `{"path":"a"}`), State: state("/w"), Event: "PreToolUse", Session: "abc"}},
	{"gemini", "BeforeTool", `{"session_id":"abc","transcript_path":"/t.json","cwd":"/w","hook_event_name":"BeforeTool","timestamp":"2026-01-01T00:00:00Z","tool_name":"run_shell_command","tool_input":{"command":"ls","dir_path":"sub"}}`,
		Input{Call: callOf("run_shell_command", `{"command":"ls","dir_path":"sub"}`), State: state("/w/sub"), Event: "BeforeTool", Session: "abc"}},
	{"gemini", "BeforeTool", `{"session_id":"abc","transcript_path":"/t.json","cwd":"C:\\w\\repo","hook_event_name":"BeforeTool","timestamp":"2026-01-01T00:00:00Z","tool_name":"run_shell_command","tool_input":{"command":"ls","dir_path":"..\\docs"}}`,
		Input{Call: callOf("run_shell_command", `{"command":"ls","dir_path":"..\\docs"}`), State: movedTo(`C:\w\repo`, "C:/w/docs"), Event: "BeforeTool", Session: "abc"}},
	{"gemini", "BeforeTool", `{"session_id":"abc","transcript_path":"/t.json","cwd":"C:\\w\\repo","hook_event_name":"BeforeTool","timestamp":"2026-01-01T00:00:00Z","tool_name":"run_shell_command","tool_input":{"command":"ls","dir_path":"C:\\w\\repo\\..\\..\\x"}}`,
		Input{Call: callOf("run_shell_command", `{"command":"ls","dir_path":"C:\\w\\repo\\..\\..\\x"}`), State: movedTo(`C:\w\repo`, "C:/x"), Event: "BeforeTool", Session: "abc"}},
	{"gemini", "BeforeTool", `{"session_id":"abc","transcript_path":"/t.json","cwd":"C:\\w\\repo","hook_event_name":"BeforeTool","timestamp":"2026-01-01T00:00:00Z","tool_name":"run_shell_command","tool_input":{"command":"ls","dir_path":"\\x"}}`,
		Input{Call: callOf("run_shell_command", `{"command":"ls","dir_path":"\\x"}`), State: movedTo(`C:\w\repo`, "C:/x"), Event: "BeforeTool", Session: "abc"}},
	{"gemini", "BeforeTool", `{"session_id":"abc","transcript_path":"/t.json","cwd":"C:\\w\\repo","hook_event_name":"BeforeTool","timestamp":"2026-01-01T00:00:00Z","tool_name":"run_shell_command","tool_input":{"command":"ls","dir_path":"\\\\evil\\share\\.."}}`,
		Input{Call: callOf("run_shell_command", `{"command":"ls","dir_path":"\\\\evil\\share\\.."}`), State: movedTo(`C:\w\repo`, "//evil"), Event: "BeforeTool", Session: "abc"}},
	{"gemini", "BeforeTool", `{"session_id":"abc","transcript_path":"/t.json","cwd":"C:/w/repo","hook_event_name":"BeforeTool","timestamp":"2026-01-01T00:00:00Z","tool_name":"run_shell_command","tool_input":{"command":"ls","dir_path":"sub/x"}}`,
		Input{Call: callOf("run_shell_command", `{"command":"ls","dir_path":"sub/x"}`), State: movedTo(`C:/w/repo`, "C:/w/repo/sub/x"), Event: "BeforeTool", Session: "abc"}},
	{"gemini", "BeforeTool", `{"session_id":"abc","transcript_path":"/t.json","cwd":"C:\\w\\repo","hook_event_name":"BeforeTool","timestamp":"2026-01-01T00:00:00Z","tool_name":"run_shell_command","tool_input":{"command":"ls","dir_path":"D:x"}}`,
		Input{Call: callOf("run_shell_command", `{"command":"ls","dir_path":"D:x"}`), State: movedTo(`C:\w\repo`, "D:/"), Event: "BeforeTool", Session: "abc"}},
	{"gemini", "BeforeTool", `{"session_id":"abc","cwd":"/w","hook_event_name":"BeforeTool","timestamp":"x","tool_name":"read_file","tool_input":{},"mcp_context":{"server_name":"s","tool_name":"read_file"}}`,
		Input{Call: callOf("mcp__gemini__read_file", `{}`), State: state("/w"), Event: "BeforeTool", Session: "abc"}},
	{"cursor", "beforeShellExecution", `{"conversation_id":"c","generation_id":"g","model":"m","hook_event_name":"beforeShellExecution","cursor_version":"3.9","workspace_roots":["/w","/v"],"user_email":"a@b.example","command":"ls","cwd":""}`,
		Input{Call: callOf("bash", `{"command":"ls"}`), State: state("/w", "/w", "/v"), Event: "beforeShellExecution", Session: "c", CallID: cursorID("Shell", "ls")}},
	{"cursor", "beforeMCPExecution", `{"conversation_id":"c","hook_event_name":"beforeMCPExecution","workspace_roots":["/w"],"tool_name":"read_file","tool_input":"{\"path\":\"a\"}","url":"https://m.example"}`,
		Input{Call: callOf("mcp__cursor__read_file", `{"path":"a"}`), State: state("/w", "/w"), Event: "beforeMCPExecution", Session: "c", CallID: cursorID("read_file", `{"path":"a"}`)}},
	{"cursor", "beforeReadFile", `{"conversation_id":"c","hook_event_name":"beforeReadFile","workspace_roots":["/w"],"file_path":"/w/a","content":"x"}`,
		Input{Call: callOf("read_file", `{"file_path":"/w/a"}`), State: state("/w", "/w"), Event: "beforeReadFile", Session: "c"}},
	{"cursor", "preToolUse", `{"conversation_id":"c","hook_event_name":"preToolUse","workspace_roots":["/w"],"cwd":"/w/x","tool_name":"Shell","tool_input":{"command":"ls","working_directory":"/v"},"tool_use_id":"t"}`,
		Input{Call: callOf("Shell", `{"command":"ls","working_directory":"/v"}`), State: state("/v", "/w"), Event: "preToolUse", Session: "c", Elsewhere: true, CallID: cursorID("Shell", "ls")}},
	{"cursor", "preToolUse", `{"conversation_id":"c","hook_event_name":"preToolUse","workspace_roots":["/w"],"tool_name":"MCP:read_file","tool_input":{"path":"a"}}`,
		Input{Call: callOf("mcp__cursor__read_file", `{"path":"a"}`), State: state("/w", "/w"), Event: "preToolUse", Session: "c", Elsewhere: true, CallID: cursorID("read_file", `{"path":"a"}`)}},
	{"cursor", "preToolUse", `{"conversation_id":"c","hook_event_name":"preToolUse","workspace_roots":["/w"],"tool_name":"create_plan","tool_input":{"name":"rm x"}}`,
		Input{Call: callOf("update_plan", `{"name":"rm x"}`), State: state("/w", "/w"), Event: "preToolUse", Session: "c"}},
	{"cursor", "preToolUse", `{"conversation_id":"c","hook_event_name":"preToolUse","workspace_roots":["/w"],"tool_name":"MCP:create_plan","tool_input":{"name":"a"}}`,
		Input{Call: callOf("mcp__cursor__create_plan", `{"name":"a"}`), State: state("/w", "/w"), Event: "preToolUse", Session: "c", Elsewhere: true, CallID: cursorID("create_plan", `{"name":"a"}`)}},
	{"opencode", "tool.execute.before", `{"event":"tool.execute.before","tool":"write","args":{"filePath":"/w/a","content":"x"},"sessionID":"s","callID":"c","directory":"/w/d","worktree":"/w"}`,
		Input{Call: callOf("write", `{"filePath":"/w/a","content":"x"}`), State: state("/w/d", "/w"), Event: "tool.execute.before", Session: "s"}},
	{"openhands", "PreToolUse", `{"event_type":"PreToolUse","tool_name":"terminal","tool_input":{"command":"ls"},"tool_output":null,"message":null,"session_id":"s","working_dir":"/w","metadata":{}}`,
		Input{Call: callOf("terminal", `{"command":"ls"}`), State: state("/w"), Event: "PreToolUse", Session: "s"}},
}

func host(t testing.TB, name string) Host {
	t.Helper()
	h, ok := Lookup(name)
	if !ok || h.Name != name {
		t.Fatalf("no host %s", name)
	}
	return h
}

// movedTo is the state of a call in another directory than the host's.
func movedTo(root, cwd string) gates.State {
	s := state(cwd)
	s.Roots = []string{root}
	return s
}

func TestDecode(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range samples {
		seen[s.host] = true
		in, err := host(t, s.host).Decode([]byte(s.input))
		if err != nil {
			t.Errorf("%s %s: %v", s.host, s.event, err)
			continue
		}
		if !reflect.DeepEqual(*in, s.want) {
			t.Errorf("%s %s:\n got %+v\nwant %+v", s.host, s.event, *in, s.want)
		}
	}
	for _, n := range Names() {
		if !seen[n] {
			t.Errorf("no sample for %s", n)
		}
	}
}

// with returns a sample's input with one field replaced; null removes it.
func with(t *testing.T, input, key string, value any) string {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(input), &m); err != nil {
		t.Fatal(err)
	}
	if m[key] = value; value == nil {
		delete(m, key)
	}
	b, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// toolFields are the fields without which there is no call, by event.
var toolFields = map[string][]string{
	"PreToolUse": {"tool_name", "tool_input"}, "PermissionRequest": {"tool_name", "tool_input"}, "BeforeTool": {"tool_name", "tool_input"},
	"beforeShellExecution": {"command"}, "beforeMCPExecution": {"tool_name", "tool_input"}, "beforeReadFile": {"file_path"},
	"preToolUse": {"tool_name", "tool_input"}, "tool.execute.before": {"tool", "args"},
}

// TestRefusesWhatIsNotACall replaces each field that matters by everything it
// must not be.
func TestRefusesWhatIsNotACall(t *testing.T) {
	n := 0
	for _, s := range samples {
		h, fields := host(t, s.host), toolFields[s.event]
		if len(fields) == 0 {
			t.Fatalf("no fields for %s", s.event)
		}
		for _, key := range append([]string{h.eventKey}, fields...) {
			for _, v := range []any{nil, []any{}, []any{"x"}, 7.0, true, ""} {
				if key == "tool_input" && (s.event == "beforeMCPExecution" || s.event == "preToolUse") && v == "" {
					continue // an MCP tool that takes no arguments
				}
				if s.host == "codex" && key == "tool_input" && v == nil {
					continue
				}
				if in, err := h.Decode([]byte(with(t, s.input, key, v))); err == nil {
					t.Errorf("%s %s: %s = %v is read as %+v", s.host, s.event, key, v, in)
				}
				n++
			}
		}
		for _, event := range []string{"PostToolUse", "Stop", "pretooluse", "x"} {
			if _, err := h.Decode([]byte(with(t, s.input, h.eventKey, event))); err == nil {
				t.Errorf("%s: event %s is decided", s.host, event)
			}
		}
		for _, key := range []string{"cwd", "session_id", "conversation_id", "workspace_roots", "working_dir", "directory", "worktree", "sessionID"} {
			if !strings.Contains(s.input, `"`+key+`"`) {
				continue
			}
			if _, err := h.Decode([]byte(with(t, s.input, key, map[string]any{}))); err == nil {
				t.Errorf("%s %s: %s may be an object", s.host, s.event, key)
			}
			if _, err := h.Decode([]byte(with(t, s.input, key, nil))); err != nil {
				t.Errorf("%s %s: without %s: %v", s.host, s.event, key, err)
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d replacements tried", n)
	}
}

func TestRefusesMalformedInput(t *testing.T) {
	for _, h := range Names() {
		i := slices.IndexFunc(samples, func(s sample) bool { return s.host == h })
		if i < 0 {
			continue // TestDecode says so
		}
		good := samples[i].input
		cases := map[string]string{
			"input/empty":     " \n\t",
			"input/json":      good[:len(good)-1],
			"input/duplicate": `{"tool_name":"Bash",` + good[1:len(good)-1] + `,"tool_name":"Bash"}`,
			"input/utf-8":     good[:len(good)-2] + "\xff" + good[len(good)-2:],
			"input/json ":     good + "\n{}",
			"input/shape":     "[" + good + "]",
			"input/depth":     `{"a":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "," + good[1:],
			"input/too-large": `{"a":"` + strings.Repeat("x", MaxInput) + `",` + good[1:],
		}
		for code, data := range cases {
			_, err := host(t, h).Decode([]byte(data))
			if e, ok := err.(*InputError); !ok || e.Code != strings.TrimSpace(code) {
				t.Errorf("%s: %s: got %v", h, code, err)
			}
		}
		for _, data := range []string{good + good, good + " x", "null", `"x"`, "7", "{}", "\ufeff" + good} {
			if _, err := host(t, h).Decode([]byte(data)); err == nil {
				t.Errorf("%s: %.40q is read", h, data)
			}
		}
	}
}

func decision(d gates.Disposition) *gates.Decision {
	dec := &gates.Decision{Disposition: d, Would: d}
	if d != gates.Approved {
		dec.Reasons = []gates.Reason{{Rule: "family/case", Disposition: d, Effect: -1, Message: "does\x1b[2J it\u202e. Do that."}}
	}
	return dec
}

// TestEncode holds every answer to the exact bytes.
func TestEncode(t *testing.T) {
	const why = "gbt: blocked. does?[2J it?. Do that. [family/case]"
	const redo = "gbt: blocked as it is written; revise it. does?[2J it?. Do that. [family/case]"
	const asking = "gbt asks for your consent. Does?[2J it?. Do that. [family/case]"
	const asked = "gbt asks the user about it. does?[2J it?. Do that. [family/case]"
	noAsk := func(h string) string {
		return "gbt: blocked, because this call needs the user's consent and " + h + " cannot ask for it here. Do not retry it in another form: say what you need and why, and let the user run it or allow it. does?[2J it?. Do that. [family/case]"
	}
	claude := func(d, r string) string {
		return `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"` + d + `","permissionDecisionReason":"` + r + `"}}` + "\n"
	}
	own := func(r, disp string) string {
		return `{"decision":"deny","reason":"` + r + `","disposition":"` + disp + `"}` + "\n"
	}
	flat := func(p, r string) string {
		return `{"permission":"` + p + `","user_message":"` + r + `","agent_message":"` + r + `"}` + "\n"
	}
	both := func(p, person, agent string) string {
		return `{"permission":"` + p + `","user_message":"` + person + `","agent_message":"` + agent + `"}` + "\n"
	}
	request := func(r string) string {
		return `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"` + r + `"}}}` + "\n"
	}
	const approved, consent, revise, rejected = gates.Approved, gates.ApprovedWithConstraints, gates.RevisionRequired, gates.Rejected
	tests := []struct {
		host, event string
		d           gates.Disposition
		want        Output
	}{
		{"claude-code", "PreToolUse", approved, Output{}},
		{"claude-code", "PreToolUse", consent, Output{Stdout: claude("ask", asking)}},
		{"claude-code", "PreToolUse", revise, Output{claude("deny", redo), redo + "\n", 2}},
		{"claude-code", "PreToolUse", rejected, Output{claude("deny", why), why + "\n", 2}},
		{"claude-code", "PermissionRequest", approved, Output{}},
		{"claude-code", "PermissionRequest", consent, Output{}},
		{"claude-code", "PermissionRequest", rejected, Output{request(why), why + "\n", 2}},
		{"codex", "PreToolUse", approved, Output{}},
		{"codex", "PreToolUse", consent, Output{claude("deny", noAsk("Codex")), noAsk("Codex") + "\n", 2}},
		{"codex", "PreToolUse", rejected, Output{claude("deny", why), why + "\n", 2}},
		{"codex", "PermissionRequest", consent, Output{}},
		{"codex", "PermissionRequest", rejected, Output{request(why), why + "\n", 2}},
		{"copilot", "PreToolUse", approved, Output{}},
		{"copilot", "PreToolUse", consent, Output{Stdout: `{"permissionDecision":"ask","permissionDecisionReason":"` + asking + "\"}\n"}},
		{"copilot", "PreToolUse", rejected, Output{Stdout: `{"permissionDecision":"deny","permissionDecisionReason":"` + why + "\"}\n"}},
		{"droid", "PreToolUse", approved, Output{}},
		{"droid", "PreToolUse", consent, Output{claude("deny", noAsk("Droid")), noAsk("Droid") + "\n", 2}},
		{"droid", "PreToolUse", rejected, Output{claude("deny", why), why + "\n", 2}},
		{"gemini", "BeforeTool", approved, Output{Stdout: "{}\n"}},
		{"gemini", "BeforeTool", consent, Output{`{"decision":"deny","reason":"` + noAsk("Gemini CLI") + "\"}\n", noAsk("Gemini CLI") + "\n", 2}},
		{"gemini", "BeforeTool", rejected, Output{`{"decision":"deny","reason":"` + why + "\"}\n", why + "\n", 2}},
		{"cursor", "beforeShellExecution", approved, Output{Stdout: `{"permission":"allow"}` + "\n"}},
		{"cursor", "beforeShellExecution", consent, Output{Stdout: both("ask", asking, asked)}},
		{"cursor", "beforeMCPExecution", consent, Output{Stdout: both("ask", asking, asked)}},
		{"cursor", "beforeReadFile", consent, Output{Stdout: flat("deny", noAsk("Cursor"))}},
		{"cursor", "preToolUse", consent, Output{Stdout: flat("deny", noAsk("Cursor"))}},
		{"cursor", "preToolUse", rejected, Output{Stdout: flat("deny", why)}},
		{"opencode", "tool.execute.before", approved, Output{Stdout: `{"decision":"allow","disposition":"approved"}` + "\n"}},
		{"opencode", "tool.execute.before", consent, Output{own(noAsk("opencode"), "approved_with_constraints"), noAsk("opencode") + "\n", 2}},
		{"openhands", "PreToolUse", approved, Output{Stdout: `{"decision":"allow","disposition":"approved"}` + "\n"}},
		{"openhands", "PreToolUse", consent, Output{own(noAsk("OpenHands"), "approved_with_constraints"), noAsk("OpenHands") + "\n", 2}},
		{"openhands", "PreToolUse", rejected, Output{own(why, "rejected"), why + "\n", 2}},
	}
	for _, tt := range tests {
		got := host(t, tt.host).Encode(&Input{Event: tt.event}, nil, decision(tt.d))
		if got != tt.want {
			t.Errorf("%s %s %v:\n got %+v\nwant %+v", tt.host, tt.event, tt.d, got, tt.want)
		}
	}
}

// TestClaudeModes holds that consent is only left to Claude Code where it asks
// for it, and that what is decided is not moved by the mode.
func TestClaudeModes(t *testing.T) {
	h := host(t, "claude-code")
	for mode, asks := range map[string]bool{
		`"default"`: true, `"plan"`: true, `"acceptEdits"`: true, `"dontAsk"`: true, `null`: true, `""`: true,
		`"bypassPermissions"`: false, `"auto"`: false, `"Default"`: false,
	} {
		in, err := h.Decode([]byte(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"permission_mode":` + mode + `}`))
		if err != nil {
			t.Fatal(err)
		}
		for d, want := range map[gates.Disposition]Outcome{
			gates.Approved: Proceeds, gates.ApprovedWithConstraints: Blocks, gates.RevisionRequired: Blocks, gates.Rejected: Blocks,
		} {
			if d == gates.ApprovedWithConstraints && asks {
				want = Asks
			}
			out := h.Encode(in, nil, decision(d))
			if got := h.Reading("PreToolUse", Process{Stdout: out.Stdout, Stderr: out.Stderr, Exit: out.Exit}); got != want || h.CanAsk(in) != asks {
				t.Errorf("mode %s, %v: %v, can ask %v", mode, d, got, h.CanAsk(in))
			}
		}
	}
	if _, err := h.Decode([]byte(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{},"permission_mode":["default"]}`)); err == nil {
		t.Error("a mode that is no text is taken")
	}
}

// TestAnswersAreReadAsMeant holds each answer against what the host makes of
// it, which Reading knows from another source.
func TestAnswersAreReadAsMeant(t *testing.T) {
	for _, s := range samples {
		h := host(t, s.host)
		in, err := h.Decode([]byte(s.input))
		if err != nil {
			t.Fatal(err)
		}
		for d := gates.Rejected; d <= gates.Approved; d++ {
			want := Blocks
			switch {
			case d >= gates.ApprovedWithConstraints && s.event == "PermissionRequest":
				want = Asks // as the host was about to
			case d == gates.Approved:
				want = Proceeds
			case d == gates.ApprovedWithConstraints && h.CanAsk(in):
				want = Asks
			}
			for _, closed := range []bool{false, true} {
				out := h.Encode(in, nil, decision(d))
				got := h.Reading(s.event, Process{Stdout: out.Stdout, Stderr: out.Stderr, Exit: out.Exit, FailClosed: closed})
				if got != want {
					t.Errorf("%s %s %v: the host %v, want %v", s.host, s.event, d, got, want)
				}
			}
		}
		out := h.Refuse("nothing \x07 to read")
		if got := h.Reading(s.event, Process{Stdout: out.Stdout, Stderr: out.Stderr, Exit: out.Exit}); got != Blocks {
			t.Errorf("%s %s: a refusal is read as %v", s.host, s.event, got)
		}
		if strings.Contains(out.Stderr+out.Stdout, "\x07") {
			t.Errorf("%s: a control character reaches the terminal", s.host)
		}
		if got := h.Reading(s.event, Process{Died: true, FailClosed: true}); (s.host == "claude-code" || s.host == "cursor" || s.host == "opencode") != (got == Blocks) {
			t.Errorf("%s: a killed hook is read as %v", s.host, got)
		}
	}
}

// TestReading is what hosts do with answers that are not ours.
func TestReading(t *testing.T) {
	deny := `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r"}}`
	askFor := strings.Replace(deny, "deny", "ask", 1)
	tests := []struct {
		host, event string
		p           Process
		want        Outcome
	}{
		{"claude-code", "PreToolUse", Process{Stdout: deny}, Blocks},
		{"claude-code", "PreToolUse", Process{Stdout: askFor}, Asks},
		{"claude-code", "PreToolUse", Process{Stdout: `{"permissionDecision":"deny"}`}, Proceeds},
		{"claude-code", "PreToolUse", Process{Stdout: `{"hookSpecificOutput":{"permissionDecision":"deny"}}`}, Proceeds},
		{"claude-code", "PreToolUse", Process{Stdout: deny, Exit: 1}, Proceeds},
		{"claude-code", "PreToolUse", Process{Exit: 1, FailClosed: true}, Blocks},
		{"claude-code", "PreToolUse", Process{Died: true}, Proceeds},
		{"codex", "PreToolUse", Process{Stdout: deny}, Blocks},
		{"codex", "PreToolUse", Process{Stdout: askFor}, Proceeds},
		{"codex", "PreToolUse", Process{Exit: 2}, Proceeds},
		{"codex", "PreToolUse", Process{Exit: 2, Stderr: "r"}, Blocks},
		{"codex", "PreToolUse", Process{Stdout: deny[:len(deny)-1] + `,"x":1}`}, Proceeds},
		{"codex", "PreToolUse", Process{Stdout: `{"decision":"block","reason":"r"}`}, Blocks},
		{"copilot", "PreToolUse", Process{Stdout: `{"permissionDecision":"deny"}`}, Blocks},
		{"copilot", "PreToolUse", Process{Stdout: deny}, Blocks},
		{"copilot", "PreToolUse", Process{Stdout: `{"permissionDecision":"ask"}`}, Asks},
		{"copilot", "PreToolUse", Process{Stdout: "denied"}, Proceeds},
		{"copilot", "PreToolUse", Process{Exit: 2, Stderr: "r"}, Proceeds},
		{"droid", "PreToolUse", Process{Stdout: deny}, Blocks},
		{"droid", "PreToolUse", Process{Stdout: askFor}, Proceeds},
		{"droid", "PreToolUse", Process{Exit: 2}, Blocks},
		{"droid", "PreToolUse", Process{Exit: 1, Stderr: "r"}, Proceeds},
		{"droid", "PreToolUse", Process{Died: true, Exit: 2}, Proceeds},
		{"gemini", "BeforeTool", Process{Stdout: `{"decision":"deny"}`}, Blocks},
		{"gemini", "BeforeTool", Process{Stdout: `{"decision":"ask"}`}, Proceeds},
		{"gemini", "BeforeTool", Process{Stdout: "denied"}, Proceeds},
		{"gemini", "BeforeTool", Process{Exit: 2}, Proceeds},
		{"gemini", "BeforeTool", Process{Exit: 1, Stderr: "r"}, Proceeds},
		{"cursor", "preToolUse", Process{}, Proceeds},
		{"cursor", "preToolUse", Process{FailClosed: true}, Blocks},
		{"cursor", "preToolUse", Process{Stdout: `{"permission":"ask"}`}, Proceeds},
		{"cursor", "beforeShellExecution", Process{Stdout: `{"permission":"ask"}`}, Asks},
		{"cursor", "beforeShellExecution", Process{Stdout: "x", Exit: 2}, Blocks},
		{"cursor", "beforeShellExecution", Process{Died: true, Exit: 2}, Proceeds},
		{"opencode", "tool.execute.before", Process{}, Blocks},
		{"opencode", "tool.execute.before", Process{Stdout: `{"decision":"allow"}`, Exit: 1}, Blocks},
		{"openhands", "PreToolUse", Process{Stdout: `{"decision":"deny"}`}, Blocks},
		{"openhands", "PreToolUse", Process{Exit: 1}, Proceeds},
	}
	for _, tt := range tests {
		if got := host(t, tt.host).Reading(tt.event, tt.p); got != tt.want {
			t.Errorf("%s %+v: %v, want %v", tt.host, tt.p, got, tt.want)
		}
	}
}

// TestReasons: the strictest first, none twice, of bounded length.
func TestReasons(t *testing.T) {
	d := &gates.Decision{Disposition: gates.Rejected}
	for range 3 {
		d.Reasons = append(d.Reasons,
			gates.Reason{Rule: "b/c", Disposition: gates.ApprovedWithConstraints, Message: "weak."},
			gates.Reason{Rule: "a/b", Disposition: gates.Rejected, Message: "strong " + strings.Repeat("é", 2000) + "."})
	}
	_, got := host(t, "gemini").explain(&Input{}, nil, d, block)
	if !strings.HasPrefix(got, "gbt: blocked. strong éé") || len(got) > 500 || !strings.HasSuffix(got, "é…. [a/b] weak. [b/c]") {
		t.Errorf("got %q", got)
	}
	d.Reasons[1].Message = "strong."
	d.Reasons = d.Reasons[:4]
	d.Reasons[3].Message = "strong."
	want := "gbt: blocked. strong. [a/b] weak. [b/c]"
	if _, got := host(t, "gemini").explain(&Input{}, nil, d, block); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestUnknownHost(t *testing.T) {
	if h, ok := Lookup("emacs"); ok || h.Name != "" {
		t.Error("emacs is a host")
	}
	if !slices.IsSorted(Names()) {
		t.Error("names are not sorted")
	}
}
