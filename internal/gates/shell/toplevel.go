package shell

import (
	"path"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// workTree is the top of the work tree that git finds from the working directory, as git
// rev-parse --show-toplevel prints it (gitrepository-layout(5)): the directory of the workspace
// that holds a repository's own one, whose settings name no other place. Empty where that is not
// known, and where the line may have made or moved one.
func (m *machine) workTree() string {
	if m.p.There == nil || m.p.TextOf == nil || mark.Has(m.cwd) || len(m.moves) > 0 {
		return ""
	}
	for i := range m.vars {
		if placingVar(m.vars[i].name) {
			return ""
		}
	}
	for dir := m.cwd; dir != "/"; dir = path.Dir(dir) {
		if z, _, _ := m.p.Where(dir); z != effect.ZoneWorkspace {
			return ""
		}
		git := path.Join(dir, ".git")
		if !m.p.There(git) {
			continue
		}
		settings := path.Join(git, "config")
		text, ok := m.p.TextOf(settings)
		if _, wrote := m.written(settings); !ok || wrote || m.rewired {
			return ""
		}
		if low := strings.ToLower(text); strings.Contains(low, "worktree") || strings.Contains(low, "include") || strings.Contains(low, "bare = true") {
			return ""
		}
		return dir
	}
	return ""
}
