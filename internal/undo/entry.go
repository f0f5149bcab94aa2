package undo

import (
	"io/fs"
	"time"
)

// Kind is what stands under a name.
type Kind uint8

// The kinds. The zero value is nothing at all.
const (
	Absent Kind = iota
	File
	Dir
	Link
	Other // a pipe, a socket or a device: seen, never restored
)

var kindNames = [...]string{"nothing", "file", "directory", "symbolic link", "special file"}

// String returns the kind for people.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "invalid"
}

// Entry is what stands under one name.
type Entry struct {
	Kind Kind   `msgpack:"k"`
	Mode uint32 `msgpack:"m,omitempty"` // permissions with setuid, setgid and sticky as in Go's fs.FileMode
	Size int64  `msgpack:"s,omitempty"`
	Time int64  `msgpack:"t,omitempty"` // modification, in nanoseconds since 1970
	To   string `msgpack:"l,omitempty"` // where a symbolic link leads
	// Ref names the content of a file: "b" and the SHA-256 of what the store keeps, "g" and
	// the name of a git object, or nothing, where it was not kept.
	Ref string `msgpack:"r,omitempty"`
	// Twin is the first name of the same file where it has several (hard links).
	Twin string `msgpack:"h,omitempty"`

	id identity
}

// identity is what the system knows of a file: one that has the same was not
// changed, unless it was looked at while it changed (racy).
type identity struct {
	dev, ino uint64
	ctime    int64
	links    uint64
}

// same says whether two entries hold the same for a person. Times alone are no
// change, and where a content was not kept, size and time have to do.
func (e Entry) same(f Entry) bool {
	if e.Kind != f.Kind || e.Mode != f.Mode || e.To != f.To || e.Twin != f.Twin {
		return false
	}
	if e.Kind == File && (e.Ref == "" || f.Ref == "") {
		return e.Size == f.Size && e.Time == f.Time
	}
	return e.Ref == f.Ref
}

// seen says whether a file is the one that was looked at before, unchanged.
func (e *Entry) seen(f *Entry) bool {
	return e.Kind == File && f.Kind == File && e.id != identity{} && e.id == f.id && e.Size == f.Size && e.Time == f.Time
}

// Change is one name before and after a step.
type Change struct {
	Path   string `msgpack:"p"` // absolute
	Before Entry  `msgpack:"b"`
	After  Entry  `msgpack:"a"`
}

const modeBits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

func entryOf(info fs.FileInfo) Entry {
	e := Entry{Mode: uint32(info.Mode() & modeBits)}
	switch m := info.Mode(); {
	case m.IsDir():
		e.Kind = Dir
	case m.IsRegular():
		e.Kind, e.Size, e.Time = File, info.Size(), info.ModTime().UnixNano()
	case m&fs.ModeSymlink != 0:
		e.Kind, e.Mode = Link, 0 // a link's own mode means nothing (symlink(7))
	default:
		e.Kind = Other
	}
	e.id = identify(info).of(e.Kind)
	return e
}

// of is the identity as it is kept of a kind: of names of one file only files tell.
func (id identity) of(k Kind) identity {
	if k != File {
		id.links = 0
	}
	return id
}

// racy is how long after a file's last change a look at it may have missed another: the
// clock of file systems ticks with the kernel, every 1 to 10 ms (CONFIG_HZ), and
// git calls entries racily clean for the same reason (gitformat-index(5)).
const racy = 20 * time.Millisecond

// settled says whether a look at the time now saw the last of a file.
func (e *Entry) settled(now int64) bool {
	return e.id.ino != 0 && max(e.id.ctime, e.Time) < now-int64(racy)
}
