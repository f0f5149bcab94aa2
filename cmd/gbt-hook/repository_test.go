package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// files writes files below a new directory, which is the home too.
func files(t *testing.T, list map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CONFIG_HOME", "")
	for _, name := range gitVariables {
		t.Setenv(name, "")
	}
	for name, text := range list {
		put(t, filepath.Join(dir, name), text)
	}
	return dir
}

// put writes a file with the directories above it.
func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestRepositoryOf: where git would go from each directory, by each kind of setting that
// says so.
func TestRepositoryOf(t *testing.T) {
	const origin = "[remote \"origin\"]\n\turl = git@example.com:a/b.git\n"
	for name, tt := range map[string]struct {
		files               map[string]string
		dir                 string
		to, ref, base, from string // of a push and a fetch without words, and of gh
	}{
		"a clone":                  {map[string]string{"w/.git/HEAD": "ref: refs/heads/x/y\n", "w/.git/config": origin, "w/sub/a": ""}, "w/sub", "example.com/a/b", "x/y", "example.com/a/b", "example.com/a/b"},
		"no branch":                {map[string]string{"w/.git/HEAD": "0123456789\n", "w/.git/config": origin}, "w", "example.com/a/b", "*", "example.com/a/b", "example.com/a/b"},
		"a fork":                   {map[string]string{"w/.git/HEAD": "ref: refs/heads/x\n", "w/.git/config": origin + "[remote \"me\"]\nurl=https://example.com/me/b\n[branch \"x\"]\n remote = origin\n pushRemote = me\n"}, "w", "example.com/me/b", "x", "", "example.com/a/b"},
		"a fork, gh knows":         {map[string]string{"w/.git/HEAD": "ref: refs/heads/x\n", "w/.git/config": origin + "\tgh-resolved = base\n[remote \"me\"]\nurl=https://example.com/me/b\n[remote]\npushDefault = me\n"}, "w", "example.com/me/b", "x", "example.com/a/b", "example.com/a/b"},
		"pushed elsewhere":         {map[string]string{"w/.git/HEAD": "ref: refs/heads/x\n", "w/.git/config": origin + "pushurl = git@other.example:a/b\n"}, "w", "other.example/a/b", "x", "example.com/a/b", "example.com/a/b"},
		"rewritten by the user":    {map[string]string{".gitconfig": "[url \"https://mirror.example/\"]\n insteadOf = git@example.com:\n", "w/.git/HEAD": "ref: refs/heads/x\n", "w/.git/config": origin}, "w", "mirror.example/a/b", "x", "mirror.example/a/b", "mirror.example/a/b"},
		"rewritten for pushes":     {map[string]string{"w/.git/HEAD": "ref: refs/heads/x\n", "w/.git/config": "[url \"ssh://git@push.example/\"]\n pushInsteadOf = git@example.com:\n" + origin}, "w", "push.example/a/b", "x", "example.com/a/b", "example.com/a/b"},
		"included":                 {map[string]string{".gitconfig": "[include]\n path = more\n", "more": "[remote]\n pushDefault = me\n", "w/.git/HEAD": "ref: refs/heads/x\n", "w/.git/config": origin + "[remote \"me\"]\nurl=https://example.com/me/b\n"}, "w", "example.com/me/b", "x", "", "example.com/a/b"},
		"all branches of one name": {map[string]string{"w/.git/HEAD": "ref: refs/heads/x\n", "w/.git/config": origin + "[push]\n default = matching\n"}, "w", "example.com/a/b", "*", "example.com/a/b", "example.com/a/b"},
		"a branch by another name": {map[string]string{"w/.git/HEAD": "ref: refs/heads/x\n", "w/.git/config": origin + "[push]\n default = upstream\n[branch \"x\"]\n remote = origin\n merge = refs/heads/z\n"}, "w", "example.com/a/b", "z", "example.com/a/b", "example.com/a/b"},
		"refspecs of its own":      {map[string]string{"w/.git/HEAD": "ref: refs/heads/x\n", "w/.git/config": origin + "push = refs/heads/*\n"}, "w", "example.com/a/b", "*", "example.com/a/b", "example.com/a/b"},
		"a nested repository":      {map[string]string{"w/.git/HEAD": "ref: refs/heads/x\n", "w/.git/config": origin, "w/n/.git/HEAD": "ref: refs/heads/y\n", "w/n/.git/config": "[remote \"origin\"]\nurl=https://evil.example/a/b\n"}, "w/n", "evil.example/a/b", "y", "evil.example/a/b", "evil.example/a/b"},
		"tags go along":            {map[string]string{"w/.git/HEAD": "ref: refs/heads/x\n", "w/.git/config": origin + "[push]\n followTags = true\n"}, "w", "example.com/a/b", "*", "example.com/a/b", "example.com/a/b"},
		"no tags go along":         {map[string]string{"w/.git/HEAD": "ref: refs/heads/x\n", "w/.git/config": origin + "[push]\n followTags = false\n recurseSubmodules = check\n"}, "w", "example.com/a/b", "x", "example.com/a/b", "example.com/a/b"},
		"submodules go along":      {map[string]string{"w/.git/HEAD": "ref: refs/heads/x\n", "w/.git/config": origin + "[submodule]\n recurse\n"}, "w", "example.com/a/b", "*", "example.com/a/b", "example.com/a/b"},
		"gh takes another one":     {map[string]string{"w/.git/HEAD": "ref: refs/heads/x\n", "w/.git/config": origin + "\tgh-resolved = up/b\n"}, "w", "example.com/a/b", "x", "", "example.com/a/b"},
		"its work tree is named":   {map[string]string{"w/.git/HEAD": "ref: refs/heads/x\n", "w/.git/config": origin + "[core]\n worktree = ../\n"}, "w", "example.com/a/b", "x", "example.com/a/b", "example.com/a/b"},
		"values as git has them":   {map[string]string{"w/.git/HEAD": "ref: refs/heads/x\n", "w/.git/config": "[remote.origin]\n url = \"git@example.com:\"a/\\\nb.git ; \"x\n # \\\n[url \"https://a]b.example/\"] pushInsteadOf = git@example.com:\n"}, "w", "a]b.example/a/b", "x", "example.com/a/b", "example.com/a/b"},
		"a long line":              {map[string]string{"w/.git/HEAD": "ref: refs/heads/x\n", "w/.git/config": "# " + strings.Repeat("x", 70000) + "\n" + origin}, "w", "example.com/a/b", "x", "example.com/a/b", "example.com/a/b"},
		"a linked work tree":       {map[string]string{"m/.git/HEAD": "ref: refs/heads/x\n", "m/.git/config": origin, "m/.git/worktrees/v/HEAD": "ref: refs/heads/v\n", "m/.git/worktrees/v/commondir": "../..\n", "v/.git": "gitdir: ../m/.git/worktrees/v\n"}, "v", "example.com/a/b", "v", "example.com/a/b", "example.com/a/b"},
	} {
		dir := files(t, tt.files)
		r, ok := repositoryOf(filepath.Join(dir, tt.dir))
		if maps := name == "a branch by another name" || name == "refspecs of its own"; r.Maps != maps {
			t.Errorf("%s: maps %v", name, r.Maps)
		}
		to, _ := r.At(r.Sends, true)
		from, _ := r.At(r.Fetches, false)
		base, _ := r.BaseOf()
		if got := [4]string{to, r.Pushes, base, from}; !ok || got != [4]string{tt.to, tt.ref, tt.base, tt.from} {
			t.Errorf("%s: %q %v, want %q", name, got, ok, [4]string{tt.to, tt.ref, tt.base, tt.from})
		}
	}
}

// TestNoRepository: where nobody can tell, nothing is told.
func TestNoRepository(t *testing.T) {
	dir := files(t, map[string]string{
		"w/.git/HEAD": "ref: refs/heads/x\n", "w/.git/config": "[remote \"origin\"]\nurl=https://example.com/a/b\n", "plain/a": "", "gone/.git": "gitdir: /nowhere\n",
		"v/.git/HEAD": "ref: refs/heads/x\n", "v/.git/config": "[includeIf \"gitdir:~/v/\"]\npath=../../more\n", "more": "[url \"https://evil.example/\"]\ninsteadOf=https://example.com/\n",
	})
	for _, d := range []string{"plain", "gone", "w/later", "v"} {
		if r, ok := repositoryOf(filepath.Join(dir, d)); ok {
			t.Errorf("%s: %+v", d, r)
		}
	}
	if _, ok := repositoryOf(filepath.Join(dir, "w")); !ok {
		t.Fatal("the repository itself is not read")
	}
	t.Setenv("GIT_DIR", filepath.Join(dir, "v/.git"))
	if r, ok := repositoryOf(filepath.Join(dir, "w")); ok {
		t.Errorf("with GIT_DIR: %+v", r)
	}
}

// TestSent: what was fetched says which branches a remote has, and which is its own default.
// Nothing is said of a work tree elsewhere, and of settings that are too long to be read.
func TestSent(t *testing.T) {
	const origin = "[remote \"origin\"]\n\turl = git@example.com:a/b.git\n"
	const fetch = "\tfetch = +refs/heads/*:refs/remotes/origin/*\n"
	const at = "0123456789012345678901234567890123456789"
	dir := files(t, map[string]string{
		"w/.git/HEAD": "ref: refs/heads/x\n", "w/.git/config": origin + "[core]\n\tworktree = ../../o\n", "o/a": "",
		"v/.git/HEAD": "ref: refs/heads/x\n", "v/.git/config": strings.Repeat("#\n", maxConfig) + origin,
	})
	for _, name := range []string{"w", "v"} {
		if r, ok := repositoryOf(filepath.Join(dir, name)); ok {
			t.Errorf("%s: %+v", name, r)
		}
	}
	for name, tt := range map[string]struct {
		files   map[string]string
		unsent  bool
		initial string
	}{
		"new":             {map[string]string{"config": origin + fetch, "refs/remotes/origin/HEAD": "ref: refs/remotes/origin/main\n"}, true, "main"},
		"there":           {map[string]string{"config": origin + fetch, "refs/remotes/origin/x/y": at}, false, ""},
		"packed":          {map[string]string{"config": origin + fetch, "packed-refs": at + " refs/remotes/origin/x/y\n"}, false, ""},
		"another, packed": {map[string]string{"config": origin + fetch, "packed-refs": at + " refs/remotes/origin/x/yz\n"}, true, ""},
		"not all fetched": {map[string]string{"config": origin + "\tfetch = +refs/heads/main:refs/remotes/origin/main\n"}, false, ""},
		"nothing fetched": {map[string]string{"config": origin}, false, ""},
	} {
		dir := files(t, map[string]string{"w/.git/HEAD": "ref: refs/heads/x/y\n"})
		for file, text := range tt.files {
			put(t, filepath.Join(dir, "w/.git", file), text)
		}
		if r, ok := repositoryOf(filepath.Join(dir, "w")); !ok || r.Unsent != tt.unsent || r.Default != tt.initial {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
