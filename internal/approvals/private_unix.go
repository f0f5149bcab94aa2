//go:build unix

package approvals

import (
	"io/fs"
	"os"
	"syscall"
)

// private says whether a file is this user's and nobody else can write it.
func private(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid() && info.Mode().Perm()&0o022 == 0
}
