// Package namestest holds tests for sensitive names to one list of what they say.
//
// What belongs here: the list, and how a test is held to it. What never does:
// what makes a name sensitive (package names), and anything that is no test's.
package namestest

import (
	_ "embed"
	"strconv"
	"strings"
	"testing"
)

// list is thousands of names and near misses; its head tells how to read it.
//
//go:embed names.txt
var list string

// Check asks each of says about every name of the list, by the letter that the
// list has for it, and reports where they differ.
func Check(t *testing.T, says map[rune]func(name string) bool) {
	t.Helper()
	cells := 0
	for line := range strings.Lines(list) {
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
			for letter, says := range says {
				if got := says(name); got != strings.ContainsRune(said, letter) {
					t.Errorf("%q: %c says %v", name, letter, got)
				}
			}
			cells++
		}
	}
	if cells < 4000 {
		t.Errorf("only %d names", cells)
	}
}
