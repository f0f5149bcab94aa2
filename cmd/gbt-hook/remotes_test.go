package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestRemotesIn(t *testing.T) {
	for name, tt := range map[string]struct {
		config string
		want   []string
	}{
		"one":               {"[core]\n\tbare = false\n[remote \"origin\"]\n\turl = git@github.com:acme/Shop.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n", []string{"github.com/acme/shop"}},
		"two, one by https": {"[remote \"origin\"]\nurl=https://u:t@example.com/a/b\n[remote \"up\"]\n url = ssh://git@example.com:22/a/c.git\n", []string{"example.com/a/b", "example.com/a/c"}},
		"no remote":         {"[branch \"main\"]\n\tremote = origin\n[url \"https://evil.example/\"]\n\tinsteadOf = https://example.com/\n", nil},
		"a directory":       {"[remote \"origin\"]\n\turl = /srv/git/x.git\n", nil},
		"nothing":           {"", nil},
	} {
		if got := parseGit(strings.NewReader(tt.config)).remotes(); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// TestRemotesOf reads the configuration of a repository and of a worktree of it.
func TestRemotesOf(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("main/.git/config", "[remote \"origin\"]\n\turl = https://example.com/a/b.git\n")
	put("main/.git/worktrees/w/commondir", "../..\n")
	put("w/.git", "gitdir: "+filepath.Join(dir, "main/.git/worktrees/w")+"\n")
	put("plain/x", "")
	for root, want := range map[string][]string{"main": {"example.com/a/b"}, "w": {"example.com/a/b"}, "plain": nil, "none": nil} {
		if got := remotesOf([]string{filepath.Join(dir, root)}); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", root, got, want)
		}
	}
}
