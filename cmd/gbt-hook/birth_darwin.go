package main

import (
	"os"
	"syscall"
)

// bornAt is when an entry of a directory was made there, in milliseconds; zero where the file
// system does not say.
func bornAt(path string) int64 {
	info, err := os.Lstat(path)
	if err != nil {
		return 0
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0
	}
	return int64(st.Birthtimespec.Sec)*1000 + int64(st.Birthtimespec.Nsec)/1e6
}
