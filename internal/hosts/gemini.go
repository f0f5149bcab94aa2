package hosts

import "strings"

// Gemini CLI: https://geminicli.com/docs/hooks/reference and
// packages/core/src/hooks in its source. Exit 0 makes it read stdout as JSON;
// at exit 2 stderr is the reason and stdout is not read; any other code warns
// and goes on. Plain text on stdout counts as an allow, so nothing but JSON is
// ever printed there. A hook can't ask.
//
// An approved call gets {}: Gemini's own confirmations stay as they are.
var gemini = Host{
	Name: "gemini", Title: "Gemini CLI",
	Events: []EventKind{
		{Name: eventBeforeTool},
		{Name: "AfterTool", Of: eventBeforeTool, Results: []string{"tool_response"}},
		{Name: "BeforeAgent", Prompt: "prompt"},
		{Name: "AfterAgent", End: true},
	},
	Ends:     geminiEnds(),
	ShellEnv: "GEMINI_CLI",
	Worded:   []string{"description"},
	Limits: []string{
		"a hook that it ends after its time limit lets the call run; there is no setting against it",
		"a hook can't ask, so gbt blocks what needs consent",
		"a project's hooks do not run in a folder that the user has not trusted",
		"any settings file may turn hooks off (hooksConfig.enabled, in older versions tools.enableHooks)",
	},
	// https://geminicli.com/docs: configuration, hooks, custom commands, extensions, skills, policy engine, sandboxing
	Loads: Loads{
		Dir: ".gemini",
		Names: []string{
			".env", "GEMINI.md", "agents", "commands", "config.yaml", "extensions", "hooks", "policies", "sandbox.Dockerfile", "sandbox.bashrc", "settings.json", "styleguide.md", "system.md", "themes",
		},
		Bundles:  []string{"skills"},
		HomeEnv:  []string{"GEMINI_CLI_HOME", "GEMINI_CLI_SYSTEM_SETTINGS_PATH"},
		Settings: []string{"/etc/gemini-cli", "/Library/Application Support/GeminiCli"},
	},
	Settings: Settings{
		User: ".gemini/settings.json", Project: ".gemini/settings.json", Comments: true,
		Element: geminiElement, Elements: readElements, Shell: true,
		Off: []Switch{{Path: []string{"hooksConfig", "enabled"}}, {Path: []string{"tools", "enableHooks"}}},
	},
	Samples: Samples{
		Shell: Tool{Name: "run_shell_command", Key: "command"}, Read: Tool{Name: "read_file", Key: "file_path"},
		Call: geminiCall,
	},
	// https://geminicli.com/docs (GEMINI.md, custom commands, extensions, skills)
	instructions: []string{".gemini/GEMINI.md", ".gemini/agents", ".gemini/commands", ".gemini/extensions"},
	keeps:        geminiKeeps,
	eventKey:     "hook_event_name", sessionKey: "session_id",
	decode: decodeGemini, encode: encodeGemini, read: readGemini,
	noted: "{}\n",
}

const eventBeforeTool = "BeforeTool"

func decodeGemini(h *Host, f fields) (*Input, error) {
	in, err := h.called(f, "cwd")
	if err != nil {
		return nil, err
	}
	if raw, ok := f["mcp_context"]; ok && string(raw) != "null" && !strings.HasPrefix(in.Call.Tool, "mcp__") {
		in.Call.Tool = h.mcpName(in.Call.Tool)
	}
	return in, in.directory("dir_path", "directory")
}

type geminiOutput struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
}

func encodeGemini(_ *Input, a answer) Output {
	if a.verdict == allow {
		return Output{Stdout: "{}\n"}
	}
	return Output{Stdout: encodeJSON(geminiOutput{"deny", a.reason}), Stderr: a.reason + "\n", Exit: exitBlocked}
}

// geminiEnds: a deny sends the agent back with its reason as a new prompt, and nothing but
// JSON may be printed.
func geminiEnds() *Ends {
	return &Ends{
		Dir: "cwd", Active: []string{"stop_hook_active"},
		back: func(reason string) Output { return Output{Stdout: encodeJSON(geminiOutput{"deny", reason})} },
		pass: func(note string) Output { return Output{Stdout: encodeJSON(endOutput{Message: note})} },
		sent: func(p Process) bool { return readGemini("", p) == Blocks },
	}
}

func readGemini(_ string, p Process) Outcome {
	if p.Died {
		return Proceeds
	}
	if p.Exit == exitDecided {
		r, ok := p.reply()
		return blocksIf(ok && (r.Decision == "deny" || r.Decision == "block" || r.Continue != nil && !*r.Continue))
	}
	return blocksIf(p.Exit == exitBlocked && strings.TrimSpace(p.Stderr) != "")
}

// geminiElement: Gemini CLI counts milliseconds.
func geminiElement(line string, _ bool, seconds int) any { return grouped(line, seconds*1000, "") }

func geminiCall(event, dir, tool string, args map[string]any) map[string]any {
	return map[string]any{
		"hook_event_name": event, "session_id": sampled, "cwd": dir, "transcript_path": "", "timestamp": "2026-01-01T00:00:00Z",
		"tool_name": tool, "tool_input": args,
	}
}
