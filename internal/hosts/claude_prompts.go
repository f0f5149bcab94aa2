package hosts

// claudePrompts are the questions of Claude Code's own dialog, whose event
// PermissionRequest comes after PreToolUse and just before the dialog, without the id of
// the call (https://code.claude.com/docs/en/hooks; seen in 2.1.197). Of the tools
// (.../docs/en/tools-reference) those may be answered that run commands, read and fetch,
// with the arguments that the reference gives them. Left out on purpose:
//
//   - AskUserQuestion, EnterPlanMode and ExitPlanMode are questions to the user;
//   - Edit, Write and NotebookEdit are decided by the mode acceptEdits;
//   - dangerouslyDisableSandbox takes a command out of the host's sandbox;
//   - tools of MCP servers, whose names are all that the hook is told;
//   - the modes plan, dontAsk, auto and bypassPermissions: who chose one of them said
//     what is to become of calls that need a permission.
//
// The dialog's suggestions (permission_suggestions) are rules for the host's settings,
// such as Bash(git commit *). None is ever taken: gbt judges each call by what it does,
// and such a rule is about text and would let the next call pass unseen.
var claudePrompts = Prompts{
	Event: eventPermissionRequest,
	Tools: map[string][]string{
		"Bash":     {"command", "description", "timeout", "run_in_background"},
		"Read":     {"file_path", "offset", "limit", "pages"},
		"Grep":     {"pattern", "path", "glob", "type", "output_mode", "-A", "-B", "-C", "-i", "-n", "-o", "context", "head_limit", "offset", "multiline"},
		"Glob":     {"pattern", "path"},
		"LS":       {"path", "ignore"},
		"WebFetch": {"url", "prompt"},
	},
	Modes: []PromptMode{{Name: "default"}, {Name: "acceptEdits", Edits: true}},
	Choices: Choices{
		HomeEnv: "CLAUDE_CONFIG_DIR", Home: ".claude", User: []string{"settings.json"},
		Project: []string{".claude/settings.json", ".claude/settings.local.json"},
		Managed: map[string]string{
			"linux": "/etc/claude-code", "darwin": "/Library/Application Support/ClaudeCode", "windows": `C:\Program Files\ClaudeCode`,
		},
		ManagedFiles: []string{"managed-settings.json", "managed-settings.d/*.json"},
	},
}
