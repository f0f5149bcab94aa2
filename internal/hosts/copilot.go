package hosts

import "strings"

// GitHub Copilot CLI: https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference,
// and trying 1.0.102 with a scripted model (integrations/hosts).
//
//   - An event whose name is written as Claude Code writes it comes with that
//     host's field names, and with its names of tools (Bash, Read, Write) over
//     Copilot's own arguments (path, file_text). Written in Copilot's own way the
//     input does not say which event it is.
//   - Exit 0 makes it read stdout as JSON: a deny blocks and its reason reaches
//     the agent; an ask reaches the user and, where nobody can be asked (-p), is a
//     No. Silence, and text that is no JSON, leave the call to Copilot's own rules.
//   - The documentation says that a hook which fails is skipped. 1.0.102 blocks
//     for any exit code but 0, and the reason is lost; a hook that runs into its
//     time limit lets the call run. So a block is exit 0 with a deny, which every
//     version reads, and the command line says a deny where the hook can't.
//   - Tools of MCP servers are called SERVER-TOOL.
var copilot = Host{
	Name: "copilot", Title: "GitHub Copilot CLI",
	Events: []EventKind{
		{Name: eventPreToolUse, Asks: true},
		{Name: "PostToolUse", Of: eventPreToolUse, Results: []string{"tool_result"}},
		{Name: "PostToolUseFailure", Of: eventPreToolUse, Results: []string{"error"}},
		{Name: "UserPromptSubmit", Prompt: "prompt"},
		{Name: eventStop, End: true},
		{Name: eventSubagentStop, End: true, ByHand: true},
	},
	Reports:  true,
	Ends:     silentEnds(), // the reason is the agent's next prompt; exit 2 is a warning alone
	ShellEnv: "COPILOT_CLI",
	Worded:   []string{"description"},
	Limits: []string{
		"a hook that it ends after its time limit lets the call run; there is no setting against it",
		"a project's hooks run only in a folder that the user has trusted",
		"without a terminal (-p) it answers a question with No: let a person work in a terminal, or allow the call by a rule",
		"on Windows the command line that gbt writes is not started",
	},
	// https://docs.github.com/en/copilot/reference/copilot-cli-reference (config directory, hooks, plugins)
	Loads: Loads{
		Dir: ".copilot",
		Names: []string{
			"agents", "config.json", "copilot-instructions.md", "extensions", "hooks", "hooks.json", "installed-plugins", "instructions", "lsp-config.json", "mcp-config.json", "permissions-config.json", "settings.json",
		},
		Bundles:  []string{"skills"},
		HomeEnv:  []string{"COPILOT_HOME", "COPILOT_CONFIG_DIR"},
		Settings: []string{".github/agents", ".github/copilot", ".github/extensions", ".github/hooks", ".github/lsp.json", ".github/mcp.json", ".github/plugin", ".github/prompts", ".github/skills", ".vscode"},
	},
	Settings: Settings{
		User: ".copilot/hooks/gbt.json", Project: ".github/hooks/gbt.json", Skeleton: "{\n  \"version\": 1\n}\n",
		Element: copilotElement, Elements: copilotElements, Shell: true, Else: copilotElse,
	},
	Samples: Samples{
		Shell: Tool{Name: "Bash", Key: "command"}, Read: Tool{Name: "Read", Key: "path"},
		Call: copilotCall,
	},
	// https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-config-dir-reference
	instructions: []string{".copilot/agents", ".copilot/copilot-instructions.md", ".copilot/instructions"},
	keeps:        copilotKeeps,
	eventKey:     "hook_event_name", sessionKey: "session_id",
	decode: decodeCopilot, encode: encodeCopilot, read: readCopilot,
}

func decodeCopilot(h *Host, f fields) (*Input, error) {
	in, err := decodeClaude(h, f)
	if err == nil && strings.Contains(in.Call.Tool, "-") {
		in.Call.Tool = h.mcpName(in.Call.Tool)
	}
	if err == nil {
		in.shellOf()
	}
	return in, err
}

type copilotOutput struct {
	Decision string `json:"permissionDecision"`
	Reason   string `json:"permissionDecisionReason"`
}

func encodeCopilot(_ *Input, a answer) Output {
	switch a.verdict {
	case allow:
		return Output{}
	case ask:
		return Output{Stdout: encodeJSON(copilotOutput{"ask", a.person})}
	}
	return Output{Stdout: encodeJSON(copilotOutput{"deny", a.reason})}
}

// readCopilot believes the documentation where the program is stricter: versions
// differ in what a failed hook comes to.
func readCopilot(event string, p Process) Outcome {
	r, ok := p.reply()
	if p.Died || p.Exit != exitDecided || !ok {
		return Proceeds
	}
	decision := r.PermissionDecision
	if r.Specific.Event == event && r.Specific.Decision != "" {
		decision = r.Specific.Decision
	}
	switch decision {
	case "deny":
		return Blocks
	case "ask":
		return Asks
	}
	return Proceeds
}

// copilotElse says the deny of a hook that is killed or missing. It names no path:
// a quote in one would make it text that is no JSON.
const copilotElse = `command -v "$0" >/dev/null && w="the hook failed" || w="gbt-hook is missing, so every call is blocked: ` +
	`install it (in a clone of gbt: go install ./cmd/gbt-hook) or run gbt hook uninstall $1"; ` +
	`echo "{\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"gbt: $w\"}"`

type copilotHook struct {
	Type    string `json:"type"`
	Bash    string `json:"bash"`
	Timeout int    `json:"timeoutSec"`
}

func copilotElement(line string, _ bool, seconds int) any {
	return copilotHook{"command", line, seconds}
}

func copilotElements(list []byte) []Element {
	var hooks []copilotHook
	if !decodes(list, &hooks) {
		return nil
	}
	var out []Element
	for _, h := range hooks {
		if h.Bash != "" {
			out = append(out, Element{Command: h.Bash, Timeout: h.Timeout})
		}
	}
	return out
}

func copilotCall(event, dir, tool string, args map[string]any) map[string]any {
	return map[string]any{
		"hook_event_name": event, "session_id": sampled, "timestamp": "2026-01-01T00:00:00Z", "cwd": dir, "tool_name": tool, "tool_input": args,
	}
}
