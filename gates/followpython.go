package gates

import (
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// FollowPython reads what inline Python runs of the workspace's own modules. It is State.FollowPython
// of hosts that let files be read.
func FollowPython(q *effect.Linking) effect.Linked { return shell.LinkPython(q) }
