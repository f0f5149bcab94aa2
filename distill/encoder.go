package distill

import (
	"sync"

	"github.com/gbt-policy/gbt/tree"
	"github.com/gbt-policy/gbt/tree/text"
)

// Encoder embeds texts with a static table. It may be shared by goroutines.
type Encoder struct {
	table   *text.Table
	scratch sync.Pool
}

// NewEncoder returns an encoder over a table.
func NewEncoder(t *text.Table) *Encoder {
	return &Encoder{table: t, scratch: sync.Pool{New: func() any { return new(text.Scratch) }}}
}

// Known returns the share of a text's words that the table knows whole.
func (e *Encoder) Known(words string) tree.Milli {
	s := e.scratch.Get().(*text.Scratch)
	defer e.scratch.Put(s)
	return tree.Milli(e.table.Known(s, words))
}

// Embed returns the direction of a text.
func (e *Encoder) Embed(words string) tree.Vec {
	s := e.scratch.Get().(*text.Scratch)
	defer e.scratch.Put(s)
	return e.table.Vec(s, nil, words)
}
