package learn

import "strings"

// basePath is an argument's path without the positions in a list at its end:
// recipients.0 and recipients.1 are one argument.
func basePath(path string) string {
	for {
		i := strings.LastIndexByte(path, '.')
		if i < 0 || strings.Trim(path[i+1:], "0123456789") != "" || i+1 == len(path) {
			return path
		}
		path = path[:i]
	}
}
