package shell

import "strings"

// sourceComments is how comments and texts of a language are written.
type sourceComments struct {
	line   string // begins a comment that ends with its line
	open   string // begins one that ends with close; those that nest are read as if they did not, and ask
	close  string
	quotes string // around texts
}

// withoutComments is source without its comments. Where a text or a comment does not end, all
// behind its start stays as it is: what reads the rest cannot read that either.
func withoutComments(text string, c sourceComments) string {
	if strings.HasPrefix(text, "#!") { // execve(2); a comment for those that read it
		_, rest, _ := strings.Cut(text, "\n")
		text = "\n" + rest
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		switch {
		case strings.IndexByte(c.quotes, text[i]) >= 0:
			n := quotedLen(text[i:])
			if n == 0 {
				return b.String() + text[i:]
			}
			b.WriteString(text[i : i+n])
			i += n
		case c.open != "" && strings.HasPrefix(text[i:], c.open):
			n := strings.Index(text[i+len(c.open):], c.close)
			if n < 0 || strings.Contains(text[i+len(c.open):i+len(c.open)+n], c.open) || c.open == "(*" && strings.Contains(text[i:i+n], `"`) {
				return b.String() + text[i:]
			}
			b.WriteByte(' ')
			i += len(c.open) + n + len(c.close)
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
