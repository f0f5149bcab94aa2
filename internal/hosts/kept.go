package hosts

import (
	"strings"

	"github.com/gbt-policy/gbt/gates"
)

// Kept is what hosts keep in a home for agents to read, as a workspace that lies in dir has it:
// the instructions and skills of every host, for people share them among hosts and agents are
// told to read those of others; and what this host keeps of the workspace's own sessions. trees
// are other work trees of the workspace's repository.
//
// Instructions are loaded, so nothing of them may be written unasked. Settings, logins and
// transcripts of other projects lie beside them and are not among them.
func (h *Host) Kept(dir string, trees ...string) []gates.Kept {
	var out []gates.Kept
	for _, name := range skillDirs {
		out = append(out, gates.Kept{Dir: "~/" + name})
	}
	for _, other := range all {
		for _, name := range other.instructions {
			if other.Name != h.Name && (strings.HasSuffix(name, "/extensions") || strings.HasSuffix(name, "/plugins")) {
				continue // programs lie there with their settings
			}
			out = append(out, gates.Kept{Dir: "~/" + name})
		}
	}
	if h.keeps != nil {
		out = append(out, h.keeps(dir, trees)...)
	}
	return out
}

// skillDirs are the directories of a home from which agents take skills: the table of supported
// agents of https://github.com/vercel-labs/skills, and what several of them read
// (https://agentskills.io). Sorted.
var skillDirs = [...]string{
	".adal/skills", ".agents/AGENTS.md", ".agents/skills", ".aider-desk/skills", ".astrbot/data/skills", ".augment/skills", ".autohand/skills", ".bob/skills", ".claude/skills", ".codeartsdoer/skills", ".codebuddy/skills",
	".codeium/windsurf/skills", ".codemaker/skills", ".codestudio/skills", ".codewhale/skills", ".codex/skills", ".commandcode/skills", ".config/agents/skills", ".config/crush/skills", ".config/devin/skills",
	".config/goose/skills", ".config/kimchi/harness/skills", ".config/opencode/skills", ".continue/skills", ".copilot/skills", ".cursor/skills", ".cursor/skills-cursor", ".deepagents/agent/skills", ".factory/skills",
	".firebender/skills", ".forge/skills", ".fx/skills", ".gemini/antigravity-cli/skills", ".gemini/antigravity/skills", ".gemini/skills", ".grok/skills", ".hermes/skills", ".iflow/skills", ".inferencesh/skills", ".jazz/skills",
	".junie/skills", ".kilo/skills", ".kiro/skills", ".kode/skills", ".lingma/skills", ".mcpjam/skills", ".minimax/skills", ".moxby/skills", ".mux/skills", ".neovate/skills", ".ona/skills", ".openclaw/skills", ".openhands/skills",
	".pi/agent/skills", ".pochi/skills", ".posit/assistant/skills", ".qoder-cn/skills", ".qoder/skills", ".qwen/skills", ".reasonix/skills", ".roo/skills", ".rovodev/skills", ".snowflake/cortex/skills", ".tabnine/agent/skills",
	".terramind/skills", ".tinycloud/skills", ".trae-cn/skills", ".trae/skills", ".vibe/skills", ".zcode/skills", ".zencoder/skills",
}

// named is a path as hosts name directories by it, with a dash for each character that is no
// letter or digit.
func named(dir string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			return c
		}
		return '-'
	}, dir)
}

// claudeKeeps are the plans that plan mode writes, and what is kept of a project's own
// sessions: transcripts and results too long to show (the documentation's settings page,
// plansDirectory; its page on the directory .claude), and what the agent notes for later
// sessions (its page on memory, "Auto memory"), which all work trees of a repository have in
// common. A project's directory is named by its path; seen in sessions.
func claudeKeeps(dir string, trees []string) []gates.Kept {
	kept := []gates.Kept{{Dir: "~/.claude/plans", Write: true}}
	if dir == "" {
		return kept
	}
	const projects = "~/.claude/projects/"
	for _, t := range trees {
		kept = append(kept, gates.Kept{Dir: projects + named(t) + "/memory"})
	}
	return append(kept, gates.Kept{Dir: projects + named(dir)})
}

// cursorKeeps are a project's transcripts, outputs of its terminals and tools, pictures that the
// user gave and descriptions of its servers' tools (seen in transcripts of 2026; which servers
// were approved lies beside them). A project's directory is named by its path, where
// characters that are no letters or digits are one dash together, and none at its ends.
func cursorKeeps(dir string, _ []string) []gates.Kept {
	name := strings.Join(strings.FieldsFunc(named(dir), func(c rune) bool { return c == '-' }), "-")
	if name == "" {
		return nil
	}
	var kept []gates.Kept
	for _, what := range [...]string{"agent-tools", "agent-transcripts", "assets", "mcps", "terminals"} {
		kept = append(kept, gates.Kept{Dir: "~/.cursor/projects/" + name + "/" + what})
	}
	return kept
}

// geminiKeeps are results too long to show (seen in sessions of 2026).
func geminiKeeps(string, []string) []gates.Kept {
	return []gates.Kept{{Dir: "~/.gemini/tmp", Below: "*/tool-outputs/session-*/*"}}
}

// openCodeKeeps are results too long to show (seen in sessions of 2026).
func openCodeKeeps(string, []string) []gates.Kept {
	return []gates.Kept{{Dir: "~/.local/share/opencode/tool-output", Below: "tool_*"}}
}

// copilotKeeps are results too long to show where it runs in an editor, which keeps them for
// each workspace (seen in sessions of 2026); the command line's lie among temporary files.
func copilotKeeps(string, []string) []gates.Kept {
	var kept []gates.Kept
	for _, data := range [...]string{".config", "Library/Application Support", "AppData/Roaming"} {
		kept = append(kept, gates.Kept{Dir: "~/" + data + "/Code/User/workspaceStorage", Below: "*/GitHub.copilot-chat/chat-session-resources/*/*/content.txt"})
	}
	return kept
}
