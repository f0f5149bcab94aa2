package review

import "testing"

// TestPlain writes out what would change how other text looks.
func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"read file": "read file", "naïve 日本": "naïve 日本", "a\u202eb": `a\u{202e}b`, "a\x00\x1bb": `a\u{0}\u{1b}b`, "a\u200bb": `a\u{200b}b`,
	} {
		if got := Plain(in); got != want {
			t.Errorf("Plain(%q) = %q, want %q", in, got, want)
		}
	}
}
