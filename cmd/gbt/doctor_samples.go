package main

import (
	"encoding/json"
	"path/filepath"
)

// sampleCall is a call in a host's own shape and what must become of it.
type sampleCall struct {
	name  string
	input string
	want  wanted
}

// samplesFor returns calls for a host's event. They are only ever shown to the
// hook.
func samplesFor(host, event, dir, home string) []sampleCall {
	if home == "" {
		home = "/root"
	}
	secret := filepath.Join(home, ".ssh", "id_rsa")
	inside := filepath.Join(dir, "README.md")
	shell, read := shellTool(host)
	make := func(name string, want wanted, tool, key, value string) sampleCall {
		return sampleCall{name, hostInput(host, event, dir, tool, key, value), want}
	}
	switch event {
	case "beforeShellExecution":
		return []sampleCall{
			make("a dangerous command", wantBlocked, "", "command", "rm -rf /"),
			make("a command that reads a secret", wantStopped, "", "command", "cat "+secret),
			make("a harmless command", wantProceeds, "", "command", "ls"),
		}
	case "beforeMCPExecution":
		return []sampleCall{make("a tool that nobody knows", wantStopped, "frobnicate", "x", "y")}
	case "beforeReadFile":
		return []sampleCall{
			make("a read of a secret", wantBlocked, "", "file_path", secret),
			make("a read in the workspace", wantProceeds, "", "file_path", inside),
		}
	}
	return []sampleCall{
		make("a dangerous command", wantBlocked, shell, "command", "rm -rf /"),
		make("a read of a secret", wantStopped, read, readKey(host), secret),
		make("a tool that nobody knows", wantStopped, "frobnicate", "x", "y"),
		make("a harmless command", wantProceeds, shell, "command", "ls"),
		make("a read in the workspace", wantProceeds, read, readKey(host), inside),
	}
}

// shellTool names a host's tools for commands and for reading files.
func shellTool(host string) (shell, read string) {
	switch host {
	case "gemini":
		return "run_shell_command", "read_file"
	case "cursor":
		return "Shell", "Read"
	case "opencode":
		return "bash", "read"
	case "openhands":
		return "terminal", "file_editor"
	case "codex":
		return "Bash", "read_file"
	}
	return "Bash", "Read"
}

func readKey(host string) string {
	switch host {
	case "opencode":
		return "filePath"
	case "openhands":
		return "path"
	}
	return "file_path"
}

// hostInput writes a call as the host does.
func hostInput(host, event, dir, tool, key, value string) string {
	args := map[string]any{key: value}
	if tool == "file_editor" {
		args["command"] = "view"
	}
	m := map[string]any{
		"hook_event_name": event, "session_id": "gbt-doctor", "cwd": dir, "transcript_path": nil, "permission_mode": "default",
		"model": "gbt-doctor", "tool_use_id": "gbt-doctor", "tool_name": tool, "tool_input": args,
	}
	switch {
	case host == "gemini":
		m = map[string]any{"hook_event_name": event, "session_id": "gbt-doctor", "cwd": dir, "transcript_path": "", "timestamp": "2026-01-01T00:00:00Z", "tool_name": tool, "tool_input": args}
	case host == "opencode":
		m = map[string]any{"event": event, "tool": tool, "args": args, "sessionID": "gbt-doctor", "callID": "gbt-doctor", "directory": dir, "worktree": dir}
	case host == "openhands":
		m = map[string]any{"event_type": event, "tool_name": tool, "tool_input": args, "session_id": "gbt-doctor", "working_dir": dir, "metadata": map[string]any{}}
	case host == "cursor":
		m = map[string]any{"hook_event_name": event, "conversation_id": "gbt-doctor", "generation_id": "gbt-doctor", "cursor_version": "gbt-doctor", "workspace_roots": []string{dir}, "cwd": dir}
		switch event {
		case "preToolUse":
			m["tool_name"], m["tool_input"] = tool, args
		case "beforeMCPExecution":
			m["tool_name"], m["tool_input"] = tool, string(mustJSON(args))
		default:
			m[key] = value
		}
	}
	return string(mustJSON(m))
}

// eventInput is what a host writes after a call ran, or after the user spoke.
func eventInput(host, event, dir string) string {
	before := map[string]string{"cursor": "preToolUse", "gemini": "BeforeTool", "opencode": "tool.execute.before"}[host]
	switch event {
	case "afterShellExecution":
		before = "beforeShellExecution"
	case "afterMCPExecution":
		before = "beforeMCPExecution"
	}
	shell, _ := shellTool(host)
	var m map[string]any
	if err := json.Unmarshal([]byte(hostInput(host, before, dir, shell, "command", "ls")), &m); err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	for _, key := range []string{"hook_event_name", "event_type", "event"} {
		if _, ok := m[key]; ok {
			m[key] = event
		}
	}
	for _, key := range []string{"prompt", "message", "tool_response", "tool_output", "output", "result_json", "error"} {
		m[key] = "gbt-doctor"
	}
	return string(mustJSON(m))
}

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	return b
}
