package shell

import (
	"slices"
	"strings"
)

// This file says whether a word is one of some.

// contains says whether a text is one of some. Not inlined, for the size of programs.
//
//go:noinline
func contains(s string, list ...string) bool {
	for _, l := range list {
		if s == l {
			return true
		}
	}
	return false
}

// ContainsAny says whether one of a list is one of the words. Not inlined, for the size of programs.
//
//go:noinline
func ContainsAny(list []string, words ...string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return isAmong(words, s) })
}

// searchNames says whether a name is one of a sorted list. Not inlined, for the size of programs.
//
//go:noinline
func searchNames(sorted []string, s string) bool {
	_, ok := slices.BinarySearch(sorted, s)
	return ok
}

// hasWord says whether a list separated by blanks has a word.
func hasWord(list, word string) bool {
	for from := 0; word != ""; {
		i := strings.Index(list[from:], word)
		if i < 0 {
			return false
		}
		i += from
		from = i + len(word)
		if (i == 0 || list[i-1] == ' ') && (from == len(list) || list[from] == ' ') {
			return true
		}
	}
	return false
}
