package gates

import "github.com/gbt-policy/gbt/internal/gates/shell"

// FollowPython reads what inline Python runs of the workspace's own modules. It is State.FollowPython
// of hosts that let files be read: reader is what reads the code of a call, linked the code with what
// it runs of them, and where says of which function, file and line each of its lines is.
func FollowPython(reader any, text string) (linked string, where func(line int) string) {
	return shell.LinkPython(reader, text)
}
