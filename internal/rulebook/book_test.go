package rulebook_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/gbt-policy/gbt/internal/rulebook"
)

// home gives the test a home of its own, and a project.
func home(t *testing.T) (root string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("XDG_STATE_HOME", "")
	root = filepath.Join(dir, "p")
	write(t, filepath.Join(root, ".git/HEAD"), "ref: refs/heads/topic\n")
	return root
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := rulebook.Replace(name, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

// TestAccept: a project's rules count once exactly these bytes under this name were
// accepted; the user's own always do.
func TestAccept(t *testing.T) {
	root := home(t)
	name := rulebook.ProjectFile(root)
	const text = "allow curl https://a.example/*\n"
	untrusted := func() bool { return rulebook.Open([]string{root}).Files[0].Untrusted }
	if b := rulebook.Open([]string{root}); !b.Empty() || len(b.Files) > 0 {
		t.Errorf("%+v", b)
	}
	write(t, name, text)
	if !untrusted() {
		t.Error("it counts before it is accepted")
	}
	if err := rulebook.Accept(name, []byte(text)); err != nil || untrusted() {
		t.Errorf("%v: it does not count", err)
	}
	if err := rulebook.Accept(filepath.Join(root, "other"), []byte(text)); err != nil || untrusted() {
		t.Errorf("%v: another one took its place", err)
	}
	write(t, name, text+"# more\n")
	if !untrusted() {
		t.Error("it changed and counts")
	}
	other := filepath.Join(root, "copy")
	write(t, rulebook.ProjectFile(other), text)
	if !rulebook.Open([]string{other}).Files[0].Untrusted {
		t.Error("the same bytes in another project count")
	}
	write(t, rulebook.UserFile(), text)
	if f := rulebook.Open([]string{filepath.Join(root, "none")}).Files; len(f) != 1 || f[0].Untrusted {
		t.Errorf("%+v", f)
	}
}

// TestUnreadable: a file that is there and cannot be read is no file without rules.
func TestUnreadable(t *testing.T) {
	root := home(t)
	if err := os.MkdirAll(rulebook.ProjectFile(root), 0o755); err != nil {
		t.Fatal(err)
	}
	b := rulebook.Open([]string{root})
	if len(b.Files) != 1 || len(b.Files[0].Faults) != 1 || b.Empty() {
		t.Errorf("%+v", b.Files)
	}
}

// TestFacts of a real repository.
func TestFacts(t *testing.T) {
	root := home(t)
	os.RemoveAll(filepath.Join(root, ".git"))
	if out, err := exec.Command("git", "init", "-q", "-b", "topic", root).CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	below := filepath.Join(root, "a/b")
	if err := os.MkdirAll(below, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{root, below} {
		if v, ok := rulebook.Facts(dir)("branch"); !ok || v != "topic" {
			t.Errorf("%s: %q %v", dir, v, ok)
		}
	}
	if v, ok := rulebook.Facts(root)("tree"); !ok || v != "clean" {
		t.Errorf("%q %v", v, ok)
	}
	write(t, filepath.Join(root, "f"), "x")
	if v, ok := rulebook.Facts(root)("tree"); !ok || v != "dirty" {
		t.Errorf("%q %v", v, ok)
	}
	for _, name := range []string{"remote", "weather", "tests"} {
		if v, ok := rulebook.Facts(root)(name); ok {
			t.Errorf("%s is known: %q", name, v)
		}
	}
	if v, ok := rulebook.Facts("relative")("branch"); ok {
		t.Errorf("%q", v)
	}
}
