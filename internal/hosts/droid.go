package hosts

import "strings"

// Droid, of Factory: https://docs.factory.ai/harness/hooks and its hooks reference,
// and trying 0.215.0 with a scripted model (integrations/hosts). The protocol is
// Claude Code's, with these differences.
//
//   - hooks.json has the events as its own keys, with no "hooks" around them, and
//     where it is there the hooks of settings.json beside it are not read.
//   - Exit 2 blocks, and any other code but 0 lets the call run; so does a hook that
//     runs into its time limit.
//   - "ask" is documented as a question to the user; droid exec runs the call, with
//     every level of autonomy, and the input does not say which of the two it is. So
//     what needs consent is blocked.
//   - The shell's tool is Execute, and riskLevel and summary are the model's own words.
var droid = Host{
	Name: "droid", Title: "Droid",
	// Only what succeeded is reported.
	Events: []EventKind{
		{Name: eventPreToolUse},
		{Name: "PostToolUse", Of: eventPreToolUse, Results: []string{"tool_response"}},
		{Name: "UserPromptSubmit", Prompt: "prompt"},
		{Name: eventStop, End: true},
		{Name: eventSubagentStop, End: true, ByHand: true},
	},
	Ends:       claudeEnds(),
	ProjectEnv: "FACTORY_PROJECT_DIR",
	Worded:     []string{"summary", "riskLevel", "riskLevelReason"},
	Limits: []string{
		"a hook that it ends after its time limit lets the call run; there is no setting against it",
		"droid exec runs what a hook asks about, so gbt blocks what needs consent",
		"hooks in settings.json are not read once there is a hooks.json",
	},
	// https://docs.factory.ai: hooks, mcp, custom droids, custom slash commands (which may be programs), skills, plugins
	Loads: Loads{
		Dir:      ".factory",
		Names:    []string{".factory-plugin", "AGENTS.md", "commands", "config.json", "droids", "hooks", "hooks.json", "mcp.json", "memories", "plugins", "rules", "settings.json", "settings.local.json"},
		Bundles:  []string{"skills"},
		Settings: []string{".agent", "/etc/factory", "/Library/Application Support/Factory"},
	},
	Settings: Settings{
		User: ".factory/hooks.json", Project: ".factory/hooks.json", Bare: true, Hides: "settings.json",
		Element: groupedPlain, Elements: readElements, Shell: true,
	},
	Samples: Samples{
		Shell: Tool{Name: "Execute", Key: "command"}, Read: Tool{Name: "Read", Key: "file_path"},
		Call: claudeCall,
	},
	// https://docs.factory.ai (AGENTS.md, custom droids, custom slash commands, skills)
	instructions: []string{".factory/AGENTS.md", ".factory/commands", ".factory/droids"},
	eventKey:     "hook_event_name", sessionKey: "session_id",
	decode: decodeDroid, encode: encodeClaude, read: readDroid,
}

// decodeDroid marks tools of MCP servers, which are called SERVER___TOOL.
func decodeDroid(h *Host, f fields) (*Input, error) {
	in, err := decodeClaude(h, f)
	if err == nil && strings.Contains(in.Call.Tool, "___") && !strings.HasPrefix(in.Call.Tool, "mcp__") {
		in.Call.Tool = h.mcpName(in.Call.Tool)
	}
	return in, err
}

func readDroid(event string, p Process) Outcome {
	if p.Died || p.Exit != exitDecided {
		return blocksIf(!p.Died && p.Exit == exitBlocked)
	}
	r, ok := p.reply()
	s := r.Specific
	return blocksIf(ok && (s.Event == event && s.Decision == "deny" || r.Decision == "block" || r.Continue != nil && !*r.Continue))
}
