package gates

import (
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/gates/shell"
)

// Arg is one leaf of a call's arguments.
type Arg struct {
	Path   string // keys joined by dots, list positions as numbers
	Value  string
	Origin Origin
}

// Origin is where an argument's value came from.
type Origin uint8

// The origins. The zero value is the agent: nothing else is known to have
// named the value.
const (
	OriginAgent Origin = iota
	OriginTask
	OriginUntrusted
)

type builder struct {
	c    *Context
	p    *effect.Places
	call *Call
}

func (b *builder) build() {
	if cmd, ok := CommandOf(b.call.Tool, b.call.Args); ok {
		b.c.Command = cmd
		b.c.Effects = shell.Analyze(cmd, b.p)
		return
	}
	b.c.Effects = []Effect{{}}
}
