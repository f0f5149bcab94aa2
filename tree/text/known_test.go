package text

import (
	"strings"
	"testing"
)

func TestKnown(t *testing.T) {
	table := Default()
	for _, tt := range []struct {
		name, text  string
		least, most int
	}{
		{"nothing", "", 0, 0},
		{"marks alone", "... ?!", 0, 0},
		{"letters alone say nothing", "a s d f", 0, 0},
		{"plain words", "Fix the bug in the parser and run the tests", 800, 1000},
		{"keyboard rows", "asdf qwer zxcv", 0, 0},
		{"random letters", "xkqv jfhw wpzt vvbq", 0, 100},
		{"half and half, by length", "read xkqv", 500, 500},
		{"parts of a name are words of their own", "readFile write_file", 1000, 1000},
		{"a word longer than any entry", strings.Repeat("ab", 200), 0, 0},
	} {
		if got := table.Known(nil, tt.text); got < tt.least || got > tt.most {
			t.Errorf("%s: %d, want %d to %d", tt.name, got, tt.least, tt.most)
		}
	}
}
