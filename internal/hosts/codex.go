package hosts

import "strings"

// Codex: https://developers.openai.com/codex/hooks and codex-rs/hooks in its
// source. The protocol is Claude Code's, with these differences.
//
//   - PreToolUse: "ask" is parsed, reported as unsupported, and the call RUNS.
//     So a call that needs consent is blocked. "allow" without updatedInput is
//     invalid output; silence approves.
//   - Exit 2 blocks only if stderr holds a reason.
//   - Keys that Codex does not know make the output invalid, and invalid output
//     lets the call run: hence exit 2, where stdout is not read at all.
//   - PermissionRequest comes when Codex is about to ask the user; silence
//     leaves the question to them.
func codex() Host {
	return Host{
		Name: "codex", Title: "Codex",
		decode: decodeCodex, encode: encodeClaude,
		asks: func(in *Input) bool { return in.Event == eventPermissionRequest },
	}
}

func decodeCodex(f fields) (*Input, error) {
	name, err := f.text("tool_name")
	if err != nil {
		return nil, err
	}
	if raw, ok := f["tool_input"]; ok && string(raw) == "null" && strings.HasPrefix(name, "mcp__") {
		f["tool_input"] = []byte("{}") // an MCP tool that takes no arguments
	}
	return decodeClaude(f)
}
