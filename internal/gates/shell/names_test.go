package shell

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestNamePatterns holds aimsAtSecrets to what it says of the names that package
// names is tested with.
func TestNamePatterns(t *testing.T) {
	checks := []struct {
		letter rune
		says   func(name string) bool
	}{{'A', aimsAtSecrets}}
	data, err := os.ReadFile("../names/testdata/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	cells := 0
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for cell := range strings.SplitSeq(strings.TrimSuffix(line, "\n"), "\t") {
			quoted, err := strconv.QuotedPrefix(cell)
			if err != nil {
				t.Fatalf("%q: %v", cell, err)
			}
			name, _ := strconv.Unquote(quoted)
			said := cell[len(quoted):]
			for _, c := range checks {
				if got := c.says(name); got != strings.ContainsRune(said, c.letter) {
					t.Errorf("%q: %c says %v", name, c.letter, got)
				}
			}
			cells++
		}
	}
	if cells < 4000 {
		t.Errorf("only %d names", cells)
	}
}
