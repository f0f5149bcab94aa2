package names

import (
	"strings"
	"unicode/utf8"
)

// Fold returns a path or pattern with the letter case taken from its names: file
// systems of macOS and Windows find .git under .GIT, and by what Unicode folds to
// the same letters. Characters that HFS+ skips when it compares names are left
// out (CVE-2014-9390). Markers and separators stay.
func Fold(path string) string {
	upper := false
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c >= utf8.RuneSelf:
			return strings.Map(visible, strings.ToLower(strings.ToUpper(path)))
		case c >= 'A' && c <= 'Z':
			upper = true
		}
	}
	if upper {
		return strings.ToLower(path)
	}
	return path
}

func visible(r rune) rune {
	switch {
	case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
		return -1
	}
	return r
}

// element is a folded name as Windows opens it: without a stream behind a colon
// and without dots and spaces at its end (Microsoft, "Naming Files, Paths, and
// Namespaces").
func element(name string) string {
	if i := strings.IndexByte(name, ':'); i > 0 {
		name = name[:i]
	}
	if short := strings.TrimRight(name, ". "); short != "" {
		return short
	}
	return name
}

// shortFor says whether a folded name can be the short one that NTFS makes of a
// long name: its first six letters, or two and four hexadecimal digits, before
// a tilde and a number (Microsoft, "8.3 aliasing").
func shortFor(name, long string) bool {
	stem, number, ok := strings.Cut(name, "~")
	if !ok || stem == "" || number == "" || number[0] < '0' || number[0] > '9' {
		return false
	}
	letters, _, _ := strings.Cut(strings.TrimLeft(long, "."), ".")
	if len(stem) == 6 && strings.Trim(stem[2:], "0123456789abcdef") == "" && strings.HasPrefix(letters, stem[:2]) {
		return true
	}
	return stem == letters[:min(6, len(letters))]
}
