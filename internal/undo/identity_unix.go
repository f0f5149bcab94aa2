//go:build linux || darwin

package undo

import (
	"io/fs"
	"syscall"
)

func identify(info fs.FileInfo) identity {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return identity{}
	}
	return identity{dev: uint64(s.Dev), ino: uint64(s.Ino), ctime: changeTime(s), links: uint64(s.Nlink)}
}
