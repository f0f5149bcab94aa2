package call

import "testing"

// TestCommentLen: only what all dialects take for a comment is one, and where no
// comment can end none is looked for, or a megabyte of starts would each be looked
// through to the end.
func TestCommentLen(t *testing.T) {
	for _, tt := range []struct {
		text string
		ends bool
		want int
	}{
		{"-- a\nb", false, 4}, {"-- a", false, 4}, {"--", false, 2}, {"--\n", false, 2}, {"--1", false, 0}, {"- -", false, 0},
		{"/* a */ b", true, 7}, {"/* /* */ */", true, 8}, {"/**/", true, 4}, {"/*!1 */", true, 0}, {"/*M!1 */", true, 0}, {"/* a", true, 0},
		{"/* a */", false, 0}, {"", true, 0}, {"# a", true, 0},
	} {
		if got := commentLen(tt.text, tt.ends); got != tt.want {
			t.Errorf("%q, %v: %d", tt.text, tt.ends, got)
		}
	}
}
