// Package corporatest finds real logs for the tests of other packages, and makes up
// others. The real ones are not part of the repository: they lie in a folder "shared"
// beside it, or nowhere.
//
// What belongs here: where such logs lie, how a test is skipped without them, and
// generators of runs. What never does: logs, what stands in them, and anything that is no
// test's.
package corporatest

import (
	"os"
	"path/filepath"
	"testing"
)

// Shared returns the path of a file or folder of the shared data. Where it is
// absent the test is skipped.
func Shared(t testing.TB, parts ...string) string {
	t.Helper()
	p := Path(parts...)
	if p == "" {
		t.Skip("no shared data: " + filepath.Join(parts...))
	}
	return p
}

// Path is Shared for who can do without: it is empty where the data are absent.
func Path(parts ...string) string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for !exists(filepath.Join(dir, "go.mod")) {
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
	p := filepath.Join(append([]string{dir, "..", "shared"}, parts...)...)
	if !exists(p) {
		return ""
	}
	return p
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
