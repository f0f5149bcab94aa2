package episode

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// mark begins what stands for a byte: two hexadecimal digits follow. No path holds
// it (POSIX.1-2024, section 3.141), so that texts which need no escapes have none.
const mark = '\x00'

// escape is a text with every byte that is not UTF-8 as a mark and its digits, and
// every mark itself.
func escape(s string) string {
	if utf8.ValidString(s) && strings.IndexByte(s, mark) < 0 {
		return s
	}
	var out strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == mark || r == utf8.RuneError && n == 1 {
			out.WriteByte(mark)
			out.WriteString(hex.EncodeToString([]byte{s[0]}))
		} else {
			out.WriteString(s[:n])
		}
		s = s[n:]
	}
	return out.String()
}

// unescape is the inverse of escape. What escape would not have written comes out
// as something that is written in another way.
func unescape(s string) string {
	before, rest, found := strings.Cut(s, string(mark))
	if !found {
		return s
	}
	out := []byte(before)
	for found {
		var part string
		part, rest, found = strings.Cut(rest, string(mark))
		digits := part[:min(2, len(part))]
		if b, err := hex.DecodeString(digits); err == nil {
			out = append(out, b...)
		}
		out = append(out, part[len(digits):]...)
	}
	return string(out)
}
