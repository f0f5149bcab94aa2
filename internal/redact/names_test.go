package redact

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestNamesInLogs holds what a log shows beside a name to what it showed of the
// names that package names is tested with.
func TestNamesInLogs(t *testing.T) {
	d := detector(t)
	hides := func(text string) bool { return d.redactForms(text) != text }
	checks := []struct {
		letter rune
		says   func(name string) bool
	}{
		{'l', Named},
		{'h', func(n string) bool { return hides(n + ": v4lue") }},
		{'j', func(n string) bool { return hides("X-" + n + ":v4lue") }},
		{'e', func(n string) bool { return hides(n + "=v4lue") }},
		{'p', func(n string) bool { return hides("x --" + n + " v4lue") }},
	}
	data, err := os.ReadFile("../gates/names/testdata/names.txt")
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
