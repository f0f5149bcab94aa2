package shell

import "strings"

// sourceComments is how comments and texts of a language are written.
type sourceComments struct {
	line   string // begins a comment that ends with its line
	quotes string // around texts
}

// withoutComments is source without its comments. Where a text does not end, all
// behind its start stays as it is: what reads the rest cannot read that either.
func withoutComments(text string, c sourceComments) string {
	if strings.HasPrefix(text, "#!") { // execve(2); a comment for those that read it
		_, rest, _ := cutAt(text, "\n")
		text = "\n" + rest
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		switch {
		case firstByte(c.quotes, text[i]) >= 0:
			n := quotedLen(text[i:])
			if n == 0 {
				return b.String() + text[i:]
			}
			b.WriteString(text[i : i+n])
			i += n
		case strings.HasPrefix(text[i:], c.line):
			i = skipLine(text, i)
		default:
			b.WriteByte(text[i])
			i++
		}
	}
	return b.String()
}

// quotedLen is the length of a text in quotes with its quotes, which a backslash in front keeps
// from ending it; zero where it does not end.
func quotedLen(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		}
	}
	return 0
}
