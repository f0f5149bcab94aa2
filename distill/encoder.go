package distill

import (
	"sync"

	"github.com/gbt-policy/gbt/tree"
	"github.com/gbt-policy/gbt/tree/embed"
)

// Encoder embeds texts with a static table. It may be shared by goroutines.
type Encoder struct {
	table   *embed.Table
	scratch sync.Pool
}

// NewEncoder returns an encoder over a table.
func NewEncoder(t *embed.Table) *Encoder {
	return &Encoder{table: t, scratch: sync.Pool{New: func() any { return new(embed.Scratch) }}}
}

// Embed returns the direction of a text.
func (e *Encoder) Embed(text string) tree.Vec {
	s := e.scratch.Get().(*embed.Scratch)
	defer e.scratch.Put(s)
	return e.table.Vec(s, nil, text)
}
