package hosts

import (
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

// TestKeptReads: under every host its agent may read what hosts take instructions and skills
// from, and under none their settings, logins and others' sessions, nor write anything of it.
func TestKeptReads(t *testing.T) {
	const shop = "/home/me/src/my_shop.app"
	kept := []string{
		".claude/skills/x/SKILL.md", ".claude/agents/a.md", ".claude/commands/c.md", ".claude/rules/r.md", ".claude/CLAUDE.md", ".codex/skills/x/SKILL.md", ".codex/prompts/p.md", ".codex/AGENTS.md",
		".agents/skills/x/references/r.md", ".gemini/skills/x/SKILL.md", ".gemini/GEMINI.md", ".config/opencode/skills/x/SKILL.md", ".config/opencode/agent/a.md", ".cursor/skills/x/SKILL.md", ".cursor/rules/r.mdc",
		".copilot/skills/x/SKILL.md", ".copilot/copilot-instructions.md", ".factory/droids/d.md", ".openhands/skills/x/SKILL.md", ".qwen/skills/x/SKILL.md", ".config/goose/skills/x/SKILL.md",
	}
	none := []string{
		".claude/settings.json", ".claude.json", ".claude/.credentials.json", ".claude/history.jsonl", ".claude/projects/-home-me-other/s.jsonl", ".claude/todos/a.json", ".codex/config.toml", ".codex/auth.json",
		".codex/sessions/2026/a.jsonl", ".codex/history.jsonl", ".gemini/settings.json", ".gemini/oauth_creds.json", ".gemini/tmp/x/chats/session-1.json", ".gemini/tmp/x/tool-outputs/session-1/a.txt", ".config/opencode/opencode.json",
		".local/share/opencode/auth.json", ".local/share/opencode/tool-output/tool_1", ".cursor/mcp.json", ".cursor/cli-config.json", ".cursor/projects/home-me-other/terminals/1.txt", ".cursor/projects/home-me-src-my-shop-app/mcp-approvals.json",
		".copilot/config.json", ".copilot/session-state/a/events.jsonl", ".factory/settings.json", ".factory/mcp.json", ".agent-skills/auth/auth.yaml", ".agents/auth.json", ".openhands/settings.json", ".codex/skills/x/.env", ".claude/skills/x/id_rsa",
		".claude/skills-old/x", ".claude/skill", ".config/Code/User/workspaceStorage/a/GitHub.copilot-chat/chat-session-resources/b/c/content.txt",
	}
	for _, name := range Names() {
		h, _ := Lookup(name)
		p := effect.Places{Home: "/home/me", Cwd: shop, Roots: []string{shop}, Kept: h.Kept(shop)}.Normal()
		for _, file := range kept {
			if z, sensitive, protected := p.Where("/home/me/" + file); z != effect.ZoneKept || sensitive || !protected {
				t.Errorf("%s: %s: %v, sensitive %v, protected %v", name, file, z, sensitive, protected)
			}
		}
		const plugin = "/home/me/.claude/plugins/p/.mcp.json" // programs lie there with their settings: for their own host alone
		if z, _, _ := p.Where(plugin); (z == effect.ZoneKept) != (name == "claude-code") {
			t.Errorf("%s: %s: %v", name, plugin, z)
		}
		for _, file := range none {
			if z, sensitive, _ := p.Where("/home/me/" + file); z == effect.ZoneKept && !sensitive {
				t.Errorf("%s: %s may be read", name, file)
			}
		}
	}
}

// TestSkillDirs is sorted, and each names a directory of skills.
func TestSkillDirs(t *testing.T) {
	if !slices.IsSorted(skillDirs[:]) {
		t.Error("not sorted")
	}
	for _, d := range skillDirs {
		if !strings.HasPrefix(d, ".") || !strings.Contains(d, "skills") && d != ".agents/AGENTS.md" {
			t.Error(d)
		}
	}
}

// TestKeptOfProject: what hosts keep of a project's sessions lies under its path.
func TestKeptOfProject(t *testing.T) {
	for _, tt := range []struct {
		host, home, dir, file string
		want                  bool
	}{
		{"cursor", "/home/me", "/home/me/Documents/cursor_project", "/home/me/.cursor/projects/home-me-Documents-cursor-project/terminals/1.txt", true},
		{"cursor", "/home/me", "/home/me/My Shop", "/home/me/.cursor/projects/home-me-My-Shop/agent-tools/a.txt", true},
		{"cursor", `C:\Users\me`, `c:\dev\personal\LMU`, `c:\Users\me\.cursor\projects\c-dev-personal-LMU\terminals\1.txt`, true},
		{"cursor", `C:\Users\me`, `/c:/dev/personal/LMU`, `C:\Users\me\.cursor\projects\c-dev-personal-LMU\agent-transcripts\1.txt`, true},
		{"cursor", `C:\Users\me`, `c:\dev\personal\LMU`, `c:\Users\me\.cursor\projects\c-dev-personal\terminals\1.txt`, false},
		{"cursor", "/home/me", "/home/me/a", "/home/me/.cursor/projects/home-me-b/terminals/1.txt", false},
		{"cursor", "/home/me", "/home/me/a", "/home/me/.cursor/projects/home-me-a/mcp-approvals.json", false},
		{"cursor", "/home/me", "/home/me/a", "/home/me/.cursor/projects/home-me-a/../home-me-b/terminals/1.txt", false},
		{"cursor", "/home/me", "/", "/home/me/.cursor/projects/terminals/1.txt", false},
		{"claude-code", "/home/me", "/home/me/a.b", "/home/me/.claude/projects/-home-me-a-b/s.jsonl", true},
		{"claude-code", `C:\Users\me`, `C:\Users\me\a`, `C:\Users\me\.claude\projects\C--Users-me-a\s.jsonl`, true},
		{"claude-code", "/home/me", "/home/me/a", "/home/me/.claude/projects/-home-me-b/s.jsonl", false},
		{"codex", "/home/me", "/home/me/a", "/home/me/.claude/projects/-home-me-a/s.jsonl", false},
		{"claude-code", "/home/me", "/home/me/a", "/home/me/.cursor/projects/home-me-a/terminals/1.txt", false},
	} {
		h, _ := Lookup(tt.host)
		p := effect.Places{Home: tt.home, Cwd: tt.dir, Roots: []string{tt.dir}, Kept: h.Kept(tt.dir)}.Normal()
		if z, _, _ := p.Where(p.Resolve(p.Cwd, tt.file)); (z == effect.ZoneKept) != tt.want {
			t.Errorf("%s in %s: %s: %v", tt.host, tt.dir, tt.file, z)
		}
	}
}
