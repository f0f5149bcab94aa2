package retrieve

import (
	"strings"
	"unicode"
)

// splitNames writes names as words, each name whole and then by its parts:
// "send_email", "sendEmail" and "edit:file" are found by "email" and by "file".
func splitNames(names []string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteString(name)
		b.WriteByte(' ')
		var before rune
		for _, r := range name {
			switch {
			case !unicode.IsLetter(r) && !unicode.IsDigit(r):
				r = ' '
			case unicode.IsUpper(r) && unicode.IsLower(before):
				b.WriteByte(' ')
			}
			b.WriteRune(r)
			before = r
		}
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String())
}

// distinct keeps the first of equal words: the library reads the postings of every
// word that it is asked for, and a query made of a path repeats many.
func distinct(text string) string {
	seen := map[string]bool{}
	var out []string
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		if !seen[word] {
			seen[word] = true
			out = append(out, word)
		}
	}
	return strings.Join(out, " ")
}
