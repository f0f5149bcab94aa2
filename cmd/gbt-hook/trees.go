package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
)

// maxTrees bounds how many work trees of one repository are looked at.
const maxTrees = 64

// treesOf returns the work trees of the repositories in the roots that lie elsewhere
// (git-worktree(1)). Those that are linked to a root belong to it and are roots, too. A
// root that is itself linked to another tree is there so that the other one stays as it
// is: that one, and the repository's own files, are to be read alone.
//
// wrote says whether the session wrote one of the pointers between them itself: then they
// make nothing a part of the workspace.
func treesOf(roots []string, home string, wrote func(pointers ...string) bool) (linked []string, kept []gates.Kept) {
	for _, root := range roots {
		own, common := gitDirs(filepath.Join(root, ".git"))
		if common == "" {
			continue
		}
		trees := linkedTrees(common, wrote)
		if own == common {
			for _, t := range trees {
				if narrow(t, home) && !slices.Contains(roots, t) && !slices.Contains(linked, t) {
					linked = append(linked, t)
				}
			}
			continue
		}
		if !pointsBack(own, root) || wrote(own, filepath.Join(root, ".git")) {
			continue // the root says so alone, or the session did
		}
		if filepath.Base(common) == ".git" {
			trees = append(trees, filepath.Dir(common))
		}
		for _, t := range append(trees, common) {
			if narrow(t, home) {
				kept = append(kept, gates.Kept{Dir: t})
			}
		}
	}
	return linked, kept
}

// linkedTrees are the work trees that a repository and they themselves say are linked to
// it (gitrepository-layout(5), worktrees).
func linkedTrees(common string, wrote func(pointers ...string) bool) []string {
	entries, err := os.ReadDir(filepath.Join(common, "worktrees"))
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries[:min(len(entries), maxTrees)] {
		own := filepath.Join(common, "worktrees", e.Name())
		data, err := os.ReadFile(filepath.Join(own, "gitdir"))
		if err != nil {
			continue
		}
		tree := filepath.Dir(from(own, strings.TrimSpace(string(data))))
		if dir := gitDir(filepath.Join(tree, ".git")); dir == own && pointsBack(own, tree) && !wrote(own, filepath.Join(tree, ".git")) {
			out = append(out, tree)
		}
	}
	return out
}

// pointsBack says whether a repository's directory for a work tree names that tree.
func pointsBack(own, tree string) bool {
	data, err := os.ReadFile(filepath.Join(own, "gitdir"))
	return err == nil && from(own, strings.TrimSpace(string(data))) == filepath.Join(tree, ".git")
}
