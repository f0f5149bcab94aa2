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

// cutPrefix is strings.CutPrefix.
//
//go:noinline
func cutPrefix(s, prefix string) (after string, found bool) { return strings.CutPrefix(s, prefix) }

// cutSuffix is strings.CutSuffix.
//
//go:noinline
func cutSuffix(s, suffix string) (before string, found bool) { return strings.CutSuffix(s, suffix) }

// trimPrefix is strings.TrimPrefix.
//
//go:noinline
func trimPrefix(s, prefix string) string { return strings.TrimPrefix(s, prefix) }

// trimSuffix is strings.TrimSuffix.
//
//go:noinline
func trimSuffix(s, suffix string) string { return strings.TrimSuffix(s, suffix) }

// firstByte is strings.IndexByte.
//
//go:noinline
func firstByte(s string, c byte) int { return strings.IndexByte(s, c) }

// lastByte is strings.LastIndexByte.
//
//go:noinline
func lastByte(s string, c byte) int { return strings.LastIndexByte(s, c) }
