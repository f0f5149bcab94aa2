// Package action imports a higher room.
package action

import "example.org/house/gates"

// Of is the action of a call.
func Of(c gates.Call) string { return c.Tool }
