package mark

import (
	"strings"
	"testing"
)

// TestAmong: each word of a list is found, and nothing else is: no part of one, no two, and not
// the empty one.
func TestAmong(t *testing.T) {
	for _, list := range []string{"", "a", "a b", "a ab abc b", "--y -a", "B a-b a.b aa b bb bbb c cc d e f g hhhhhhhhhhhhhhhhhhhhhhhhh i"} {
		words := strings.Fields(list)
		for _, w := range words {
			if !Among(list, w) {
				t.Errorf("%q has no %q", list, w)
			}
			for _, not := range []string{w + "x", "A" + w, w + " ", " " + w, w[:len(w)-1] + "\x00"} {
				if Among(list, not) {
					t.Errorf("%q has %q", list, not)
				}
			}
		}
		for i := range words[min(1, len(words)):] {
			if two := words[i] + " " + words[i+1]; Among(list, two) {
				t.Errorf("%q has %q", list, two)
			}
		}
		if Among(list, "") || Among(list, "zz") || Among(list, " ") {
			t.Errorf("%q has what is no word", list)
		}
	}
}

func BenchmarkAmong(b *testing.B) {
	list := strings.TrimSpace(strings.Repeat("aaaaaaaa ", 200) + "b")
	for b.Loop() {
		Among(list, "b")
	}
}
