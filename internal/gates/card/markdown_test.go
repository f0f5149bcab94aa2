package card

import "testing"

// TestEscape: no text of somebody else's becomes a link, a mention or markup.
func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                "plain",
		"*b* <i> [a](b) `c`":   "\\*b\\* \\<i\\> \\[a\\](b) \\`c\\`",
		"cc @org/team":         "cc @<!-- -->org/team",
		"a@b.example":          "a@<!-- -->b.example",
		"see https://x.y":      "see https:<!-- -->//x.y",
		"www.x.y, not WWW.X":   "www<!-- -->.x.y, not WWW<!-- -->.X",
		"fixes #12":            "fixes \\#<!-- -->12",
		"two\nlines":           "two lines",
		"turned \u202e around": "turned \\\\u\\{202e\\} around",
	} {
		if got := escape(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
