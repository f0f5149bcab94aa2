package undo

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
)

// clean is what git's index says of a file that is as git last saw it.
type clean struct {
	mtime, ctime int64 // nanoseconds, where git was built with them
	ino, size    uint32
	oid          string
}

// gitIndex reads the part of an index that says which files git can give back
// (gitformat-index(5), versions 2 to 4). A reader of a library was not taken: those
// there are decode by reflection, which took ten times as long, and this is read
// before every call. What it does not know is an error, and then contents are copied.
func gitIndex(name string) (map[string]clean, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	r := indexReader{data: data, written: info.ModTime().UnixNano()}
	return r.read()
}

type indexReader struct {
	data    []byte
	at      int
	version uint32
	written int64
	name    []byte
}

var errIndex = errors.New("an index of a form that is not known")

const (
	statSize     = 40 // ctime, mtime, dev, ino, mode, uid, gid, size: 32 bits each, times two
	sha1Size     = 20
	flagExtended = 0x4000
	flagStage    = 0x3000
	flagNoIndex  = 0x8000 // assume-valid: git does not look, so its word is worth nothing
	flagSkipTree = 0x4000 // of the second flags
)

func (r *indexReader) read() (map[string]clean, error) {
	if len(r.data) < 12 || string(r.data[:4]) != "DIRC" {
		return nil, errIndex
	}
	r.version = binary.BigEndian.Uint32(r.data[4:])
	n := binary.BigEndian.Uint32(r.data[8:])
	if r.version < 2 || r.version > 4 || uint64(n)*(statSize+sha1Size) > uint64(len(r.data)) {
		return nil, errIndex
	}
	r.at = 12
	out := make(map[string]clean, n)
	for range n {
		if err := r.entry(out); err != nil {
			return nil, err
		}
	}
	return out, r.extensions()
}

func (r *indexReader) entry(out map[string]clean) error {
	start := r.at
	if len(r.data)-r.at < statSize+sha1Size+2+sha1Size {
		return errIndex
	}
	b := r.data[r.at:]
	u := func(i int) uint32 { return binary.BigEndian.Uint32(b[i:]) }
	c := clean{
		ctime: int64(u(0))*1e9 + int64(u(4)), mtime: int64(u(8))*1e9 + int64(u(12)), ino: u(20), size: u(36),
		oid: hex.EncodeToString(b[statSize : statSize+sha1Size]),
	}
	mode, flags := u(24), binary.BigEndian.Uint16(b[statSize+sha1Size:])
	r.at += statSize + sha1Size + 2
	var more uint16
	if flags&flagExtended != 0 {
		more = binary.BigEndian.Uint16(r.data[r.at:])
		r.at += 2
	}
	if err := r.path(start); err != nil {
		return err
	}
	regular := mode>>12 == 0o10
	// Written after git looked (racily clean), so its word may be old.
	if regular && flags&(flagStage|flagNoIndex) == 0 && more&flagSkipTree == 0 && c.mtime < r.written && c.ino != 0 {
		out[string(r.name)] = c
	}
	return nil
}

func (r *indexReader) path(start int) error {
	if r.version == 4 {
		cut, err := r.varint()
		if err != nil || cut > uint64(len(r.name)) {
			return errIndex
		}
		r.name = r.name[:len(r.name)-int(cut)]
	} else {
		r.name = r.name[:0]
	}
	end := bytes.IndexByte(r.data[r.at:], 0)
	if end < 0 {
		return errIndex
	}
	r.name = append(r.name, r.data[r.at:r.at+end]...)
	r.at += end + 1
	if r.version < 4 { // padded with zeros to a multiple of eight
		r.at = start + (r.at-1-start)/8*8 + 8
	}
	if r.at > len(r.data) {
		return errIndex
	}
	return nil
}

// varint reads the offset encoding of pack files (gitformat-pack(5)).
func (r *indexReader) varint() (uint64, error) {
	var v uint64
	for i := 0; i < 5 && r.at < len(r.data); i++ {
		b := r.data[r.at]
		r.at++
		v = v<<7 | uint64(b&0x7f)
		if b&0x80 == 0 {
			return v, nil
		}
		v++
	}
	return 0, errIndex
}

// extensions looks for those that change what the entries mean: a split index and a
// sparse one have some of their entries elsewhere. Their names are in lower case.
func (r *indexReader) extensions() error {
	for r.at+8 <= len(r.data)-sha1Size {
		sig := r.data[r.at : r.at+4]
		if sig[0] >= 'a' && sig[0] <= 'z' {
			return fmt.Errorf("%w: extension %q", errIndex, sig)
		}
		r.at += 8 + int(binary.BigEndian.Uint32(r.data[r.at+4:]))
		if r.at < 0 {
			return errIndex
		}
	}
	return nil
}
