package names

import "testing"

// TestUnloaded lists what may be written below a guarded directory because nobody loads
// it, and what comes nearest to that and is loaded.
func TestUnloaded(t *testing.T) {
	for path, guarded := range map[string]bool{
		".claude/docs/hooks.md":               false,
		".claude/plans/2026/a.md":             false,
		".claude/docs":                        false,
		".claude/scripts/README.md":           false,
		".claude/README.md":                   false,
		".Claude/Docs/A.MD":                   false,
		"sub/.gemini/notes/x.txt":             false,
		".cursor/plans/x.md":                  false,
		".claude/settings.local.json.example": false,
		".husky/README.md":                    false,
		".vscode/README.md":                   false,
		".claude/worktrees/a/src/x.go":        false,

		".claude/worktrees/a/.claude/settings.json": true,
		".claude/worktrees/a":                       true,
		".claude/worktrees":                         true,
		".claude":                                   true,
		".claude/CLAUDE.md":                         true,
		".claude/notes.md":                          true,
		".gemini/styleguide.md":                     true,
		".claude/commands/README.md":                true,
		".claude/agents/x.md":                       true,
		".claude/skills/x/SKILL.md":                 true,
		".claude/skills/x/README.md":                true,
		".claude/skills/docs/x.md":                  true,
		".claude/docs/skills/x.md":                  true,
		".claude/rules/docs/x.md":                   true,
		".claude/output-styles/x.md":                true,
		".claude/agent-memory/a/x.md":               true,
		".claude/docs/run.sh":                       true,
		".claude/docs/x.json":                       true,
		".claude/docs/x.md.sh":                      true,
		".claude/docs/x":                            true,
		".claude/hooks/x.sh":                        true,
		".claude/scripts/x.sh":                      true,
		".claude/settings.json":                     true,
		".claude/settings.json.":                    true,
		".claude/settings.local.json":               true,
		".claude/.example":                          true,
		".claude/docs\x02/x.md":                     true,
		".claude/docs/\x02.md":                      true,
		".claude/comman~1/readme.md":                true,
		".claude/docs/x.md:y":                       true,
		".git/docs/x.md":                            true,
		".git/hooks/README.md":                      true,
		".git/hooks/pre-commit.sample":              true,
		".ssh/README.md":                            true,
		".husky/pre-commit":                         true,
		".vscode/docs/x.json":                       true,
		".codex/prompts/x.md":                       true,
		".opencode/tool/readme.md":                  true,
	} {
		if got := Guarded(path); got != guarded {
			t.Errorf("%q: guarded %v, want %v", path, got, guarded)
		}
	}
}
