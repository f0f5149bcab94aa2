package segment

import (
	"slices"
	"strings"
	"testing"
)

// TestPlainWords: the list is sorted, in lower case and without doubles, so that
// what is added to it is read.
func TestPlainWords(t *testing.T) {
	list := strings.Fields(plainText)
	if len(list) < 500 || len(plainWords()) != len(list) {
		t.Errorf("%d words, %d of them different", len(list), len(plainWords()))
	}
	if !slices.IsSorted(list) {
		t.Error("plain.txt is out of order")
	}
	for _, w := range list {
		if strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") != "" {
			t.Errorf("%q is not a word in lower case", w)
		}
	}
}

func TestPlain(t *testing.T) {
	for word, want := range map[string]string{"file": "file", "files": "file", "address": "address", "File": "", "zorblax": "", "": "", "s": ""} {
		if got, ok := Plain(word); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q %v, want %q", word, got, ok, want)
		}
	}
}
