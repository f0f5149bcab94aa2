package gates

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about sources of compiled languages in a temporary directory, which no project has:
// whoever runs what a compiler made of one runs what stands in it. To compile it asks nothing.

// reachesBuilt says whether a file is such a source and may, once it is compiled, reach more than its
// text shows, as far as anything reads it. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) reachesBuilt(w *effect.Written) bool {
	if !shell.Compiled(w.Path) || strings.HasSuffix(w.Path, ".go") { // those are never vetted then
		return false
	}
	if zone, _, _ := c.places.Where(w.Path); zone != effect.ZoneTemp {
		return false
	}
	return !w.Known || w.Part || !c.places.Computes("", w.Path, w.Text)
}
