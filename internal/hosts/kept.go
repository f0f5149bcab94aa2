package hosts

import "github.com/gbt-policy/gbt/gates"

// keptBelow are things that a host has in its directory of a home and tells the agent to
// read: instructions and skills. It loads them, so nothing of it may be written unasked.
// Settings, logins and other projects' transcripts lie beside them and are not among them.
func keptBelow(dir string, names ...string) []gates.Kept {
	out := []gates.Kept{{Dir: "~/.agents/skills"}, {Dir: "~/.agents/AGENTS.md"}} // that several hosts read
	for _, name := range names {
		out = append(out, gates.Kept{Dir: dir + "/" + name})
	}
	return out
}

// codexKept: https://developers.openai.com/codex (AGENTS.md, custom prompts, skills).
func codexKept(string) []gates.Kept {
	return keptBelow("~/.codex", "AGENTS.md", "AGENTS.override.md", "agents", "prompts", "skills")
}

// geminiKept: https://geminicli.com/docs (GEMINI.md, custom commands, extensions, skills).
func geminiKept(string) []gates.Kept {
	return keptBelow("~/.gemini", "GEMINI.md", "agents", "commands", "extensions", "skills")
}

// openCodeKept: https://opencode.ai/docs (rules, agents, commands, skills).
func openCodeKept(string) []gates.Kept {
	return keptBelow("~/.config/opencode", "AGENTS.md", "agent", "agents", "command", "commands", "skill", "skills")
}

// cursorKept: https://cursor.com/docs (rules, commands, skills, subagents).
func cursorKept(string) []gates.Kept {
	return keptBelow("~/.cursor", "agents", "commands", "rules", "skills")
}
