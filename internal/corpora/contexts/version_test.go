package contexts

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"testing"
)

// TestVersion1 reads a file of the example logs from before evidence had a
// basis: its leaves are what they were, so policies that pin it still find it.
func TestVersion1(t *testing.T) {
	data, err := os.ReadFile("testdata/version1.parquet")
	if err != nil {
		t.Fatal(err)
	}
	c, err := Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.New()
	for l := range numLabels {
		for _, leaf := range c.Leaves(l) {
			sum.Write(leaf)
		}
	}
	const want = "45c2bb9309bf38c210c892113eeb35b53ba18f62a439c7d5c861a5f39a5dd07e" // of the program that wrote the file
	if got := hex.EncodeToString(sum.Sum(nil)); got != want || c.Len(Unsafe) != 7 || c.Len(Benign) != 66 {
		t.Errorf("%d unsafe and %d benign rows, leaves %s, want %s", c.Len(Unsafe), c.Len(Benign), got, want)
	}
	for _, r := range c.Rows(Unsafe) {
		for _, e := range r.Evidence {
			if e.Basis != "" {
				t.Errorf("row %.12s has a basis: %q", r.ID, e.Basis)
			}
		}
	}
}

// TestBasisIsPinned: what makes a row unsafe is part of its leaf, and of the file.
func TestBasisIsPinned(t *testing.T) {
	leaves := map[string]bool{}
	for _, basis := range []string{"", "located", "checker"} {
		r := row(Unsafe, 1, "task")
		r.Evidence[0].Basis = basis
		c := &Corpus{}
		c.Add(r)
		leaves[string(c.Leaves(Unsafe)[0])] = true
		var b bytes.Buffer
		if err := c.Write(&b); err != nil {
			t.Fatal(err)
		}
		back, err := Read(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			t.Fatal(err)
		}
		if got := back.Rows(Unsafe)[0].Evidence[0].Basis; got != basis {
			t.Errorf("basis %q comes back as %q", basis, got)
		}
	}
	if len(leaves) != 3 {
		t.Errorf("%d leaves for three bases", len(leaves))
	}
}
