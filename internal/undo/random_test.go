package undo

import (
	"flag"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var sequences = flag.Int("sequences", 150, "random sequences of TestRandomSequences")

// TestRandomSequences: whatever calls do to a workspace, taking them back restores it byte for
// byte, and taking that back restores what they had made.
func TestRandomSequences(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("git is needed")
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	changed := 0
	for i := range *sequences {
		if !t.Run("", func(t *testing.T) { changed += randomSequence(t, seed+uint64(i), i%6 == 0) }) {
			break
		}
	}
	if changed < *sequences/2 {
		t.Errorf("only %d sequences changed anything", changed)
	}
}

func randomSequence(t *testing.T, seed uint64, git bool) (changed int) {
	w := newWorld(t, seed, git)
	dir := filepath.Join(t.TempDir(), "j")
	before, listed := treeHash(t, w.root)
	for range 1 + w.r.IntN(5) {
		w.call(dir)
	}
	after, made := treeHash(t, w.root)
	undone := w.undo(dir, Selection{Sessions: []string{"s"}})
	if got, now := treeHash(t, w.root); got != before {
		t.Fatalf("seed %d: not as before:\n%s\n%s\nleft: %v", seed, difference(listed, now), strings.Join(w.log, "\n"), undone.Left)
	}
	if git {
		if out, err := exec.Command("git", "-C", w.root, "fsck", "--connectivity-only").CombinedOutput(); err != nil {
			t.Fatalf("seed %d: git fsck: %s\n%s", seed, out, strings.Join(w.log, "\n"))
		}
	}
	redone := w.undo(dir, Selection{Steps: []string{undone.ID}})
	if got, now := treeHash(t, w.root); got != after {
		t.Fatalf("seed %d: not as made:\n%s\n%s\nleft: %v", seed, difference(made, now), strings.Join(w.log, "\n"), redone.Left)
	}
	if before != after {
		return 1
	}
	return 0
}

// call is one call, of which the journal is told in one of two ways. Each opens the journal
// anew, as the processes of a hook do.
func (w *world) call(dir string) {
	w.log = append(w.log, "call")
	c := Call{Session: "s", What: "something"}
	if w.r.IntN(3) == 0 {
		w.exact(dir, c)
		return
	}
	j := journal(w.t, w.root, dir)
	id, err := j.Before(c)
	must(w.t, err)
	must(w.t, j.Close())
	for range w.r.IntN(5) {
		w.act()
	}
	j = journal(w.t, w.root, dir)
	must(w.t, j.After(id))
	must(w.t, j.Close())
}

// exact is a call that names all it changes.
func (w *world) exact(dir string, c Call) {
	files, dirs := w.names()
	c.Paths = []string{filepath.Join(w.fresh(dirs), "deep", "er")}
	if len(files) > 0 && w.r.IntN(2) == 0 {
		c.Paths = []string{pick(w.r, files)}
	}
	j := journal(w.t, w.root, dir)
	id, err := j.Before(c)
	must(w.t, err)
	w.log = append(w.log, "write "+c.Paths[0])
	exec.Command("mkdir", "-p", filepath.Dir(c.Paths[0])).Run()
	writeAny(c.Paths[0], w.content())
	must(w.t, j.After(id))
	must(w.t, j.Close())
}

func (w *world) undo(dir string, s Selection) *Report {
	w.t.Helper()
	j := journal(w.t, w.root, dir)
	defer j.Close()
	steps, err := j.Select(s)
	must(w.t, err)
	p, err := j.Plan(steps, false)
	must(w.t, err)
	r, err := j.Apply(p, yes)
	must(w.t, err)
	return r
}
