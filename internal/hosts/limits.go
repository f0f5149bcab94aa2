package hosts

// Limits names what a hook can't block at this host however it answers, in
// sentences for people: gbt doctor prints them.
func (h Host) Limits() []string {
	switch h.Name {
	case "claude-code":
		return []string{
			"before 2.1.295 it ignores onFailure: a hook that it ends after its time limit lets the call run",
			"disableAllHooks in any settings file turns the hook off, and so does running with --bare",
			"files that the user mentions with @ are read without a tool call",
		}
	case "codex":
		return []string{
			"a hook that it ends after its time limit lets the call run; there is no setting against it",
			"a hook's ask is not supported and runs the call, so gbt blocks what needs consent",
			"a hook runs only after the user has trusted it (/hooks), and again after each change of its settings",
			"tools without hook events (the plan tool, web search) are not put before the hook",
			"[features] hooks = false in config.toml turns hooks off",
		}
	case "gemini":
		return []string{
			"a hook that it ends after its time limit lets the call run; there is no setting against it",
			"a hook can't ask, so gbt blocks what needs consent",
			"a project's hooks do not run in a folder that the user has not trusted",
			"any settings file may turn hooks off (hooksConfig.enabled, in older versions tools.enableHooks)",
		}
	case "cursor":
		return []string{
			"preToolUse and beforeReadFile can't ask, so gbt blocks there what needs consent",
			"some versions show no question for ask and block the call",
			"versions before preToolUse was added put only shell commands, MCP calls and file reads before a hook",
		}
	case "opencode":
		return []string{
			"a plugin can't ask, so gbt blocks what needs consent",
			"some versions do not put the tool calls of subagents before plugins",
		}
	case "openhands":
		return []string{
			"a hook that it ends after its time limit lets the action run; there is no setting against it",
			"a hook can't ask, so gbt blocks what needs consent; the security analyzer can ask and can't block",
			"a hooks.json that does not parse is ignored with a warning",
		}
	}
	return nil
}
