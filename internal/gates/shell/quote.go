package shell

import (
	"strconv"
	"unicode/utf8"
)

// unescape removes the backslashes of an unquoted literal (POSIX 2.2.1).
func unescape(s string) string { return unescapeOf(s, "") }

// unescapeQuoted removes the backslashes that double quotes honour: those
// before $ ` " \ and a newline (POSIX 2.2.3).
func unescapeQuoted(s string) string { return unescapeOf(s, "$`\"\\\n") }

// unescapeOf removes the backslashes before some bytes, before any where none are given, and with
// one before a newline the newline too.
func unescapeOf(s, honoured string) string {
	if firstByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (honoured == "" || firstByte(honoured, s[i+1]) >= 0) {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b = append(b, s[i])
	}
	return string(b)
}

// ansiC decodes the escapes of $'...' (bash manual, ANSI-C Quoting), which
// echo -e and printf share but for the octal form.
func ansiC(s string) string {
	if firstByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b = append(b, s[i])
			continue
		}
		i++
		n := 0
		b, n = ansiEscape(b, s[i:])
		i += n - 1
	}
	return string(b)
}

// ansiEscape appends what the escape at the start of s (after its backslash)
// stands for and returns how many bytes of s it used.
func ansiEscape(b []byte, s string) ([]byte, int) {
	const simple = "abefnrtv"
	const values = "\a\b\x1b\f\n\r\t\v"
	if i := firstByte(simple, s[0]); i >= 0 {
		return append(b, values[i]), 1
	}
	switch c := s[0]; {
	case c == 'E':
		return append(b, 0x1b), 1
	case c == '\\' || c == '\'' || c == '"' || c == '?':
		return append(b, c), 1
	case c == 'x':
		v, n := digits(s[1:], 2, 16)
		if n == 0 {
			return append(b, '\\', 'x'), 1
		}
		return append(b, byte(v)), 1 + n
	case c == 'u' || c == 'U':
		width := 4
		if c == 'U' {
			width = 8
		}
		v, n := digits(s[1:], width, 16)
		if n == 0 {
			return append(b, '\\', c), 1
		}
		return utf8.AppendRune(b, rune(v)), 1 + n
	case c == 'c' && len(s) > 1:
		return append(b, s[1]&0x1f), 2
	case c >= '0' && c <= '7':
		v, n := digits(s, 3, 8)
		return append(b, byte(v)), n
	}
	return append(b, '\\', s[0]), 1
}

func digits(s string, width, base int) (int64, int) {
	n := 0
	for n < len(s) && n < width {
		if _, err := strconv.ParseInt(s[n:n+1], base, 32); err != nil {
			break
		}
		n++
	}
	v, _ := strconv.ParseInt(s[:n], base, 64)
	return v, n
}
