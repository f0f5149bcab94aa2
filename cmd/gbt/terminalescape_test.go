package main

import (
	"bytes"
	"testing"
)

func TestShown(t *testing.T) {
	for in, want := range map[string]string{
		"plain é\tx\n":        "plain é\tx\n",
		"\x1b[2J\x07":         `\u001b[2J\u0007`,
		"a\rb":                `a\u000db`,
		"\u0085\u009b31m\x7f": `\u0085\u009b31m\u007f`,
		"rm \u202e x":         `rm \u202e x`,
		"\xff\xfe not text":   "\xff\xfe not text",
		"{\"a\":\"\u009b\"}":  `{"a":"\u009b"}`,
	} {
		var b bytes.Buffer
		n, err := terminalEscape{&b}.Write([]byte(in))
		if n != len(in) || err != nil || b.String() != want {
			t.Errorf("%q: %d %v %q, want %q", in, n, err, b.String(), want)
		}
	}
}

func TestCell(t *testing.T) {
	if got, want := cell("a|b\nc`d\x1b<i>"), `a\|b c`+"\\`"+`d\u001b&lt;i>`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
