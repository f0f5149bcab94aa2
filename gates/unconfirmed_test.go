package gates

import (
	"strings"
	"testing"
)

// TestAgentsWithoutQuestions starts other agents: they are asked about, and the options
// with which they ask nobody are named.
func TestAgentsWithoutQuestions(t *testing.T) {
	for line, named := range map[string]string{
		`claude -p "fix it"`:                                      "",
		`claude -p "fix it" --permission-mode plan`:               "",
		`codex exec -s read-only "fix it"`:                        "",
		`claude -p "fix it" --dangerously-skip-permissions`:       "--dangerously-skip-permissions",
		`claude --permission-mode bypassPermissions -p "fix it"`:  "bypassPermissions",
		`claude --permission-mode=bypassPermissions -p "fix it"`:  "--permission-mode=bypassPermissions",
		`codex exec --full-auto "fix it"`:                         "--full-auto",
		`codex exec --dangerously-bypass-approvals-and-sandbox x`: "--dangerously-bypass-approvals-and-sandbox",
		`codex -a never "fix it"`:                                 "never",
		`codex --sandbox danger-full-access "fix it"`:             "danger-full-access",
		`gemini -y -p "fix it"`:                                   "-y",
		`gemini --approval-mode yolo -p "fix it"`:                 "yolo",
		`aider --yes-always --message "fix it"`:                   "--yes-always",
		`copilot -p "fix it" --allow-all-tools`:                   "--allow-all-tools",
		`someagent --yolo "fix it"`:                               "--yolo",
	} {
		c := ShellContext(line, State{Cwd: "/srv/code/p", Roots: []string{"/srv/code/p"}, Home: "/home/me"})
		d := (&Guardrail{}).Decide(&c)
		if d.Disposition == Approved {
			t.Errorf("%s: passes", line)
		}
		escapes := false
		for _, r := range d.Reasons {
			if r.Rule == "spawn/escape" {
				escapes = escapes || strings.HasSuffix(c.Effects[r.Effect].Resource, " "+named)
			}
		}
		if escapes != (named != "") {
			t.Errorf("%s: %+v, want %q named", line, d.Reasons, named)
		}
	}
}
