package hosts

import _ "embed" // the plugin

// opencode has no command hooks: https://opencode.ai/docs/plugins. gbt installs
// a plugin whose "tool.execute.before" runs the hook and throws, which blocks
// the call, unless it answers with exit 0 and {"decision":"allow"}. What the
// plugin writes is ours: tool, args, sessionID and callID as opencode names
// them, with directory and worktree. There is no ask.
var opencode = Host{
	Name: "opencode", Title: "opencode",
	// Only what succeeded is reported. There is also an event for messages of the
	// user's, but it comes for those of an agent to its subagents as well.
	Events: []EventKind{
		{Name: eventOpencode},
		{Name: "tool.execute.after", Of: eventOpencode, Results: []string{"output"}},
	},
	Worded: []string{"description"},
	Limits: []string{
		"a plugin can't ask, so gbt blocks what needs consent",
		"some versions do not put the tool calls of subagents before plugins",
	},
	// https://opencode.ai/docs: config, plugins, custom tools, agents, commands, skills, modes, themes
	Loads: Loads{
		Dir: ".opencode",
		Names: []string{
			"AGENTS.md", "agent", "agents", "command", "commands", "mode", "modes", "opencode.json", "opencode.jsonc", "package.json", "plugin", "plugins", "theme", "themes", "tool", "tools",
		},
		Bundles:  []string{"skill", "skills"},
		HomeEnv:  []string{"OPENCODE_CONFIG", "OPENCODE_CONFIG_CONTENT", "OPENCODE_CONFIG_DIR", "XDG_CONFIG_HOME"},
		Settings: []string{"opencode.json", "opencode.jsonc", "~/.config/opencode", "/etc/opencode"},
	},
	Settings: Settings{
		User: "opencode/plugins/gbt.js", InConfig: true, Project: ".opencode/plugins/gbt.js",
		Whole: &opencodePlugin,
	},
	Samples: Samples{
		Shell: Tool{Name: "bash", Key: "command"}, Read: Tool{Name: "read", Key: "filePath"},
		Call: opencodeCall,
	},
	// https://opencode.ai/docs (rules, agents, commands, skills)
	instructions: []string{".config/opencode/AGENTS.md", ".config/opencode/agent", ".config/opencode/agents", ".config/opencode/command", ".config/opencode/commands", ".config/opencode/skill"},
	keeps:        openCodeKeeps,
	eventKey:     "event", sessionKey: "sessionID",
	decode: decodeOpencode, encode: encodeOwn, read: readOpencode,
	noted: "{}\n",
}

//go:embed template/opencode.js
var opencodePlugin string

const eventOpencode = "tool.execute.before"

func decodeOpencode(h *Host, f fields) (*Input, error) {
	event, err := h.decided(f)
	if err != nil {
		return nil, err
	}
	in := &Input{Event: event}
	if in.Call.Tool, err = f.need("tool"); err != nil {
		return nil, err
	}
	if in.Call.Args, err = f.object("args"); err != nil {
		return nil, err
	}
	if in.Session, err = f.text(h.sessionKey); err != nil {
		return nil, err
	}
	if in.State.Cwd, err = f.text("directory"); err != nil {
		return nil, err
	}
	root, err := f.text("worktree")
	if err == nil && root != "" {
		in.State.Roots = []string{root}
	}
	return in, err
}

func readOpencode(_ string, p Process) Outcome {
	r, ok := p.reply()
	return blocksIf(p.Died || p.Exit != exitDecided || !ok || r.Decision != "allow")
}

func opencodeCall(event, dir, tool string, args map[string]any) map[string]any {
	return map[string]any{
		"event": event, "tool": tool, "args": args, "sessionID": sampled, "callID": sampled, "directory": dir, "worktree": dir,
	}
}
