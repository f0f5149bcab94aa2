// Package reviewtest makes documents for the tests of what shows policies.
//
// What belongs here: documents of the format's own vectors. What never does:
// anything that is no test's.
package reviewtest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/artifacts/review"
)

// Sample is the document of the vector good-sample-signed, changed by edit; nil for
// no change. The test stands in a folder beside internal/artifacts/review.
func Sample(t testing.TB, edit func(*artifacts.Policy)) *review.Document {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "artifacts", "testdata", "vectors", "good-sample-signed.gbt"))
	if err != nil {
		t.Fatal(err)
	}
	p, info, err := artifacts.Open(data, artifacts.Trust{})
	if err != nil {
		t.Fatal(err)
	}
	if edit != nil {
		edit(p)
	}
	d, err := review.New(p, info, review.Options{Stats: true})
	if err != nil {
		t.Fatal(err)
	}
	return d
}
