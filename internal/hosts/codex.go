package hosts

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

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
//     leaves the question to them. It also comes when a call was stopped by the
//     sandbox and should run again without it, or wants another host on the
//     network, and the input does not say which (core/src/tools/orchestrator.rs):
//     to say yes there would be to let a call out of a sandbox that saw something
//     which gbt did not. So gbt never answers it with yes.
var codex = Host{
	Name: "codex", Title: "Codex",
	// Only what succeeded is reported. There is also an event for messages of the
	// user's, but it comes for those of an agent to its subagents as well.
	Events: []EventKind{
		{Name: eventPreToolUse},
		{Name: eventPermissionRequest, Asks: true, ByHand: true},
		{Name: "PostToolUse", Of: eventPreToolUse, Results: []string{"tool_response"}},
		{Name: eventStop, End: true},
		{Name: eventSubagentStop, End: true, ByHand: true},
	},
	Unanswered: "Codex asks in the same words whether a call may run and whether one that its sandbox stopped may run without it, so a yes of gbt's could let a call out of the sandbox",
	Ends:       codexEnds(),
	Limits: []string{
		"a hook that it ends after its time limit lets the call run; there is no setting against it",
		"a hook's ask is not supported and runs the call, so gbt blocks what needs consent",
		"a hook runs only after the user has trusted it (/hooks), and again after each change of its settings",
		"tools without hook events (the plan tool, web search) are not put before the hook",
		"[features] hooks = false in config.toml turns hooks off",
	},
	// https://developers.openai.com/codex: config-reference, hooks, skills, custom prompts, rules, local environments
	Loads: Loads{
		Dir:      ".codex",
		Names:    []string{"AGENTS.md", "AGENTS.override.md", "agents", "config.toml", "environments", "hooks", "hooks.json", "plugins", "prompts", "rules", "setup.sh", "themes"},
		Bundles:  []string{"skills"},
		HomeEnv:  []string{"CODEX_HOME"},
		Settings: []string{".agents", "~/.agents", "/etc/codex"},
	},
	Settings: Settings{
		User: ".codex/hooks.json", Project: ".codex/hooks.json",
		Element: groupedPlain, Elements: readElements, Shell: true,
	},
	Trust: &Trust{
		Hint: "Codex runs no hook before you trust it: start codex and choose /hooks",
		Env:  "CODEX_HOME", Dir: ".codex", File: "config.toml",
		Noted: codexNoted, Missing: codexMissing,
	},
	Samples: Samples{
		Shell: Tool{Name: "Bash", Key: "command"}, Read: Tool{Name: "read_file", Key: "file_path"},
		Call: claudeCall,
	},
	// https://developers.openai.com/codex (AGENTS.md, custom prompts, skills)
	instructions: []string{".codex/AGENTS.md", ".codex/AGENTS.override.md", ".codex/agents", ".codex/prompts"},
	eventKey:     "hook_event_name", sessionKey: "session_id",
	decode: decodeCodex, encode: encodeClaude, read: readCodex,
}

// codexEnds is Claude Code's form (codex-rs/hooks/src/events/stop.rs), with turns that have
// an id.
func codexEnds() *Ends {
	e := claudeEnds()
	e.Turn = "turn_id"
	return e
}

func decodeCodex(h *Host, f fields) (*Input, error) {
	name, err := f.text("tool_name")
	if err != nil {
		return nil, err
	}
	if raw, ok := f["tool_input"]; ok && string(raw) == "null" && strings.HasPrefix(name, "mcp__") {
		f["tool_input"] = []byte("{}") // an MCP tool that takes no arguments
	}
	in, err := decodeClaude(h, f)
	if err == nil {
		in.shellOf()
	}
	return in, err
}

// codexKeys are the keys that Codex's output schema has; any other makes the
// output invalid.
var codexKeys = [...]string{"continue", "decision", "hookSpecificOutput", "reason", "stopReason", "suppressOutput", "systemMessage"}

func readCodex(event string, p Process) Outcome {
	p.FailClosed = false // it has no such setting
	switch {
	case event == eventPermissionRequest && (p.Exit != exitBlocked || p.Died):
		return readRequest(event, p)
	case p.Died:
		return Proceeds
	case p.Exit == exitBlocked:
		return blocksIf(strings.TrimSpace(p.Stderr) != "")
	case p.Exit != exitDecided:
		return Proceeds
	}
	var top map[string]json.RawMessage
	if json.Unmarshal(bytes.TrimSpace([]byte(p.Stdout)), &top) != nil {
		return Proceeds
	}
	for k := range top {
		if !slices.Contains(codexKeys[:], k) {
			return Proceeds
		}
	}
	r, ok := p.reply()
	s := r.Specific
	return blocksIf(ok && (s.Event == event && s.Decision == "deny" && s.Reason != "" || r.Decision == "block" && r.Reason != ""))
}

// codexNoted says whether Codex was told to trust the hooks of a file: it runs
// none of them before, and says nothing. It notes trust in its config.toml as
// [hooks.state."FILE:EVENT:GROUP:INDEX"] with a trusted_hash (seen in 0.169.0).
// Whether the hook is still the one that was trusted, only Codex knows.
func codexNoted(text, settings string) bool {
	return strings.Contains(text, `[hooks.state."`+settings+":pre_tool_use:")
}

func codexMissing(settings, noted string) string {
	return "Codex runs no hook of " + settings + " before you trust it, and " + noted + " notes no trust: start codex there and choose /hooks"
}
