package hosts

import (
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestStartedUnasked: which files of the workspace settings start.
func TestStartedUnasked(t *testing.T) {
	hook := func(line string) string {
		return `{"hooks":{"PostToolUse":[{"matcher":"Edit","hooks":[{"type":"command","command":"` + line + `"}]}]}}`
	}
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"nothing", map[string]string{"x.sh": "ls"}, ""},
		{"a hook", map[string]string{".claude/settings.json": hook("$CLAUDE_PROJECT_DIR/scripts/f.sh"), "scripts/f.sh": "ls\n"}, "scripts/f.sh"},
		{"a hook of a script that is not there", map[string]string{".claude/settings.local.json": hook("sh scripts/f.sh")}, "scripts/f.sh"},
		{"what a hook starts", map[string]string{".claude/settings.json": hook("bash a.sh"), "a.sh": "set -e\nsh lib/b.sh\n"}, "a.sh lib/b.sh"},
		{"modules of a hook", map[string]string{".claude/settings.json": hook("python3 tools/g.py"), "tools/g.py": "import sys\nimport helper\n", "tools/helper.py": "x = 1\n"}, "tools/g.py tools/helper.py"},
		{"modules of a hook of Node.js", map[string]string{".cursor/hooks.json": `{"version":1,"hooks":{"afterFileEdit":[{"command":"node h.js"}]}}`, "h.js": "const x = require('./lib')\n", "lib.js": ""}, "h.js lib.js"},
		{"a line of status", map[string]string{".claude/settings.json": `{"statusLine":{"type":"command","command":"./s.sh"}}`}, "s.sh"},
		{"a rule of permissions", map[string]string{".claude/settings.json": `{"permissions":{"allow":["Bash(sh x.sh:*)"]}}`}, ""},
		{"a server", map[string]string{".claude/settings.json": `{"mcpServers":{"x":{"command":"node","args":["server.js"]}}}`, ".mcp.json": `{"mcpServers":{"x":{"command":"node","args":["server.js"]}}}`}, ""},
		{"a directory of git's hooks", map[string]string{".git/config": "[core]\n\thooksPath = tools/hooks\n", "tools/hooks/pre-commit": "#!/bin/sh\nsh scripts/c.sh\n"}, "scripts/c.sh tools/hooks/"},
		{"what git's own hooks start", map[string]string{".git/hooks/pre-push": "bash ci/x.sh\n", ".git/hooks/pre-commit.sample": "sh no.sh\n"}, "ci/x.sh"},
		{"husky", map[string]string{".husky/pre-commit": "sh scripts/x.sh\nnpm test\n"}, "scripts/x.sh"},
		{"lefthook", map[string]string{"lefthook.yml": "pre-commit:\n  commands:\n    x:\n      run: sh scripts/x.sh\n"}, "scripts/x.sh"},
		{"a line that says it when it runs", map[string]string{".claude/settings.json": hook("sh $X")}, ""},
		{"settings that are no JSON", map[string]string{".claude/settings.json": "{"}, ""},
	}
	for _, tt := range tests {
		text := func(f string) (string, bool) {
			s, ok := tt.files[strings.TrimPrefix(f, "/w/")]
			return s, ok
		}
		names := func(dir string) (out []string) {
			for f := range tt.files {
				if rest, ok := strings.CutPrefix("/w/"+f, dir+"/"); ok {
					n, _, deep := strings.Cut(rest, "/")
					if deep {
						n += "/"
					}
					out = append(out, n)
				}
			}
			slices.Sort(out)
			return slices.Compact(out)
		}
		there := func(p string) bool { _, ok := text(p); return ok || len(names(p)) > 0 }
		u := StartedUnasked(&gates.State{Home: "/home/me", Roots: []string{"/w"}}, Look{Text: text, Names: names, Exists: there})
		var got []string
		if !slices.Contains(u.Files, "/w/.gitmodules") {
			t.Errorf("%s: submodules are not among %q", tt.name, u.Files)
		}
		for _, f := range u.Files {
			if f == "/w/.gitmodules" {
				continue
			}
			got = append(got, strings.TrimPrefix(f, "/w/"))
		}
		for _, d := range u.Dirs {
			got = append(got, strings.TrimPrefix(d, "/w/")+"/")
		}
		slices.Sort(got)
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, s, tt.want)
		}
	}
}
