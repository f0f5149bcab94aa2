package call

import "github.com/gbt-policy/gbt/gates/effect"

// This file reads tools of hosts whose arguments are neither paths nor lines. Their
// shapes are those of the declarations which Claude Code ships with its package
// (@anthropic-ai/claude-code 2.1.197, sdk-tools.d.ts).

// worktree judges the tools with which an agent goes into a worktree of its repository
// and leaves it, and says whether it did. Git makes the new one; a path has to be one
// that git lists already. To leave removes it if that is said, and the host refuses
// where something would be lost, unless that is said too.
func (b *builder) worktree() bool {
	switch Name(b.call.Tool) {
	case "enterworktree":
		p, _ := b.first("path")
		b.path(effect.List, effect.OpList, p)
		return true
	case "exitworktree":
		if b.value("action") == "remove" && b.value("discard_changes") != "" && b.value("discard_changes") != "false" {
			zone, _, _ := b.p.Where(b.p.Cwd)
			b.add(effect.Effect{Kind: effect.Delete, Op: effect.OpWipe, Zone: zone, Resource: b.p.Cwd, Protected: true})
			return true
		}
		b.path(effect.List, effect.OpList, "")
		return true
	}
	return false
}
