package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gbt-policy/gbt/internal/hosts"
)

// TestLinksOnDisk: a pattern of paths that goes through a link out of the workspace reads there, and
// so does what follows links.
func TestLinksOnDisk(t *testing.T) {
	r := newRepo(t)
	other := filepath.Join(r.home, "other")
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(other, "plain.md"), []byte("x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, filepath.Join(r.dir, "out")); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"cat */plain.md", "grep -R x .", "find -L . -name '*.md' | xargs cat"} {
		r.want(hosts.Asks, line)
	}
	for _, line := range []string{"cat */*.txt", "grep -r x .", "find . -name '*.md' | xargs cat", "find -L . -name '*.txt' | xargs cat"} {
		r.want(hosts.Proceeds, line)
	}
}
