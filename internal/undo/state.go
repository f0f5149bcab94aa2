package undo

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"slices"
)

// state is what the last look saw, so that the next one reads only what changed.
// It can be lost: then everything is looked at again. The file is written by hand and
// not with msgpack, since it has a record for each name of a workspace and is read
// before every call.
type state struct {
	seq     uint64 // the last frame of the journal that it knows of
	top     string // the repository when the workspace was first looked at
	objects map[string]int64
	names   manifest
}

var stateMagic = []byte("gbt undo state 1\n")

var errState = errors.New("not the state of a workspace")

type encoder struct {
	b    []byte
	last string
}

func (e *encoder) uint(v uint64)   { e.b = binary.AppendUvarint(e.b, v) }
func (e *encoder) int(v int64)     { e.b = binary.AppendVarint(e.b, v) }
func (e *encoder) string(s string) { e.uint(uint64(len(s))); e.b = append(e.b, s...) }

// path writes what differs from the path before: names are sorted.
func (e *encoder) path(s string) {
	n := 0
	for n < len(s) && n < len(e.last) && s[n] == e.last[n] {
		n++
	}
	e.uint(uint64(n))
	e.string(s[n:])
	e.last = s
}

func (e *encoder) entry(x *Entry) {
	e.uint(uint64(x.Kind))
	e.uint(uint64(x.Mode))
	switch x.Kind {
	case File:
		e.int(x.Size)
		e.int(x.Time)
		e.string(x.Ref)
		e.string(x.Twin)
		e.uint(x.id.dev)
		e.uint(x.id.ino)
		e.int(x.id.ctime)
		e.uint(x.id.links)
	case Link:
		e.string(x.To)
	}
}

func (s *state) encode() []byte {
	e := &encoder{b: make([]byte, 0, 64+96*len(s.names))}
	e.b = append(e.b, stateMagic...)
	e.uint(s.seq)
	e.string(s.top)
	dirs := keys(s.objects)
	e.uint(uint64(len(dirs)))
	for _, d := range dirs {
		e.string(d)
		e.int(s.objects[d])
	}
	paths := keys(s.names)
	e.uint(uint64(len(paths)))
	for _, p := range paths {
		x := s.names[p]
		e.path(p)
		e.entry(&x)
	}
	sum := sha256.Sum256(e.b)
	return append(e.b, sum[:]...)
}

func keys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

type decoder struct {
	b    []byte
	last []byte
	bad  bool
}

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) int() int64 {
	v, n := binary.Varint(d.b)
	if n <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) bytes() []byte {
	n := d.uint()
	if n > uint64(len(d.b)) {
		d.bad, d.b = true, nil
		return nil
	}
	out := d.b[:n]
	d.b = d.b[n:]
	return out
}

func (d *decoder) path() string {
	n := d.uint()
	if n > uint64(len(d.last)) {
		d.bad = true
		return ""
	}
	d.last = append(d.last[:n], d.bytes()...)
	return string(d.last)
}

func (d *decoder) entry() (x Entry) {
	x.Kind = Kind(d.uint())
	x.Mode = uint32(d.uint())
	switch x.Kind {
	case File:
		x.Size, x.Time = d.int(), d.int()
		x.Ref, x.Twin = string(d.bytes()), string(d.bytes())
		x.id.dev, x.id.ino = d.uint(), d.uint()
		x.id.ctime, x.id.links = d.int(), d.uint()
	case Link:
		x.To = string(d.bytes())
	}
	return x
}

func decodeState(data []byte) (*state, error) {
	n := len(data) - sha256.Size
	if n < len(stateMagic) || !bytes.HasPrefix(data, stateMagic) {
		return nil, errState
	}
	if sum := sha256.Sum256(data[:n]); !bytes.Equal(sum[:], data[n:]) {
		return nil, errState
	}
	d := &decoder{b: data[len(stateMagic):n]}
	s := &state{seq: d.uint(), top: string(d.bytes()), objects: map[string]int64{}}
	for i := d.uint(); i > 0 && !d.bad; i-- {
		name := string(d.bytes())
		s.objects[name] = d.int()
	}
	count := d.uint()
	if count > uint64(len(d.b)) {
		return nil, errState
	}
	s.names = make(manifest, count)
	for ; count > 0 && !d.bad; count-- {
		path := d.path()
		s.names[path] = d.entry()
	}
	if d.bad || len(d.b) > 0 {
		return nil, errState
	}
	return s, nil
}

// replaceFile writes a file whole or not at all.
func replaceFile(name string, data []byte) error {
	f, err := os.OpenFile(name+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	_, err = w.Write(data)
	if err := errors.Join(err, w.Flush(), f.Close()); err != nil {
		os.Remove(name + ".new")
		return err
	}
	return os.Rename(name+".new", name)
}
