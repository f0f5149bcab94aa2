package gates

import "strings"

// cutAt is strings.Cut, which is called from many places. Not inlined, for the size of programs.
//
//go:noinline
func cutAt(s, sep string) (before, after string, found bool) { return strings.Cut(s, sep) }
