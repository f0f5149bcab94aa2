package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gbt-policy/gbt/internal/hosts"
)

// TestRulesLeaveTheGuard: rules that people wrote, however wide, let no call change the
// hook's program, log or state, or the host's settings.
func TestRulesLeaveTheGuard(t *testing.T) {
	a := newAsker(t)
	logs := filepath.Join(a.home, "logs")
	a.more = []string{"-log", filepath.Join(logs, "calls.jsonl")}
	config := filepath.Join(a.home, "config")
	t.Setenv("XDG_CONFIG_HOME", config)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text := "allow write ~/.claude/**\nallow delete ~/.claude/**\nallow write " + a.home + "/**\nallow delete " + a.home + "/**\nallow write " + exe + "\nallow write " + filepath.Dir(exe) + "/**\n"
	for _, dir := range []string{filepath.Join(config, "gbt"), logs, filepath.Join(a.home, ".claude"), filepath.Join(a.home, "notes")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range map[string]string{"config/gbt/rules": text, "logs/calls.jsonl": "", "notes/a": "", ".claude/settings.json": "{}"} {
		if err := os.WriteFile(filepath.Join(a.home, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for command, want := range map[string]hosts.Outcome{
		"echo x > ~/notes/a":                      hosts.Proceeds,
		"echo x > " + exe:                         hosts.Asks,
		"echo x > ~/logs/calls.jsonl":             hosts.Asks,
		"echo x > ~/state/x.json":                 hosts.Asks,
		"echo {} > ~/.claude/settings.json":       hosts.Asks,
		"rm -rf ~/.claude":                        hosts.Asks,
		"echo 'allow rm *' >> ~/config/gbt/rules": hosts.Asks,
	} {
		if got, _ := a.shell(command, command); got != want {
			t.Errorf("%s: %v, want %v", command, got, want)
		}
	}
}
