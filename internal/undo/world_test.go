package undo

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
	"testing"
)

// treeHash is the judge: a walk of its own over names, modes, links, names of one file
// and contents, with everything of a repository but its objects.
func treeHash(t testing.TB, root string) (string, string) {
	t.Helper()
	var lines []string
	inodes := map[uint64][]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		if d.IsDir() && strings.HasSuffix(path, "/.git/objects") {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		line := fmt.Sprintf("%s %v", rel, info.Mode())
		switch {
		case info.Mode().IsRegular():
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			line += fmt.Sprintf(" %x", sha256.Sum256(data))
			if s := info.Sys().(*syscall.Stat_t); s.Nlink > 1 {
				inodes[s.Ino] = append(inodes[s.Ino], rel)
			}
		case info.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			if err != nil {
				return err
			}
			line = rel + " link " + to
		}
		lines = append(lines, line)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, names := range inodes {
		if len(names) > 1 {
			sort.Strings(names)
			lines = append(lines, "one file: "+strings.Join(names, " = "))
		}
	}
	sort.Strings(lines)
	all := strings.Join(lines, "\n")
	sum := sha256.Sum256([]byte(all))
	return hex.EncodeToString(sum[:]), all
}

// difference are the lines that only one of two listings has.
func difference(a, b string) string {
	var out []string
	in := map[string]int{}
	for _, l := range strings.Split(a, "\n") {
		in[l]++
	}
	for _, l := range strings.Split(b, "\n") {
		if in[l]--; in[l] < 0 {
			out = append(out, "+ "+l)
		}
	}
	for l, n := range in {
		if n > 0 {
			out = append(out, "- "+l)
		}
	}
	sort.Strings(out)
	return strings.Join(out[:min(len(out), 20)], "\n")
}

// world is a workspace in which random things happen.
type world struct {
	t    testing.TB
	r    *rand.Rand
	root string
	out  string // a directory beside it: links lead out of the tree, and nothing else of the machine is touched
	git  bool
	log  []string
	seq  int
}

func newWorld(t testing.TB, seed uint64, git bool) *world {
	dir := t.TempDir()
	w := &world{t: t, r: rand.New(rand.NewPCG(seed, 7)), root: filepath.Join(dir, "w"), out: filepath.Join(dir, "out"), git: git}
	must(t, os.Mkdir(w.root, 0o755))
	must(t, os.Mkdir(w.out, 0o755))
	for range 3 + w.r.IntN(12) {
		w.op()
	}
	if git {
		w.run("init", "-q", "-b", "main")
		w.run("config", "user.email", "a@home.example")
		w.run("config", "user.name", "a")
		w.run("add", "-A")
		w.run("commit", "-q", "--allow-empty", "-m", "first")
		for range 2 {
			w.op()
		}
	}
	return w
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// run runs git, and says nothing of what it refuses.
func (w *world) run(args ...string) {
	w.log = append(w.log, "git "+strings.Join(args, " "))
	c := exec.Command("git", append([]string{"-C", w.root}, args...)...)
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	c.Run()
}

func (w *world) names() (files, dirs []string) {
	dirs = []string{w.root}
	filepath.WalkDir(w.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == w.root {
			return nil
		}
		if d.IsDir() {
			if d.Name() == ".git" {
				return fs.SkipDir
			}
			dirs = append(dirs, path)
			return nil
		}
		files = append(files, path)
		return nil
	})
	return files, dirs
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

func (w *world) fresh(dirs []string) string {
	w.seq++
	return filepath.Join(pick(w.r, dirs), fmt.Sprintf("%s%d", pick(w.r, []string{"a", "b é", "c\xff", ".d"}), w.seq))
}

func (w *world) content() []byte {
	b := make([]byte, w.r.IntN(40))
	for i := range b {
		b[i] = byte('a' + w.r.IntN(3))
	}
	return b
}

// op does one random thing. Errors do not matter: what happened, happened.
func (w *world) op() {
	files, dirs := w.names()
	n := w.r.IntN(16)
	name := w.fresh(dirs)
	old := name
	if len(files) > 0 {
		old = pick(w.r, files)
	}
	w.log = append(w.log, fmt.Sprintf("op %d %s %s", n, old, name))
	switch n {
	case 0, 1, 2:
		os.WriteFile(name, w.content(), pick(w.r, []fs.FileMode{0o644, 0o600, 0o755, 0o444}))
	case 3:
		if f, err := os.OpenFile(old, os.O_APPEND|os.O_WRONLY, 0); err == nil {
			f.Write(w.content())
			f.Close()
		}
	case 4:
		os.WriteFile(old, w.content(), 0o644) // the same size often enough
	case 5:
		os.WriteFile(name, w.content(), 0o640)
		os.Rename(name, old)
	case 6:
		os.Remove(old)
	case 7:
		os.MkdirAll(filepath.Join(name, "x", "y"), pick(w.r, []fs.FileMode{0o755, 0o700}))
	case 8:
		if d := pick(w.r, dirs); d != w.root {
			os.RemoveAll(d)
		}
	case 9:
		os.Chmod(old, pick(w.r, []fs.FileMode{0o644, 0o600, 0o755, 0o444, 0o4755}))
	case 10:
		if d := pick(w.r, dirs); d != w.root {
			os.Chmod(d, pick(w.r, []fs.FileMode{0o755, 0o700, 0o555, 0o1777}))
		}
	case 11:
		os.Symlink(pick(w.r, []string{"nowhere", w.out, "..", filepath.Base(old)}), name)
	case 12:
		os.Remove(old)
		os.Symlink("elsewhere", old)
	case 13:
		os.Link(old, name)
	case 14:
		os.Rename(pick(w.r, append(files, dirs...)), name)
	case 15:
		os.Remove(old)
		os.Mkdir(old, 0o755)
		os.WriteFile(filepath.Join(old, "in"), w.content(), 0o644)
	}
}

var gitOps = [][]string{
	{"add", "-A"}, {"commit", "-q", "-a", "-m", "more"}, {"checkout", "-q", "-b", "side"}, {"checkout", "-q", "main"}, {"stash", "-q"}, {"stash", "-q", "-u"},
	{"stash", "pop", "-q"}, {"stash", "drop", "-q"}, {"branch", "-D", "side"}, {"reset", "-q", "--hard"}, {"clean", "-fdq"}, {"tag", "v1"}, {"reset", "-q", "HEAD~1"},
	{"rm", "-q", "-r", "--cached", "."}, {"reflog", "expire", "--expire=now", "--all"}, {"gc", "-q", "--prune=now"}, {"commit", "-q", "--amend", "--allow-empty", "-m", "other"},
	{"checkout", "-q", "--", "."}, {"config", "x.y", "z"},
}

func (w *world) act() {
	if w.git && w.r.IntN(2) == 0 {
		w.run(pick(w.r, gitOps)...)
		return
	}
	w.op()
}

func journal(t testing.TB, root, dir string) *Journal {
	t.Helper()
	j, err := Open(Options{Dir: dir, Root: root})
	must(t, err)
	return j
}

func yes(Change) error { return nil }

func writeAny(name string, data []byte) {
	os.Remove(name)
	os.WriteFile(name, data, 0o644)
}
