package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// toolchain judges a word +NAME before all others: rustup's name of a toolchain, or the
// directory of one, whose programs then run (rustup book, Overrides).
func (r *toolRun) toolchain(word string) {
	if strings.ContainsAny(word, `/\`) || mark.Has(word) {
		r.m.escape(r.t.name + " " + word)
	}
}
