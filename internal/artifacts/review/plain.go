package review

import (
	"fmt"
	"strings"
	"unicode"
)

// Plain is text as people can be shown it: what steers the direction of text, or shows
// nothing, is written out, since it could make one name look like another.
func Plain(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == '\n' || r == '\t' || unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
	}
	return b.String()
}
