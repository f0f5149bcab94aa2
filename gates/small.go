package gates

import (
	"slices"
	"strings"
)

// This file has functions of the library that are called from many places. Not inlined, for the
// size of programs.

// cutAt is strings.Cut.
//
//go:noinline
func cutAt(s, sep string) (before, after string, found bool) { return strings.Cut(s, sep) }

// isAmong says whether a list has a word.
//
//go:noinline
func isAmong(list []string, word string) bool { return slices.Contains(list, word) }
