package gitread

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com"}, args...)...)
	cmd.Dir, cmd.Env = dir, []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// listing is a tree and all below it, as git ls-tree -r -t prints it.
func listing(t *testing.T, s *Store, id ID, dir string) string {
	t.Helper()
	entries, err := s.Tree(id)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range entries {
		kind := "blob"
		if e.Mode == 0o40000 {
			kind = "tree"
		}
		fmt.Fprintf(&b, "%06o %s %s\t%s\n", e.Mode, kind, e.ID, dir+e.Name)
		if kind == "tree" {
			b.WriteString(listing(t, s, e.ID, dir+e.Name+"/"))
		}
	}
	return b.String()
}

// TestRead: objects read as git reads them, loose, packed with deltas, and borrowed.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	for i := range 40 { // trees that differ in little, so that packs have deltas
		for _, name := range []string{"a", "b/c", "b/d/e"} {
			full := filepath.Join(dir, fmt.Sprintf("%s-%d.txt", name, i))
			if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(full, []byte(fmt.Sprint("text ", i)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		git(t, dir, "add", ".")
		git(t, dir, "commit", "-qm", fmt.Sprint(i))
	}
	check := func(what, common string) {
		t.Helper()
		s := Open(common)
		defer s.Close()
		for _, rev := range []string{"HEAD", "HEAD~1", "HEAD~20", "HEAD~39"} {
			id, _ := ParseID(git(t, dir, "rev-parse", rev))
			c, err := s.Commit(id)
			if err != nil || c.Tree.String() != git(t, dir, "rev-parse", rev+"^{tree}") {
				t.Fatalf("%s: %s: %v %v", what, rev, c, err)
			}
			if n := len(c.Parents); rev == "HEAD~39" && n != 0 || rev != "HEAD~39" && (n != 1 || c.Parents[0].String() != git(t, dir, "rev-parse", rev+"^")) {
				t.Errorf("%s: %s: parents %v", what, rev, c.Parents)
			}
			if got, want := strings.TrimSpace(listing(t, s, c.Tree, "")), git(t, dir, "ls-tree", "-r", "-t", rev); got != want {
				t.Errorf("%s: %s:\n%s\nwant\n%s", what, rev, got, want)
			}
			if _, err := s.Tree(id); err == nil {
				t.Errorf("%s: a commit was read as a tree", what)
			}
		}
		if _, err := s.Commit(ID{1}); err == nil {
			t.Errorf("%s: an object that is not there was read", what)
		}
	}
	check("loose", filepath.Join(dir, ".git"))
	git(t, dir, "gc", "-q", "--aggressive", "--prune=now")
	if out := git(t, dir, "count-objects"); !strings.HasPrefix(out, "0 ") {
		t.Fatal(out)
	}
	check("packed", filepath.Join(dir, ".git"))
	other := t.TempDir()
	git(t, other, "clone", "-q", "--shared", dir, "x")
	check("borrowed", filepath.Join(other, "x", ".git"))
}

// TestBrokenPack: bytes that are no pack tell nothing, and end.
func TestBrokenPack(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "one")
	git(t, dir, "gc", "-q")
	id, _ := ParseID(git(t, dir, "rev-parse", "HEAD"))
	for _, pattern := range []string{"*.idx", "*.pack"} {
		list, _ := filepath.Glob(filepath.Join(dir, ".git/objects/pack", pattern))
		if len(list) != 1 {
			t.Fatal(list)
		}
		os.Chmod(list[0], 0o644)
		whole, err := os.ReadFile(list[0])
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(whole); i += 5 {
			b := append([]byte(nil), whole...)
			b[i] ^= 0xff
			if err := os.WriteFile(list[0], b, 0o644); err != nil {
				t.Fatal(err)
			}
			s := Open(filepath.Join(dir, ".git"))
			if c, err := s.Commit(id); err == nil {
				s.Tree(c.Tree)
			}
			s.Close()
			if err := os.WriteFile(list[0], whole[:i], 0o644); err != nil {
				t.Fatal(err)
			}
			s = Open(filepath.Join(dir, ".git"))
			s.Commit(id)
			s.Close()
		}
		if err := os.WriteFile(list[0], whole, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, delta := range []string{"", "\x01\x01\x00", "\x01\x05\x91\x00\x05", "\x01\x02\x05ab", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01"} {
		if out, err := applied([]byte("x"), []byte(delta)); err == nil {
			t.Errorf("%q: %q", delta, out)
		}
	}
}

// TestBounds: directories that borrow from themselves, pipes, and more than a call may read.
func TestBounds(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	git(t, dir, "commit", "-qm", "one", "--allow-empty")
	id, _ := ParseID(git(t, dir, "rev-parse", "HEAD"))
	objects := filepath.Join(dir, ".git/objects")
	var lines strings.Builder
	for i := range 100 {
		fmt.Fprintf(&lines, "../objects\n%s\n%s/%d\n", objects, objects, i)
		name := filepath.Join(objects, fmt.Sprint(i), "info")
		if err := os.MkdirAll(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 100 {
		if err := os.WriteFile(filepath.Join(objects, fmt.Sprint(i), "info/alternates"), []byte(lines.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(objects, "info/alternates"), []byte(lines.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	s := Open(filepath.Join(dir, ".git"))
	defer s.Close()
	if len(s.dirs) > maxDirs {
		t.Error(len(s.dirs))
	}
	if _, err := s.Commit(id); err != nil {
		t.Error(err)
	}
	s.spent = maxInflated + 1
	if _, err := s.Commit(id); err == nil {
		t.Error("more than may be read")
	}
	pipe := ID{1}
	name := filepath.Join(objects, pipe.String()[:2], pipe.String()[2:])
	os.MkdirAll(filepath.Dir(name), 0o755)
	if err := exec.Command("mkfifo", name).Run(); err != nil {
		t.Skip(err)
	}
	s = Open(filepath.Join(dir, ".git"))
	defer s.Close()
	if _, err := s.Commit(pipe); err == nil {
		t.Error("a pipe")
	}
}
