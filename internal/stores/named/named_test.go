package named

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestOf tells kinds apart by prefix, content and ending.
func TestOf(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{"is-sqlite.db": magic + "x", "is-bbolt.db": "something else, longer than it"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.db"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		want Kind
	}{
		{"bbolt:x", Bolt}, {"sqlite:x.db", SQLite}, {"x.db", Bolt}, {"x.bbolt", Bolt}, {"x.sqlite", SQLite}, {"x.sqlite3", SQLite},
		{"x", ""}, {"", ""}, {"is-sqlite.db", SQLite}, {"is-bbolt.db", Bolt}, {"folder.db", ""}, {"mysql:x", ""},
	} {
		t.Chdir(dir)
		if got, _ := Of(c.name); got != c.want {
			t.Errorf("%q: %q, want %q", c.name, got, c.want)
		}
	}
	if _, err := Open("x"); !errors.Is(err, ErrKind) {
		t.Errorf("no kind: %v", err)
	}
	for _, name := range []string{"a/b.db", "sqlite:c/d"} {
		d, err := Open(name)
		if err != nil || !Exists(name) {
			t.Fatalf("%s: %v", name, err)
		}
		d.Close()
	}
}

// TestDefault: the state directory, or the one below the home.
func TestDefault(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", "/state")
	if got, err := Default(); got != filepath.FromSlash("/state/gbt/sessions.db") || err != nil {
		t.Error(got, err)
	}
	t.Setenv("XDG_STATE_HOME", "relative")
	t.Setenv("HOME", "/home/x")
	if got, err := Default(); got != filepath.FromSlash("/home/x/.local/state/gbt/sessions.db") || err != nil {
		t.Error(got, err)
	}
}
