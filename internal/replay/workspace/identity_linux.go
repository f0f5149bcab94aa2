package workspace

import (
	"io/fs"
	"syscall"
)

// identity is what the system knows about a file besides size and time of
// content. The change time cannot be set by a program, so equal identities mean
// an untouched file.
type identity struct {
	dev, ino   uint64
	sec, nanos int64
}

func (i identity) known() bool { return i != identity{} }

func identify(info fs.FileInfo) identity {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return identity{}
	}
	return identity{uint64(st.Dev), st.Ino, int64(st.Ctim.Sec), int64(st.Ctim.Nsec)}
}
