// Package gates decides.
package gates

import "example.org/house/gates/shell"

type (
	// Call is a call.
	Call struct{ Tool, Command string }
	// Env is another's.
	Env = Call
)

type verdict int

// Check decides.
func (c *Call) Check() bool { return shell.Words(c.Command) > 0 && shell.Words(c.Tool) > 0 }

func (v verdict) Exported() {}
