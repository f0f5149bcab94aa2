package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/hosts"
)

// TestHookSeesRepositories: the hook itself, from its input to its answer, knows where git
// goes from each directory, which work trees belong to the workspace, and what -read names.
func TestHookSeesRepositories(t *testing.T) {
	p := newPlace(t)
	for _, name := range gitVariables {
		t.Setenv(name, "")
	}
	t.Setenv("XDG_CONFIG_HOME", "")
	in := func(name string) string { return filepath.Join(p.home, name) }
	put(t, in("w/.git/HEAD"), "ref: refs/heads/fix\n")
	put(t, in("w/.git/config"), "[remote \"origin\"]\n\turl = git@example.com:acme/shop.git\n")
	put(t, in("w/n/.git/HEAD"), "ref: refs/heads/main\n")
	put(t, in("w/n/.git/config"), "[remote \"origin\"]\n\turl = https://evil.example/a/b\n")
	put(t, in("w/.git/worktrees/v/gitdir"), in("v/.git")+"\n")
	put(t, in("w/.git/worktrees/v/commondir"), "../..\n")
	put(t, in("v/.git"), "gitdir: "+in("w/.git/worktrees/v")+"\n")
	put(t, in("lib/a.go"), "package a\n")
	put(t, in("other/a.go"), "package a\n")
	put(t, in("twin/.git/HEAD"), "ref: refs/heads/main\n")
	put(t, in("twin/.git/config"), "[remote \"origin\"]\n\turl = https://example.com/acme/shop\n")
	put(t, in("twin/a.go"), "package a\n")
	put(t, in("twin/sub/.git/HEAD"), "ref: refs/heads/main\n")
	put(t, in("twin/sub/.git/config"), "[remote \"origin\"]\n\turl = https://example.com/acme/other\n")
	put(t, in("twin/sub/a.go"), "package a\n")
	put(t, in("twin/.env"), "K=1\n")
	put(t, in("twin/src/b.go"), "package a\n")
	put(t, in("twin/led/c.go"), "package a\n")
	put(t, in("private/notes"), "mine\n")
	if err := os.Symlink(in("private"), in("twin/led/link")); err != nil {
		t.Fatal(err)
	}
	put(t, in("fork/.git/HEAD"), "ref: refs/heads/main\n")
	put(t, in("fork/.git/config"), "[remote \"origin\"]\n\turl = https://example.com/me/shop\n")
	put(t, in("fork/a.go"), "package a\n")
	for _, tt := range []struct {
		line, says string
		want       hosts.Outcome
	}{
		{"git push", "example.com/acme/shop", hosts.Asks},
		{"git push -u origin HEAD", "example.com/acme/shop", hosts.Asks},
		{"cd n && git push", "evil.example/a/b", hosts.Asks},
		{"git -C n push origin main", "evil.example/a/b", hosts.Asks},
		{"git fetch", "", hosts.Proceeds},
		{"git fetch elsewhere", "", hosts.Asks},
		{"echo x > ../v/new", "", hosts.Proceeds},
		{"echo x > ../other/new", "", hosts.Asks},
		{"cat ../lib/a.go", "", hosts.Proceeds},
		{"cat ../other/a.go", "", hosts.Asks},
		{"echo x > ../lib/a.go", "", hosts.Asks},
		{"sh ../lib/run.sh", "", hosts.Asks},
		{"cat ../lib/.env", "", hosts.Asks},
		{"cat ../twin/a.go && grep -rn package ../twin/a.go", "", hosts.Proceeds},
		{"grep -rn x ../twin", "", hosts.Asks}, // with the .env in it
		{"grep -rn x ../twin/src", "", hosts.Proceeds},
		{"grep -R x ../twin/led", "", hosts.Asks},
		{"cp -rL ../twin/led copy", "", hosts.Asks},
		{"cat ../twin/.env", "", hosts.Asks},
		{"cat ../twin/.git/config", "", hosts.Asks},
		{"cat ../twin/sub/a.go", "", hosts.Asks},
		{"cat ../twin/$X", "", hosts.Asks},
		{"cat ../fork/a.go", "", hosts.Asks},
		{"echo x > ../twin/a.go", "", hosts.Asks},
		{"sh ../twin/run.sh", "", hosts.Asks},
		{"git remote set-url origin https://example.com/me/shop && cat ../fork/a.go", "", hosts.Asks},
	} {
		got, text := p.hook(t, "claude-code", p.shellCall("claude-code", "a", tt.line), "-state", "none", "-read", in("lib"))
		if got != tt.want || !strings.Contains(text, tt.says) {
			t.Errorf("%s: %v, want %v saying %q\n%s", tt.line, got, tt.want, tt.says, text)
		}
	}
	if got, _ := p.hook(t, "claude-code", p.shellCall("claude-code", "a", "cat ../lib/a.go"), "-state", "none"); got != hosts.Asks {
		t.Errorf("without -read: %v", got)
	}
	for _, wide := range []string{p.home, "/", "/home"} {
		if got, _ := p.hook(t, "claude-code", p.shellCall("claude-code", "a", "ls"), "-state", "none", "-read", wide); got != hosts.Blocks {
			t.Errorf("-read %s: %v", wide, got)
		}
	}
}
