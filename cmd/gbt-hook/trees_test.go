package main

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestTreesOf: a repository's linked work trees are its roots; from a linked one the
// others may be read. One side's word is not enough.
func TestTreesOf(t *testing.T) {
	dir := files(t, map[string]string{"p/m/.git/HEAD": "ref: refs/heads/x\n", "p/m/.git/config": ""})
	at := func(name string) string { return filepath.Join(dir, name) }
	link := func(name, gitdir, own string) {
		t.Helper()
		put(t, at("p/m/.git/worktrees/"+name+"/gitdir"), gitdir+"\n")
		put(t, at("p/m/.git/worktrees/"+name+"/commondir"), "../..\n")
		if own != "" {
			put(t, at("p/"+name+"/.git"), "gitdir: "+own+"\n")
		}
	}
	link("v", at("p/v/.git"), at("p/m/.git/worktrees/v"))
	link("w", "../../../../w/.git", "../m/.git/worktrees/w")    // as git writes with relative paths
	link("ssh", at("p/ssh/.git"), "")                           // the repository alone says so
	link("other", at("p/other/.git"), at("q/.git/worktrees/o")) // belongs elsewhere
	put(t, at("p/liar/.git"), "gitdir: "+at("p/m/.git/worktrees/v")+"\n")

	none := func(...string) bool { return false }
	linked, kept := treesOf([]string{at("p/m")}, at("home"), none)
	if want := []string{at("p/v"), at("p/w")}; !slices.Equal(linked, want) || len(kept) > 0 {
		t.Errorf("linked to the main tree: %q %v, want %q", linked, kept, want)
	}
	linked, kept = treesOf([]string{at("p/v")}, at("home"), none)
	var dirs []string
	for _, k := range kept {
		if k.Write {
			t.Errorf("%s may be written", k.Dir)
		}
		dirs = append(dirs, k.Dir)
	}
	if want := []string{at("p/v"), at("p/w"), at("p/m"), at("p/m/.git")}; len(linked) > 0 || !slices.Equal(dirs, want) {
		t.Errorf("from a linked one: %q %q, want to read %q", linked, dirs, want)
	}
	if linked, kept = treesOf([]string{at("p/liar"), at("p/none")}, at("home"), none); len(linked)+len(kept) > 0 {
		t.Errorf("a tree that says so alone: %q %v", linked, kept)
	}
}
