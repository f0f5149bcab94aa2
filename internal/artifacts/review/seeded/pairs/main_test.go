package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/artifacts/review"
)

var sample = filepath.Join("..", "..", "..", "..", "..", "artifacts", "testdata", "vectors", "good-sample.gbt")

// TestPairs: the key says of every pair what the comparison of its files says, half of
// them weaken, and another seed draws others.
func TestPairs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pairs")
	if err := run(dir, sample, 20, 1); err != nil {
		t.Fatal(err)
	}
	key := strings.Split(strings.TrimSpace(read(t, dir+".key")), "\n")
	weaker := 0
	for _, line := range key {
		name, says, _ := strings.Cut(line, " ")
		old, oldInfo := open(t, filepath.Join(dir, name, "old.gbt"))
		new, newInfo := open(t, filepath.Join(dir, name, "new.gbt"))
		found := len(review.Compare(old, new, oldInfo, newInfo).Weakens) > 0
		if found != strings.HasPrefix(says, "WEAKER") {
			t.Errorf("%s: found is %v", line, found)
		}
		if found {
			weaker++
		}
	}
	if len(key) != 20 || weaker != 10 {
		t.Errorf("%d pairs, %d of them weaker", len(key), weaker)
	}
	if err := run(dir+"2", sample, 20, 2); err != nil {
		t.Fatal(err)
	}
	if read(t, dir+".key") == read(t, dir+"2.key") {
		t.Error("another seed draws the same")
	}
}

func TestPairsRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, err := range []error{run("", sample, 20, 1), run(filepath.Join(dir, "a"), sample, 7, 1), run(filepath.Join(dir, "b"), sample, 2000, 1), run(dir, sample, 20, 1)} {
		if err == nil {
			t.Error("nothing was said")
		}
	}
	if files, _ := os.ReadDir(dir); len(files) > 0 {
		t.Errorf("%d files are left behind", len(files))
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func open(t *testing.T, name string) (*artifacts.Policy, *artifacts.Info) {
	t.Helper()
	p, info, err := artifacts.Open([]byte(read(t, name)), artifacts.Trust{})
	if err != nil {
		t.Fatal(err)
	}
	return p, info
}
