package call

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

// TestNamesOfToolsAndArguments holds the tests for tools that read secrets and
// arguments that set them to what they say of the names that package names is
// tested with.
func TestNamesOfToolsAndArguments(t *testing.T) {
	b := &builder{c: &Call{}}
	checks := []struct {
		letter rune
		says   func(name string) bool
	}{
		{'o', secretTool},
		{'O', func(n string) bool { return secretTool("get_" + n) }},
		{'a', func(n string) bool { return b.guessRole(n, false) == effect.RoleSecret }},
	}
	data, err := os.ReadFile("../../internal/gates/names/testdata/names.txt")
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
