package main

import (
	"io/fs"
	"syscall"
)

// sinceUnchanged says whether nothing about a file was changed since a moment, its time included.
func sinceUnchanged(info fs.FileInfo, since int64) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Ctim.Nano() < since
}
