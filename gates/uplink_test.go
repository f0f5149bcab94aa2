package gates

import (
	"testing"

	"github.com/gbt-policy/gbt/internal/gates/names"
)

// TestUpThroughLink: a path that goes up from a link the host told of is not
// taken for what its text says.
func TestUpThroughLink(t *testing.T) {
	st := State{Cwd: "/home/u/w", Home: "/home/u", Roots: []string{"/home/u/w"}, Links: []Link{{From: "/home/u/w/out", To: "/home/u/.ssh/keys"}, {From: "/home/u/w/in", To: "/home/u/w/sub"}}}
	bare := st
	bare.Links = nil
	tests := []struct {
		command string
		linked  bool // approved with the links known
		plain   bool // and without
	}{
		{"cat out/../a", false, true},
		{"cat ./out/./../a", false, true},
		{"cp a out/../b", false, true},
		{"touch out/../x", false, true},
		{"cat sub/../a", true, true},
		{"cat in/../a", true, true}, // both are /home/u/w/a
		{"cat out2/../a", true, true},
		{"touch sub/../../w/a", true, true},
	}
	for _, tt := range tests {
		for _, c := range []struct {
			st   State
			want bool
		}{{st, tt.linked}, {bare, tt.plain}} {
			ctx := ShellContext(tt.command, c.st)
			var g Guardrail
			if d := g.Decide(&ctx); (d.Disposition == Approved) != c.want {
				t.Errorf("%s with %d links: %v %+v", tt.command, len(c.st.Links), d.Disposition, ctx.Effects)
			}
		}
	}
}

// TestHostSettingsAreGuarded: what an agent's host reads must not be changed
// without review, or the agent could take its own hook out.
func TestHostSettingsAreGuarded(t *testing.T) {
	files := []string{".claude/settings.json", ".claude/settings.local.json", ".codex/hooks.json", ".gemini/settings.json", ".cursor/hooks.json", ".opencode/plugins/gbt.js", ".openhands/hooks.json", ".openhands/gbt_analyzer.py", "opencode.json", "opencode.jsonc", "sub/opencode.json"}
	for _, name := range files {
		if !names.Guarded(name) {
			t.Errorf("%s is not guarded", name)
		}
		ctx := ShellContext("touch "+name, State{Cwd: "/home/u/w", Home: "/home/u", Roots: []string{"/home/u/w"}})
		var g Guardrail
		if d := g.Decide(&ctx); d.Disposition == Approved {
			t.Errorf("touch %s is approved", name)
		}
	}
	for _, name := range []string{"opencode.js", "src/opencode/json.go", "openhands/hooks.json", "office.json"} {
		if names.Guarded(name) {
			t.Errorf("%s is guarded", name)
		}
	}
}
