package shell

import (
	"slices"
)

// portsOnly says whether a line of adb passes one port of this machine to one of the device,
// or back: both ends are given as tcp:NUMBER, and what answers there is not the line's
// (adb help, forward and reverse).
func portsOnly(args []string) bool {
	if len(args) > 2 && args[0] == "-s" {
		args = args[2:]
	}
	return len(args) == 3 && (args[0] == "forward" || args[0] == "reverse") && !slices.ContainsFunc(args[1:], func(a string) bool {
		port, ok := cutPrefix(a, "tcp:")
		return !ok || len(port) > 5 || number(port) < 0
	})
}
