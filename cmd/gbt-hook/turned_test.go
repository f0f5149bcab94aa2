package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gbt-policy/gbt/internal/hosts"
)

// TestPointersOfTheSession: the hook takes a work tree for a part of the workspace, and a
// link for a way out of it, by what was there before the session and by what it made.
func TestPointersOfTheSession(t *testing.T) {
	p := newPlace(t)
	for _, name := range gitVariables {
		t.Setenv(name, "")
	}
	in := func(name string) string { return filepath.Join(p.home, name) }
	put(t, in("w/.git/HEAD"), "ref: refs/heads/fix\n")
	put(t, in("w/.git/config"), "[remote \"origin\"]\n\turl = git@git.example:acme/shop.git\n")
	put(t, in("Documents/tax.txt"), "x")
	put(t, in("own/a.txt"), "x")
	args := []string{"-state", in("state")}
	pointers := func(name string) {
		put(t, in("w/.git/worktrees/"+name+"/gitdir"), in(name+"/.git")+"\n")
		put(t, in("w/.git/worktrees/"+name+"/commondir"), "../..\n")
		put(t, in(name+"/.git"), "gitdir: "+in("w/.git/worktrees/"+name)+"\n")
	}
	does := func(command string, then func()) {
		p.claude(t, "a", command, args...)
		then()
		mustZero(t, p.tell(t, "claude-code", p.ranEvent("claude-code", "a", command, false), args...))
	}
	pointers("own")
	does("echo "+in("Documents/.git")+" > .git/worktrees/Documents/gitdir && echo x > "+in("Documents/.git"), func() { pointers("Documents") })
	does("mkdir d && ln -s "+in("Documents")+" d/l", func() {
		if err := os.MkdirAll(in("w/d"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(in("Documents"), in("w/d/l")); err != nil {
			t.Fatal(err)
		}
	})
	for command, want := range map[string]hosts.Outcome{
		"cat " + in("own/a.txt"):                hosts.Proceeds,
		"echo x > " + in("own/b.txt"):           hosts.Proceeds,
		"cat " + in("Documents/tax.txt"):        hosts.Asks,
		"echo x > " + in("Documents/tax.txt"):   hosts.Asks,
		"cat d/l/tax.txt":                       hosts.Asks,
		"cp -rL d out":                          hosts.Asks,
		"cp -r d out":                           hosts.Proceeds,
		"git -C " + in("own") + " log":          hosts.Proceeds,
		"git -C " + in("Documents") + " fetch":  hosts.Asks,
		"git -C " + in("own") + " fetch origin": hosts.Proceeds,
	} {
		if got := p.claude(t, "a", command, args...); got != want {
			t.Errorf("%s: %v, want %v", command, got, want)
		}
	}
}
