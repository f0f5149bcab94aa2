package origin

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// The obvious ways to do what the package does faster, as judges.

func plainStrip(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

func plainDecoded(s string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(s, func(r rune) bool {
		return !(r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune("+/-_=", r))
	}) {
		if len(w) < minEncoded || len(out) >= maxParts {
			continue
		}
		w = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(w, "="))
		if b, err := base64.RawStdEncoding.DecodeString(w); err == nil && printable(b, true) {
			out = append(out, string(b))
		}
	}
	return out
}

// plainMayDate is whether any month's short name stands in the text.
func plainMayDate(s string) bool {
	return slices.ContainsFunc(months[:], func(m struct{ short, long string }) bool { return strings.Contains(strings.ToLower(s), m.short) })
}

func judge(t *testing.T, s string) {
	t.Helper()
	if got, want := strip(s), plainStrip(s); got != want {
		t.Errorf("strip %q: %q, want %q", s, got, want)
	}
	if got, want := decoded(s), plainDecoded(s); !slices.Equal(got, want) {
		t.Errorf("decoded %q: %q, want %q", s, got, want)
	}
	if !mayDate(s) && plainMayDate(s) {
		spaced := strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(r)
			}
			return ' '
		}, s)
		for i, w := range strings.Fields(spaced) {
			if monthOf(w) > 0 && len(days(strings.Fields(spaced), i)) > 0 {
				t.Errorf("%q: passed over the month %q", s, w)
			}
		}
	}
}

func TestSame(t *testing.T) {
	encoded := base64.StdEncoding.EncodeToString
	for _, s := range []string{
		"", "plain words", "Straße 12, Ünïcode", "\xff broken", "on the 5th of May 2024", "summary 5", "é may 5", "x-may 5",
		encoded([]byte("thief@evil.example")), encoded([]byte("hé")) + " " + encoded([]byte("Grüße, Gäste")),
		base64.URLEncoding.EncodeToString([]byte("????>>>>~~~~ what")), "some/long/path_of-files/and+more", "============", "abc=========",
		encoded([]byte("text and\x00zero")), encoded([]byte("the end is \xff")), "aaaaaaaaaaaaa", strings.Repeat(encoded([]byte("many of them")), maxParts+3),
		strings.Repeat(encoded([]byte("many of them"))+" ", maxParts+3),
	} {
		judge(t, s)
		judge(t, fmt.Sprintf("{%q: 1} %s", s, s))
	}
}

func FuzzSame(f *testing.F) {
	for _, s := range []string{"may 5", "dGhpZWZAZXZpbC5leGFtcGxl", "Ünïcode-2024"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { judge(t, s) })
}
