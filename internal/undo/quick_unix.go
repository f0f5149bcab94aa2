//go:build linux || darwin

package undo

import (
	"bytes"
	"io/fs"

	"golang.org/x/sys/unix"
)

// spot is a directory that names are looked up in: the system then need not walk the
// whole path of each.
type spot struct {
	dir []byte
	fd  int
	in  bool
	err error
}

func (p *spot) leave() {
	if p.in {
		unix.Close(p.fd)
	}
	p.in = false
}

// enter goes to a directory. One that a link stands for now is none.
func (p *spot) enter(dir []byte) error {
	if bytes.Equal(p.dir, dir) {
		return p.err
	}
	p.leave()
	p.dir = append(p.dir[:0], dir...)
	p.fd, p.err = unix.Open(string(dir), unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if p.err == unix.ENOTDIR || p.err == unix.ELOOP {
		p.err = fs.ErrNotExist
	}
	p.in = p.err == nil
	return p.err
}

// entry is what stands under a name now, but for texts and contents.
func (p *spot) entry(path []byte) (e Entry, err error) {
	var st unix.Stat_t
	i := bytes.LastIndexByte(path, '/')
	if i < 1 {
		err = unix.Lstat(string(path), &st)
	} else if err = p.enter(path[:i]); err == nil {
		err = unix.Fstatat(p.fd, string(path[i+1:]), &st, unix.AT_SYMLINK_NOFOLLOW)
	}
	if err != nil {
		return e, err
	}
	return entryOfStat(&st), nil
}

var special = [...]struct {
	bit  uint32
	mode fs.FileMode
}{{unix.S_ISUID, fs.ModeSetuid}, {unix.S_ISGID, fs.ModeSetgid}, {unix.S_ISVTX, fs.ModeSticky}}

// entryOfStat is entryOf by what the system says itself.
func entryOfStat(st *unix.Stat_t) (e Entry) {
	e.Mode = uint32(st.Mode & 0o777)
	for _, b := range special {
		if uint32(st.Mode)&b.bit != 0 {
			e.Mode |= uint32(b.mode)
		}
	}
	switch uint32(st.Mode) & unix.S_IFMT {
	case unix.S_IFDIR:
		e.Kind = Dir
	case unix.S_IFREG:
		e.Kind, e.Size, e.Time = File, st.Size, st.Mtim.Nano()
	case unix.S_IFLNK:
		e.Kind, e.Mode = Link, 0
	default:
		e.Kind = Other
	}
	e.id = identity{dev: uint64(st.Dev), ino: st.Ino, ctime: st.Ctim.Nano(), links: uint64(st.Nlink)}.of(e.Kind)
	return e
}
