package replay

import (
	"strings"
	"unicode"
)

// same says whether two results count as equal.
func (o *Options) same(a, b string) bool {
	a, b = trimEnd(a), trimEnd(b)
	if a == b {
		return true
	}
	return o.Loose && bare(a) == bare(b)
}

func trimEnd(s string) string { return strings.TrimRight(s, " \t\r\n") }

// bare keeps the letters of a text and writes every run of digits as one "#", so
// that neither times nor the quotes, escapes and breaks of a serialiser's other
// version make a difference. Signs between digits belong to the run: a date.
func bare(s string) string {
	var b strings.Builder
	digits, escaped := false, false
	for _, r := range s {
		switch {
		case escaped && strings.ContainsRune("nrt", r):
			escaped = false
		case unicode.IsDigit(r):
			if !digits {
				b.WriteByte('#')
			}
			digits, escaped = true, false
		case unicode.IsLetter(r):
			b.WriteRune(r)
			digits, escaped = false, false
		default:
			escaped = r == '\\' && !escaped
		}
	}
	return b.String()
}
