package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestAside: the files of a real directory decide whether a script beside settings is an ordinary file.
func TestAside(t *testing.T) {
	for _, v := range []string{"CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "COPILOT_CONFIG_DIR", "CURSOR_CONFIG_DIR", "GEMINI_CLI_HOME", "GEMINI_CLI_SYSTEM_SETTINGS_PATH", "OPENCODE_CONFIG", "OPENCODE_CONFIG_CONTENT", "OPENCODE_CONFIG_DIR", "XDG_CONFIG_HOME"} {
		t.Setenv(v, "")
	}
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(home, "src/shop")
	write := func(name, text string) {
		name = filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	passes := func() bool {
		st := gates.State{Cwd: root, Home: home, Roots: []string{root}, Exists: exists, Text: textOf, Names: namesIn, Stamp: stamp}
		st.Aside = asideOf(&st)
		var k gates.Checker
		c := k.Context(gates.Request{Tool: "Write", Args: []byte(`{"file_path":"` + root + `/.claude/scripts/w.sh","content":"ssh prod deploy"}`)}, st)
		d := k.Check(&c, nil)
		return d.Disposition == gates.Approved
	}
	write("src/shop/README.md", "x")
	if !passes() {
		t.Error("a script that nothing names asks")
	}
	write("src/shop/.claude/settings.json", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"bash .claude/scripts/w.sh"}]}]}}`)
	if passes() {
		t.Error("a script that a hook runs passes")
	}
	write("src/shop/.claude/settings.json", `{"permissions":{"allow":["Bash(bash .claude/scripts/w.sh:*)"]}}`)
	if !passes() {
		t.Error("a rule of permissions counts as what starts it")
	}
	write("dotfiles/hooks/h.sh", ". .claude/scripts/w.sh\n")
	write(".claude/x", "")
	if err := os.Symlink(filepath.Join(home, "dotfiles/hooks"), filepath.Join(home, ".claude/hooks")); err != nil {
		t.Skip(err)
	}
	if passes() {
		t.Error("a script that hooks behind a link name passes")
	}
	if err := os.Remove(filepath.Join(home, ".claude/hooks")); err != nil {
		t.Fatal(err)
	}
	write("src/shop/.claude/scripts/w.sh", "x")
	if err := os.Link(filepath.Join(root, ".claude/scripts/w.sh"), filepath.Join(root, ".claude/other.sh")); err == nil && passes() {
		t.Error("a file with two names passes")
	}
	t.Setenv("CLAUDE_CONFIG_DIR", home)
	if passes() {
		t.Error("settings elsewhere are not thought of")
	}
}
