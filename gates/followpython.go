package gates

import "github.com/gbt-policy/gbt/internal/gates/shell"

// FollowPython reads what inline Python runs of the workspace's own modules. It is State.FollowPython
// of hosts that let files be read: reader is what reads the code of a call, linked the code with what
// it runs of them.
func FollowPython(reader any, text string) (linked string) { return shell.LinkPython(reader, text) }
