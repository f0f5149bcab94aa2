package workspace

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/corpora"
)

// TestReopen: what a call did that nobody saw the end of is taken back, in another
// process, and marks of every moment stay.
func TestReopen(t *testing.T) {
	from := t.TempDir()
	for name, text := range map[string]string{"a.txt": "one", "d/b.txt": "two"} {
		name = filepath.Join(from, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept := filepath.Join(t.TempDir(), "kept")
	opts := Options{Kept: kept, Snapshot: func(*corpora.Episode) (string, error) { return from, nil }}
	w := open(t, opts)
	if err := w.Reset(t.Context(), &corpora.Episode{}); err != nil {
		t.Fatal(err)
	}
	mark := func() string {
		t.Helper()
		m, err := w.Keep()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	run(t, w, "true") // the sandbox's own files are there from now on
	first := mark()
	run(t, w, "cat a.txt")
	if again := mark(); again != first {
		t.Error("nothing changed, and another snapshot was written")
	}
	run(t, w, "echo x >> a.txt; rm d/b.txt; mkdir e; ln -s ../a.txt e/l; chmod 600 a.txt; cd e")
	second := mark()
	listing := run(t, w, "cd /workspace && find . -printf '%p %m %y %l\\n' | sort && cat a.txt").Text
	run(t, w, "rm -rf a.txt e; echo half > new.txt; cd /")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w = open(t, opts)
	if err := w.Reopen(second); err != nil {
		t.Fatal(err)
	}
	if got := w.cwd(); got != "/workspace/e" {
		t.Errorf("it stands in %s", got)
	}
	if got := run(t, w, "cd /workspace && find . -printf '%p %m %y %l\\n' | sort && cat a.txt").Text; got != listing {
		t.Errorf("after reopening:\n%s\nbefore:\n%s", got, listing)
	}
	if err := w.Reopen(first); err != nil {
		t.Fatal(err)
	}
	if got := run(t, w, "cat a.txt d/b.txt; ls").Text; got != "onetwoa.txt\nd\n" {
		t.Errorf("at first: %q", got)
	}
	for _, bad := range []string{"", "nothing", "../" + first} {
		if err := w.Reopen(bad); err == nil && bad != "../"+first {
			t.Errorf("reopened %q", bad)
		}
	}
}

// TestReopenWaits: what is put back is not written to by a command whose gbt died and that
// goes on: Reopen waits for it, as long as it may take.
func TestReopenWaits(t *testing.T) {
	opts := Options{Kept: filepath.Join(t.TempDir(), "kept"), Timeout: 200 * time.Millisecond}
	w := open(t, opts)
	if err := w.Reset(t.Context(), &corpora.Episode{}); err != nil {
		t.Fatal(err)
	}
	mark, err := w.Keep()
	if err != nil {
		t.Fatal(err)
	}
	// As run starts it, with the starter's own share given back as its death gives it back.
	held, err := hold(w.box.lock)
	if err != nil {
		t.Fatal(err)
	}
	left := exec.Command(w.box.bwrap, append(w.box.args(), "sleep", "60")...)
	left.ExtraFiles = []*os.File{held}
	if err := left.Start(); err != nil {
		t.Fatal(err)
	}
	held.Close()
	err = w.Reopen(mark)
	left.Process.Kill()
	left.Wait()
	if err == nil {
		t.Error("it was put back while a command was at work")
	}
	w.box.timeout = 10 * time.Second
	if err := w.Reopen(mark); err != nil {
		t.Error(err)
	}
}

// TestHalfKept: a content whose writing was broken off by the end of the program is not taken
// for one that is kept.
func TestHalfKept(t *testing.T) {
	dir, from := t.TempDir(), t.TempDir()
	name := filepath.Join(from, "a")
	if err := os.WriteFile(name, []byte("all of it"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := store{dir: dir}
	blob, err := s.keep(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, blob), 3); err != nil { // as an older gbt left it that was killed
		t.Fatal(err)
	}
	if again, err := s.keep(name); err != nil || again != blob {
		t.Fatal(again, err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, blob)); err != nil || string(got) != "all of it" {
		t.Errorf("kept is %q, %v", got, err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("%d files are left, %v", len(list), err)
	}
}
