package undo

import (
	"encoding/binary"
	"slices"
)

// packed are entries as they stand in a file: sorted by path, in blocks that can be read
// one without the other, so that a look can be begun in several places and a single name be
// found without reading all.
type packed struct {
	blocks [][]byte
	count  int
	sum    uint32 // of the file
}

// perBlock is how many names stand in a block.
const perBlock = 256

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
	if x.Kind == Absent {
		return
	}
	e.uint(uint64(x.Mode))
	e.uint(x.id.dev)
	e.uint(x.id.ino)
	e.int(x.id.ctime)
	switch x.Kind {
	case File:
		e.uint(x.id.links)
		e.int(x.Size)
		e.int(x.Time)
		e.string(x.Ref)
		e.string(x.Twin)
	case Link:
		e.string(x.To)
	}
}

// pack writes entries, and returns them as they stand there.
func pack(e *encoder, names manifest) packed {
	paths := keys(names)
	p := packed{count: len(paths)}
	e.uint(uint64(len(paths)))
	var at []int
	for block := range slices.Chunk(paths, perBlock) {
		b := &encoder{}
		for _, path := range block {
			x := names[path]
			b.path(path)
			b.entry(&x)
		}
		e.uint(uint64(len(b.b)))
		at = append(at, len(e.b))
		e.b = append(e.b, b.b...)
	}
	at = append(at, len(e.b))
	for i := range at[:len(at)-1] {
		p.blocks = append(p.blocks, e.b[at[i]:at[i+1]])
	}
	return p
}

func unpack(d *decoder) (p packed, err error) {
	p.count = int(min(d.uint(), 1<<40))
	for left := p.count; left > 0 && !d.bad; left -= perBlock {
		p.blocks = append(p.blocks, d.bytes())
	}
	if d.bad || len(d.b) > 0 {
		return packed{}, errState
	}
	return p, nil
}

// each goes through all entries in order, until it is told to stop. It says no where they
// can't be read.
func (p *packed) each(visit func(path []byte, e *Entry) bool) bool {
	for _, b := range p.blocks {
		if !eachOf(&decoder{b: b}, visit) {
			return false
		}
	}
	return true
}

func eachOf(d *decoder, visit func(path []byte, e *Entry) bool) bool {
	var e Entry
	for len(d.b) > 0 {
		path := d.path()
		e = Entry{}
		d.entry(&e)
		if d.bad || !visit(path, &e) {
			return false
		}
	}
	return true
}

// entry finds one name.
func (p *packed) entry(path string) (found Entry) {
	i, exact := slices.BinarySearchFunc(p.blocks, path, func(b []byte, path string) int {
		d := &decoder{b: b}
		return compareBytes(d.path(), path)
	})
	if !exact {
		i--
	}
	if i < 0 {
		return Entry{}
	}
	eachOf(&decoder{b: p.blocks[i]}, func(name []byte, e *Entry) bool {
		if string(name) == path {
			found = *e
		}
		return found.Kind == Absent
	})
	return found
}

func compareBytes(a []byte, b string) int {
	switch s := string(a); {
	case s < b:
		return -1
	case s > b:
		return 1
	}
	return 0
}

type decoder struct {
	b    []byte
	last []byte
	bad  bool
	lean bool // texts of entries are passed over: of each it is only known whether there is one
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

func (d *decoder) take(n uint64) []byte {
	if n > uint64(len(d.b)) {
		d.bad, d.b = true, nil
		return nil
	}
	out := d.b[:n]
	d.b = d.b[n:]
	return out
}

func (d *decoder) bytes() []byte { return d.take(d.uint()) }

// path is good until the next one is read.
func (d *decoder) path() []byte {
	n := d.uint()
	if n > uint64(len(d.last)) {
		d.bad = true
		return nil
	}
	d.last = append(d.last[:n], d.bytes()...)
	return d.last
}

// text is a text of an entry.
func (d *decoder) text() string {
	b := d.bytes()
	if d.lean && len(b) > 0 {
		return "?"
	}
	return string(b)
}

// entry reads an entry.
func (d *decoder) entry(x *Entry) {
	if x.Kind = Kind(d.uint()); x.Kind == Absent {
		return
	}
	x.Mode = uint32(d.uint())
	x.id.dev, x.id.ino, x.id.ctime = d.uint(), d.uint(), d.int()
	switch x.Kind {
	case File:
		x.id.links = d.uint()
		x.Size, x.Time = d.int(), d.int()
		x.Ref, x.Twin = d.text(), d.text()
	case Link:
		x.To = d.text()
	}
}
