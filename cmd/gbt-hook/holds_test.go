package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestHolds: what is read as a whole holds secrets if a file below has the name of one,
// among those that git tracks where those alone are read.
func TestHolds(t *testing.T) {
	r := newRepo(t)
	r.write("d/.env.example", "x\n")
	r.write("d/sub/credentials.json", "x\n")
	r.write("node_modules/x/key.pem", "x\n")
	r.write("tracked/id_rsa", "x\n")
	r.git("add", "tracked", "d/.env.example")
	r.git("commit", "-qm", "two")
	if err := os.MkdirAll(filepath.Join(r.dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path          string
		want, tracked bool
	}{
		{".", true, true}, {"d", true, false}, {"d/sub", true, false}, {"d/c.txt", false, false}, {"tracked", true, true}, {"empty", false, false}, {"gone", false, false},
		{"d/*", true, true}, {"d/*.txt", false, false}, {"d/sub/cred*", true, true}, {"d/sub/*.txt", false, false}, {"node_modules", true, false}, {"d/[", true, true},
		{"./**/*.txt", false, false}, {"./**/*.json", true, true}, {"d/.e*", false, false},
	} {
		path := r.dir + "/" + tt.path
		if tt.path == "." {
			path = r.dir
		}
		if got := holds(path, false); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.path, got, tt.want)
		}
		if got := holds(path, true); got != tt.tracked {
			t.Errorf("%s, what git tracks: %v, want %v", tt.path, got, tt.tracked)
		}
	}
	r.write("top/.env", "x\n")
	if !holds(r.dir+"/top/.e*", false) || holds(r.dir+"/top/*", false) {
		t.Error("a star that does not begin with a dot finds hidden files, or one that does finds none")
	}
}

// TestHoldsIsBounded: where there is too much to look at, there may be anything.
func TestHoldsIsBounded(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for left, want := range map[int]bool{3: true, 4: false} { // the directory counts, too
		l := looker{looked: maxLooked - left}
		if got := l.below(dir); got != want {
			t.Errorf("%d left: %v, want %v", left, got, want)
		}
	}
}
