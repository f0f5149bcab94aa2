package retrieve

import (
	"strings"
	"unicode"
)

// parts cuts text at all that is no letter or digit and where a small letter meets
// a capital one: the library's own cutting keeps "send_email", "edit:file" and
// "mail.example" whole, and a person looks for their parts.
func parts(text string) string {
	var b strings.Builder
	var before rune
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = ' '
		case unicode.IsUpper(r) && unicode.IsLower(before):
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// splitNames writes names as words, each name whole and then by its parts: what has
// the whole name comes before what shares a part of it.
func splitNames(names []string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteString(name)
		b.WriteByte(' ')
		b.WriteString(parts(name))
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
