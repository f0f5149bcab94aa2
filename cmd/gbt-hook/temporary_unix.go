//go:build unix

package main

import (
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// placeOf says on which file system an entry lies and whose it is.
func placeOf(info fs.FileInfo) (disk uint64, owner int, err error) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, fs.ErrInvalid
	}
	return uint64(st.Dev), int(st.Uid), nil
}

// linked says whether a file has several names.
func linked(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink > 1
}

// mountInfo is where Linux tells what is mounted (proc_pid_mountinfo(5)); other systems
// have no such file, and none that shows one directory at two places of one file system.
const mountInfo = "/proc/self/mountinfo"

// mountedBelow says whether something is mounted at a path or below it.
func mountedBelow(path string) bool {
	data, err := os.ReadFile(mountInfo)
	if err != nil {
		return !os.IsNotExist(err)
	}
	for line := range strings.Lines(string(data)) {
		if fields := strings.Fields(line); len(fields) < 5 || mark.Under(mountEscapes.Replace(fields[4]), path) {
			return true
		}
	}
	return false
}

// mountEscapes undoes what stands for blanks and backslashes in that file.
var mountEscapes = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
