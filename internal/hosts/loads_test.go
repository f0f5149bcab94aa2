package hosts

import (
	"encoding/json"
	"sort"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// disk is what lies on a machine, by path.
type disk map[string]string

func (d disk) text(p string) (string, bool) { s, ok := d[d.real(p)]; return s, ok && s != unreadable }

func (d disk) names(dir string) []string {
	seen := map[string]bool{}
	for f := range d {
		if rest, ok := strings.CutPrefix(f, dir+"/"); ok {
			name, _, below := strings.Cut(rest, "/")
			if below {
				name += "/"
			}
			seen[name] = true
		}
	}
	var out []string
	for n := range seen {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

func (d disk) exists(p string) bool { _, ok := d[p]; return ok || len(d.names(p)) > 0 }

// real is where a path leads: links have the text "-> FILE", from the project on.
func (d disk) real(p string) string {
	if to, ok := strings.CutPrefix(d[p], "-> "); ok {
		return "/home/u/src/shop/" + to
	}
	return p
}

const unreadable = "\x00unreadable"

// aside is Aside of a file where a project and a home hold files; of the project relative to it, of the home with ~/.
func aside(file string, made bool, files map[string]string, env string) bool {
	d := disk{"/home/u/src/shop/README.md": "x"}
	for f, text := range files {
		switch {
		case strings.HasPrefix(f, "~/"):
			f = "/home/u" + f[1:]
		case f[0] != '/':
			f = "/home/u/src/shop/" + f
		}
		d[f] = text
	}
	st := gates.State{Home: "/home/u", Roots: []string{"/home/u/src/shop"}, Exists: d.exists, Text: d.text, Names: d.names}
	return Aside("/home/u/src/shop/"+file, made, &st, Look{Text: d.text, Names: d.names, Exists: d.exists, Env: func(name string) string {
		if name == env {
			return "/x"
		}
		return ""
	}, Real: d.real})
}

// TestAsideByName: what no host loads by its name and place, and what comes nearest to it.
func TestAsideByName(t *testing.T) {
	for file, want := range map[string]bool{
		".claude/scripts/wrap.sh":                  true,
		".claude/scripts/sub/wrap.py":              true,
		".claude/scripts/rows.json":                true,
		".claude/wrap.sh":                          true,
		".claude/skills/x/harness.sh":              true,
		".claude/skills/x/scripts/a.py":            true,
		".codex/bin/wrap.sh":                       true,
		".gemini/scripts/wrap.sh":                  true,
		"sub/.claude/scripts/wrap.sh":              true,
		".claude/Scripts/Wrap.sh":                  true,
		".claude/scripts":                          false,
		".claude/scripts/wrap":                     false,
		".claude/scripts/x.md":                     false,
		".claude/scripts/CLAUDE.md":                false,
		".claude/scripts/x.toml":                   false,
		".claude/scripts/settings.json":            false,
		".claude/scripts/.claude/x.sh":             false,
		".claude/scripts/.mcp.json":                false,
		".claude/scripts/hooks/x.sh":               false,
		".claude/scripts/skills/x/a.sh":            false,
		".claude/settings.json":                    false,
		".claude/settings.local.json":              false,
		".claude/x.json":                           false,
		".claude/CLAUDE.md":                        false,
		".claude/hooks/x.sh":                       false,
		".claude/commands/x.sh":                    false,
		".claude/agents/x.py":                      false,
		".claude/plugins/x/scripts/x.sh":           false,
		".claude/skills/x.sh":                      false,
		".claude/skills/x/SKILL.md":                false,
		".claude/skills/x/a.json":                  false,
		".claude/skills/x/hooks/a.sh":              false,
		".claude/skills/x/bin/a.sh":                false,
		".claude/skills/x/.claude-plugin/a.sh":     false,
		".claude/worktrees/a/.claude/scripts/a.sh": false,
		".opencode/plugin/x.ts":                    false,
		".opencode/tool/x.ts":                      false,
		".opencode/tools/x.ts":                     false,
		".openhands/setup.sh":                      false,
		".openhands/pre-commit.sh":                 false,
		".codex/rules/x.py":                        false,
		".factory/commands/x.sh":                   false,
		".factory/droids/x.py":                     false,
		".cursor/environment.json":                 false,
		".vscode/scripts/x.sh":                     false,
		".git/scripts/x.sh":                        false,
		".husky/scripts/x.sh":                      false,
		"scripts/x.sh":                             false, // of no host's directory
	} {
		if got := aside(file, false, nil, ""); got != want {
			t.Errorf("%s: %v, want %v", file, got, want)
		}
	}
	for file, want := range map[string]bool{".claude/scripts": true, ".claude/skills/x/scripts": true, ".claude": false, "scripts": false} {
		if got := aside(file, true, nil, ""); got != want {
			t.Errorf("the directory %s: %v, want %v", file, got, want)
		}
	}
}

// hooked are settings with a hook that runs a command.
func hooked(command string) string {
	b, _ := json.Marshal(map[string]any{
		"permissions": map[string]any{"allow": []string{"Bash(bash .claude/scripts/wrap.sh:*)", "Edit(**)"}},
		"hooks":       map[string]any{"PreToolUse": []any{map[string]any{"matcher": "*", "hooks": []any{map[string]any{"type": "command", "command": command}}}}},
	})
	return string(b)
}

// TestAsideByCommand: a hook of the project may come to a file by its command, or does not.
func TestAsideByCommand(t *testing.T) {
	files := map[string]string{
		".claude/hooks/h.sh": "#!/bin/sh\nexit 0\n", ".claude/hooks/w.sh": "#!/bin/sh\n. \"$(dirname \"$0\")/../scripts/wrap.sh\"\n", ".claude/scripts/other.sh": "#!/bin/sh\nbash wrap.sh\n",
		"scripts/plain.sh": "#!/bin/sh\nnpx eslint .\n", "scripts/deep.sh": "#!/bin/sh\n./scripts/deeper.sh\n", "scripts/deeper.sh": "#!/bin/sh\n.claude/scripts/wrap.sh\n",
		"package.json": `{"scripts":{"lint":"eslint ."}}`, "Makefile": "lint:\n\ttrue\n",
	}
	for command, want := range map[string]bool{
		"npx prettier --check .":                                             true,
		"jq -r .tool_input.command >> /tmp/log":                              true,
		`"$CLAUDE_PROJECT_DIR"/.claude/hooks/h.sh`:                           true,
		"bash scripts/plain.sh":                                              true,
		"make lint":                                                          true,
		"npx -y @scope/server --stdio":                                       true,
		"jq -r .tool_input.file_path | xargs bash":                           false,
		"docker run -v .:/w image":                                           false,
		"frob hooks stop":                                                    true,
		"gbt-hook claude-code -state auto || exit 2":                         true,
		`bash "$CLAUDE_PROJECT_DIR/.claude/scripts/wrap.sh"`:                 false,
		"cd .claude/scripts && ./wrap.sh":                                    false,
		"bash .claude/scripts/*.sh":                                          false,
		"for f in .claude/*/*; do . $f; done":                                false,
		"cd .claude && for s in scripts/*; do bash $s; done":                 false,
		"for s in \"$CLAUDE_PROJECT_DIR\"/.claude/scripts/$(id); do :; done": false,
		"find . -name '*.sh' -exec bash {} +":                                false,
		"for f in $(git ls-files | grep sh$); do bash $f; done":              false,
		"run-parts .claude/scripts":                                          false,
		"shopt -s globstar; for f in **; do bash $f; done":                   false,
		`bash "$CLAUDE_PROJECT_DIR/$HOOK_FILE"`:                              false,
		`python3 "$CLAUDE_PROJECT_DIR/.claude/$1"`:                           false,
		`echo YmFzaCAuY2xhdWRlL3NjcmlwdHMvd3JhcC5zaA== | base64 -d | sh`:     false,
		`. "$(ls -t .claude/*/* | head -1)"`:                                 false,
		`xargs -a list bash`:                                                 false,
		`eval "$(cat x)"`:                                                    false,
		`bash "$CLAUDE_PROJECT_DIR"/.claude/hooks/w.sh`:                      false,
		"bash .claude/scripts/other.sh":                                      false,
		"bash scripts/deep.sh":                                               false,
		`python3 -c "import subprocess; subprocess.run(['sh', '.claude/' + 'scr' + 'ipts/w' + 'rap.sh'])"`: false,
	} {
		all := map[string]string{".claude/settings.json": hooked(command)}
		for f, text := range files {
			if f != ".claude/hooks/w.sh" || strings.Contains(command, "w.sh") {
				all[f] = text
			}
		}
		if got := aside(".claude/scripts/wrap.sh", false, all, ""); got != want {
			t.Errorf("%s: %v, want %v", command, got, want)
		}
	}
}

// TestAsideBySource: what names the file, wherever it stands, and what says nothing of it.
func TestAsideBySource(t *testing.T) {
	const sh = "bash .claude/scripts/wrap.sh"
	for _, tt := range []struct {
		name  string
		files map[string]string
		env   string
		want  bool
	}{
		{name: "a rule of permissions", files: map[string]string{".claude/settings.local.json": `{"permissions":{"allow":["Bash(bash .claude/scripts/wrap.sh:*)"]}}`}, want: true},
		{name: "a skill that tells the agent to run it", files: map[string]string{".claude/skills/x/SKILL.md": "---\nname: x\n---\nRun `" + sh + "` and then stop!\n"}, want: true},
		{name: "instructions", files: map[string]string{"CLAUDE.md": "Run " + sh, ".claude/agents/a.md": "Run " + sh}, want: true},
		{name: "another skill's command", files: map[string]string{".claude/commands/x.md": "State: !`git status`\n"}, want: true},
		{name: "servers of the user", files: map[string]string{"~/.claude.json": `{"history":["` + sh + `"],"mcpServers":{"x":{"command":"npx","args":["y"]}}}`}, want: true},
		{name: "its own text", files: map[string]string{".claude/scripts/wrap.sh": "# wrap.sh\n"}, want: true},
		{name: "a script that nothing starts", files: map[string]string{".claude/scripts/other.sh": sh}, want: true},

		{name: "local settings", files: map[string]string{".claude/settings.local.json": hooked(sh)}},
		{name: "settings of the user", files: map[string]string{"~/.claude/settings.json": hooked(sh)}},
		{name: "of the machine", files: map[string]string{"/etc/claude-code/managed-settings.json": hooked(sh)}},
		{name: "of the machine, in parts", files: map[string]string{"/etc/claude-code/managed-settings.d/1.json": hooked(sh)}},
		{name: "a status line", files: map[string]string{".claude/settings.json": `{"statusLine":{"type":"command","command":"` + sh + `"}}`}},
		{name: "a helper", files: map[string]string{".claude/settings.json": `{"apiKeyHelper":".claude/scripts/wrap.sh"}`}},
		{name: "a variable", files: map[string]string{".claude/settings.json": `{"env":{"BASH_ENV":".claude/scripts/wrap.sh"}}`}},
		{name: "a directory on PATH", files: map[string]string{".claude/settings.json": `{"env":{"PATH":".claude/scripts:/bin"}}`}},
		{name: "a server", files: map[string]string{".mcp.json": `{"mcpServers":{"x":{"command":"bash","args":[".claude/scripts/wrap.sh"]}}}`}},
		{name: "a server in a directory", files: map[string]string{".mcp.json": `{"mcpServers":{"x":{"command":"bash","args":["wrap.sh"],"cwd":".claude/scripts"}}}`}},
		{name: "a server of the user", files: map[string]string{"~/.claude.json": `{"projects":{"/home/u/src/shop":{"mcpServers":{"x":{"command":"` + sh + `"}}}}}`}},
		{name: "of a skill, before it is read", files: map[string]string{".claude/skills/x/SKILL.md": "State: !`" + sh + "`\n"}},
		{name: "of a skill, in a block", files: map[string]string{".claude/skills/x/SKILL.md": "```!\n" + sh + "\n```\n"}},
		{name: "a hook of a skill", files: map[string]string{".claude/skills/x/SKILL.md": "---\nname: x\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: " + sh + "\n---\n"}},
		{name: "a server of an agent", files: map[string]string{".claude/agents/a.md": "---\nmcpServers:\n  - x:\n      command: " + sh + "\n---\n"}},
		{name: "a command of the user", files: map[string]string{"~/.claude/commands/x.md": "!`" + sh + "`"}},
		{name: "a plugin of the user", files: map[string]string{"~/.claude/plugins/cache/a/b/hooks/hooks.json": hooked(sh)}},
		{name: "a hook's script", files: map[string]string{".claude/hooks/h.py": "import subprocess\nsubprocess.run(['bash', 'wrap.sh'])\n"}},
		{name: "a hook's script that lists", files: map[string]string{".claude/hooks/h.py": "import os\nfor f in os.listdir(D): run(f)\n"}},
		{name: "a hook's script that goes up", files: map[string]string{".claude/hooks/h.sh": "for f in \"$(dirname \"$0\")\"/../*/*; do . \"$f\"; done\n"}},
		{name: "of another host", files: map[string]string{".cursor/hooks.json": `{"hooks":{"stop":[{"command":"` + sh + `"}]}}`}},
		{name: "of another host, in another language", files: map[string]string{".codex/config.toml": "notify = [\"bash\", \".claude/scripts/wrap.sh\"]\n"}},
		{name: "a command of another host", files: map[string]string{".gemini/commands/x.toml": "prompt = \"!{" + sh + "}\"\n"}},
		{name: "a plugin of another host", files: map[string]string{".opencode/plugins/x.ts": "Bun.$`" + sh + "`\n"}},
		{name: "hooks below .github", files: map[string]string{".github/hooks/x.json": `{"hooks":{"sessionStart":[{"type":"command","bash":"` + sh + `"}]}}`}},
		{name: "a task of an editor", files: map[string]string{".vscode/tasks.json": `{"tasks":[{"command":"` + sh + `","runOptions":{"runOn":"folderOpen"}}]}`}},
		{name: "direnv", files: map[string]string{".envrc": ". .claude/scripts/wrap.sh\n"}},
		{name: "CI", files: map[string]string{".github/workflows/x.yml": "run: " + sh + "\n"}},
		{name: "a hook of git", files: map[string]string{".git/hooks/pre-commit": sh + "\n"}},
		{name: "a container", files: map[string]string{".devcontainer/devcontainer.json": `{"postCreateCommand":"` + sh + `"}`}},
		{name: "a task of the project", files: map[string]string{"package.json": `{"scripts":{"x":"` + sh + `"}}`}},
		{name: "a place that is a key", files: map[string]string{".vscode/settings.json": `{"chat.hookFilesLocations":{".claude/scripts":true}}`}},
		{name: "taken in by a text", files: map[string]string{".claude/rules/a.md": "@.claude/scripts/wrap.sh\n"}},
		{name: "taken in by the project's instructions", files: map[string]string{"CLAUDE.md": "@.claude/scripts/wrap.sh\n"}},
		{name: "by another host's", files: map[string]string{"GEMINI.md": "@./.claude/scripts/wrap.sh\n"}},
		{name: "by those of a directory", files: map[string]string{"sub/CLAUDE.md": "@../.claude/scripts/wrap.sh\n"}},
		{name: "settings of a directory in the project", files: map[string]string{"sub/x/.claude/settings.json": hooked("sh ../../.claude/scripts/wrap.sh")}},
		{name: "a plugin in the project", files: map[string]string{"plugins/p/hooks/hooks.json": hooked("sh ../../.claude/scripts/wrap.sh")}},
		{name: "git's settings of the work tree", files: map[string]string{".git/config.worktree": "[core]\n\tfsmonitor = .claude/scripts/wrap.sh\n"}},
		{name: "git's settings of the user", files: map[string]string{"~/.gitconfig": "[core]\n\thooksPath = .claude/scripts\n"}},
		{name: "git's other settings of the user", files: map[string]string{"~/.config/git/config": "[filter \"x\"]\n\tclean = .claude/scripts/wrap.sh\n"}},
		{name: "a shell's settings", files: map[string]string{"~/.bashrc": ". ~/src/shop/.claude/scripts/wrap.sh\n"}},
		{name: "a package that a hook starts", files: map[string]string{".claude/settings.json": hooked("go run ./tools/hook"), "tools/hook/main.go": "exec.Command(\"sh\", \".claude/scripts/wrap.sh\").Run()\n"}},
		{name: "a link to it among hooks", files: map[string]string{".claude/settings.json": hooked("sh .claude/hooks/h.sh"), ".claude/hooks/h.sh": "-> .claude/scripts/wrap.sh", ".claude/scripts/wrap.sh": "echo\n"}},
		{name: "a link to it among git's hooks", files: map[string]string{".git/hooks/pre-commit": "-> .claude/scripts/wrap.sh", ".claude/scripts/wrap.sh": "echo\n"}},
		{name: "other instructions", files: map[string]string{"CLAUDE.md": "@docs/a.md\n", "sub/AGENTS.md": "Run " + sh}, want: true},
		{name: "other settings in the project", files: map[string]string{"sub/.claude/settings.json": hooked("npx eslint ."), "~/.gitconfig": "[user]\n\tname = u\n", "~/.bashrc": "alias l=ls\n"}, want: true},
		{name: "a file of the project that is too long to be one of tasks", files: map[string]string{"model.bin": unreadable}, want: true},
		{name: "settings of an editor that cannot be read", files: map[string]string{".envrc": unreadable}},
		{name: "settings that cannot be read", files: map[string]string{".claude/settings.json": unreadable}},
		{name: "settings of the user that cannot be read", files: map[string]string{"~/.claude/settings.json": unreadable}},
		{name: "servers of the user that cannot be read", files: map[string]string{"~/.claude.json": unreadable}},
		{name: "servers of the user that are no JSON", files: map[string]string{"~/.claude.json": `{"mcpServers":`}},
		{name: "settings elsewhere", env: "CLAUDE_CONFIG_DIR"},
		{name: "another host's settings elsewhere", env: "CODEX_HOME"},
	} {
		if got := aside(".claude/scripts/wrap.sh", false, tt.files, tt.env); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	for _, tt := range []struct {
		file, hook, beside string
		want               bool
	}{
		{".claude/scripts/typing.py", "python3 .claude/scripts/h.py", ".claude/scripts/h.py", false},
		{".claude/enum.py", "python3 .claude/h.py", ".claude/h.py", false},
		{".claude/scripts/tsconfig.json", "npx tsx .claude/scripts/h.ts", ".claude/scripts/h.ts", false},
		{".claude/scripts/typing.py", "python3 tools/h.py", "tools/h.py", true},
		{".claude/scripts/typing.sh", "python3 .claude/scripts/h.py", ".claude/scripts/h.py", true},
	} {
		if got := aside(tt.file, false, map[string]string{".claude/settings.json": hooked(tt.hook), tt.beside: "1\n"}, ""); got != tt.want {
			t.Errorf("%s beside %s: %v, want %v", tt.file, tt.beside, got, tt.want)
		}
	}
	if aside(".claude/skills/x/go.sh", false, map[string]string{".claude/skills/x/SKILL.md": "!`${CLAUDE_SKILL_DIR}/run.sh`", ".claude/skills/x/run.sh": "./go.sh\n"}, "") {
		t.Error("a script that a skill's command starts over another one counts as one that nothing starts")
	}
}

// TestLoadsOfEveryHost: each host says what it loads of its directory, and its hooks are among that.
func TestLoadsOfEveryHost(t *testing.T) {
	for _, h := range all {
		if h.Loads.Dir == "" || len(h.Loads.Names) == 0 || len(h.Loads.Bundles) == 0 {
			t.Errorf("%s does not say what it loads", h.Name)
		}
		for _, f := range []string{h.Settings.Project, h.Settings.Local} {
			if rest, ok := strings.CutPrefix(f, h.Loads.Dir+"/"); ok && aside(f, false, nil, "") || ok && kind(rest) {
				t.Errorf("%s: %s counts as a file that nothing loads", h.Name, f)
			}
		}
	}
}
