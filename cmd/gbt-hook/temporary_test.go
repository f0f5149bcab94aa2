//go:build unix

package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/hosts"
)

// litterDir is a new directory right below the system's for temporary files.
func litterDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "gbt-litter")
	if err != nil || effect.Temporary(dir) == "" {
		t.Skip("no directory for temporary files: ", err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// fill writes files below a directory.
func fill(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFoundTemporary: files of the user's own alone are temporary.
func TestFoundTemporary(t *testing.T) {
	for _, tt := range []struct {
		name string
		look string // below the directory
		make func(t *testing.T, dir string)
		want bool
	}{
		{"files", "", func(t *testing.T, dir string) { fill(t, dir, "a.txt", "b/c.txt", ".hidden/d") }, true},
		{"one file", "b/c.txt", func(t *testing.T, dir string) { fill(t, dir, "b/c.txt", "a.txt") }, true},
		{"a link in it", "", func(t *testing.T, dir string) {
			fill(t, dir, "a.txt")
			os.Symlink("/usr/bin/env", filepath.Join(dir, "python"))
		}, true},
		{"a link", "l", func(t *testing.T, dir string) { os.Symlink("/usr", filepath.Join(dir, "l")) }, false},
		{"behind a link", "l/a.txt", func(t *testing.T, dir string) {
			fill(t, dir, "b/a.txt")
			os.Symlink("b", filepath.Join(dir, "l"))
		}, false},
		{"a repository in it", "", func(t *testing.T, dir string) { fill(t, dir, "a/.git/HEAD") }, false},
		{"a linked work tree in it", "", func(t *testing.T, dir string) { fill(t, dir, "a/.git") }, false},
		{"a repository above", "src", func(t *testing.T, dir string) { fill(t, dir, ".git/HEAD", "src/a.go") }, false},
		{"a bare repository", "", func(t *testing.T, dir string) { fill(t, dir, "x/HEAD", "x/objects/a") }, false},
		{"a bare repository above", "objects", func(t *testing.T, dir string) { fill(t, dir, "HEAD", "objects/a") }, false},
		{"another version control's", "", func(t *testing.T, dir string) { fill(t, dir, ".hg/store") }, false},
		{"a socket", "", func(t *testing.T, dir string) {
			l, err := net.Listen("unix", filepath.Join(dir, "s"))
			if err != nil {
				t.Skip(err)
			}
			t.Cleanup(func() { l.Close() })
		}, false},
		{"a pipe", "", func(t *testing.T, dir string) { syscall.Mkfifo(filepath.Join(dir, "p"), 0o600) }, false},
		{"a service's own directory for them", "", func(t *testing.T, dir string) {
			fill(t, dir, "tmp/a")
			os.Chmod(filepath.Join(dir, "tmp"), 0o777|os.ModeSticky)
		}, false},
		{"another user's file", "", func(t *testing.T, dir string) {
			fill(t, dir, "a.txt")
			if err := os.Lchown(filepath.Join(dir, "a.txt"), os.Getuid()+1, -1); err != nil {
				t.Skip(err)
			}
		}, false},
		{"what can't be read", "", func(t *testing.T, dir string) {
			fill(t, dir, "a/b")
			os.Chmod(filepath.Join(dir, "a"), 0)
			t.Cleanup(func() { os.Chmod(filepath.Join(dir, "a"), 0o700) })
			if os.Getuid() == 0 {
				t.Skip("this user reads everything")
			}
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := litterDir(t)
			tt.make(t, dir)
			if got := found(filepath.Join(dir, tt.look)); (got == gates.FoundTemporary) != tt.want {
				t.Errorf("found %v", got)
			}
		})
	}
}

// TestFoundTemporaryMounted: what is mounted is no temporary file, also where a directory
// of the same file system is shown at a second place.
func TestFoundTemporaryMounted(t *testing.T) {
	dir := litterDir(t)
	fill(t, dir, "a/x", "b/y")
	if out, err := exec.Command("mount", "--bind", filepath.Join(dir, "b"), filepath.Join(dir, "a")).CombinedOutput(); err != nil {
		t.Skipf("nothing can be mounted here: %s", out)
	}
	t.Cleanup(func() { exec.Command("umount", filepath.Join(dir, "a")).Run() })
	if got := found(dir); got == gates.FoundTemporary {
		t.Error("what is mounted counts as temporary")
	}
	if got := found(filepath.Join(dir, "b")); got != gates.FoundTemporary {
		t.Errorf("beside it: %v", got)
	}
}

// TestFoundTemporaryElsewhere: nothing outside those directories is temporary, nor are they.
func TestFoundTemporaryElsewhere(t *testing.T) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip(err)
	}
	for _, path := range []string{"/tmp", "/var/tmp", "/dev/shm", home, os.Args[0] + "/.."} {
		if found(path) == gates.FoundTemporary && effect.Temporary(path) == "" {
			t.Errorf("%s is temporary", path)
		}
	}
	dir := litterDir(t)
	for i := range maxLooked + 1 {
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if found(dir) == gates.FoundTemporary {
		t.Error("what nobody looked at is temporary")
	}
}

// TestTemporaryInHook: the hook lets go what is temporary, and asks about what lies nearest
// to it. What a call of the session moved there is remembered.
func TestTemporaryInHook(t *testing.T) {
	r := newRepo(t)
	dir := litterDir(t)
	fill(t, dir, "a.txt", "d/b.txt", "clone/.git/HEAD", "clone/x.go")
	r.want(hosts.Proceeds, "rm -f "+dir+"/a.txt")
	r.want(hosts.Proceeds, "cd "+dir+" && rm -rf d && mkdir d")
	r.want(hosts.Proceeds, "D="+dir+`/d; rm -rf "$D"/*`)
	r.want(hosts.Asks, "rm -rf "+dir)
	r.want(hosts.Asks, "rm -rf "+dir+"/clone")
	r.want(hosts.Asks, "rm "+dir+"/clone/x.go")
	r.want(hosts.Asks, "rm -rf "+filepath.Dir(dir)+"/"+filepath.Base(dir)[:6]+"*")
	if err := os.Symlink(r.home, filepath.Join(dir, "l")); err != nil {
		t.Fatal(err)
	}
	fill(t, r.home, "mine/letter.txt")
	r.want(hosts.Asks, "rm -rf "+dir+"/l/mine")
	r.want(hosts.Asks, "rm -rf "+dir+"/l/mine/*")
	fill(t, r.dir, "new.txt")
	r.want(hosts.Proceeds, "mv new.txt "+dir+"/d/")
	r.want(hosts.Asks, "rm -rf "+dir+"/d")
}
