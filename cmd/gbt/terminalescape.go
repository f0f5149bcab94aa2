package main

import (
	"bytes"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"
)

// terminalEscape is a stream for people, and for terminals, which obey what they are
// shown: control characters out of logs, names and answers of models are
// written as \u001b. Line ends and tabs stay. In JSON, where such characters can
// only stand inside of strings, that is the same text.
type terminalEscape struct{ to io.Writer }

func (s terminalEscape) Write(b []byte) (int, error) {
	safe := escapeControls(b)
	n, err := s.to.Write(safe)
	if err != nil || n < len(safe) {
		return min(n, len(b)), err
	}
	return len(b), nil
}

// escapeControls returns b itself where there is nothing to escape.
func escapeControls(b []byte) []byte {
	if bytes.IndexFunc(b, steers) < 0 {
		return b
	}
	out := make([]byte, 0, len(b)+16)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if steers(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = append(out, b[:n]...)
		}
		b = b[n:]
	}
	return out
}

// steers says whether a terminal may do something else with a character than
// show it: the control characters, and those that turn the direction of text
// around, in which "rm" can look like something else (Unicode TR 36, 3.1).
func steers(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
}
