package shell

import "strings"

// BatchFile says whether a file is a script of cmd by its name, which Windows runs as one whatever shell starts it.
func BatchFile(file string) bool {
	return strings.HasSuffix(file, ".bat") || strings.HasSuffix(file, ".cmd")
}
