package hosts

import "testing"

// TestShellOfWindows: a host that calls its shell's tool Bash on Windows, and runs there what the
// system has, says no shell. Claude Code's Bash is one there, too.
func TestShellOfWindows(t *testing.T) {
	for _, c := range []struct{ host, event, cwd, want string }{
		{"cursor", eventBeforeShell, `C:\\w\\p`, "run_terminal_cmd"},
		{"cursor", eventBeforeShell, `c:/w/p`, "run_terminal_cmd"},
		{"cursor", eventBeforeShell, `/c:/w/p`, "run_terminal_cmd"},
		{"cursor", eventBeforeShell, `/home/me/p`, "bash"},
		{"cursor", eventBeforeShell, `/c/w/p`, "bash"},
		{"codex", eventPreToolUse, `C:\\w\\p`, "run_terminal_cmd"},
		{"codex", eventPreToolUse, `/w/p`, "Bash"},
		{"copilot", eventPreToolUse, `C:\\w\\p`, "run_terminal_cmd"},
		{"claude-code", eventPreToolUse, `C:\\w\\p`, "Bash"},
	} {
		h, _ := Lookup(c.host)
		in, err := h.Decode([]byte(`{"hook_event_name":"` + c.event + `","session_id":"s","conversation_id":"s","cwd":"` + c.cwd + `","command":"ls","tool_name":"Bash","tool_input":{"command":"ls"}}`))
		if err != nil || in.Call.Tool != c.want {
			t.Errorf("%s in %s: %v %+v", c.host, c.cwd, err, in)
		}
	}
}
