package undo

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"slices"
)

// state is what the last look saw, so that the next one reads only what changed.
// It can be lost: then everything is looked at again. The files are written by hand and
// not with msgpack, since they have a record for each name of a workspace and are read
// before every call.
//
// There are two: all names as they once were, packed, and recent ones, those that differ
// since. Most calls change little, so the first is seldom written.
type state struct {
	seq     uint64 // the last frame of the journal that it knows of
	end     int64  // where that frame ended
	last    [sha256.Size]byte
	top     string // the repository when the workspace was first looked at
	objects map[string]int64
	known   bool // the workspace was looked at

	packed packed
	recent manifest // by Absent what is gone
	names  manifest // all of it, once it was asked for
}

// all are all names. Quick looks do without.
func (s *state) all() manifest {
	if s.names != nil {
		return s.names
	}
	s.names = make(manifest, s.packed.count)
	s.packed.each(func(path []byte, e *Entry) bool {
		s.names[string(path)] = *e
		return true
	})
	for path, e := range s.recent {
		if e.Kind == Absent {
			delete(s.names, path)
		} else {
			s.names[path] = e
		}
	}
	return s.names
}

// entry is what was seen under a name.
func (s *state) entry(path string) Entry {
	if s.names != nil {
		return s.names[path]
	}
	if e, ok := s.recent[path]; ok {
		return e
	}
	return s.packed.entry(path)
}

// set is what all names are from now on.
func (s *state) set(names manifest) {
	s.known, s.names, s.recent, s.packed = true, names, manifest{}, packed{}
}

// change notes that some names differ.
func (s *state) change(of manifest) {
	for path, e := range of {
		s.recent[path] = e
		if s.names != nil && e.Kind == Absent {
			delete(s.names, path)
		} else if s.names != nil {
			s.names[path] = e
		}
	}
}

var (
	stateMagic  = []byte("gbt undo state 2\n")
	recentMagic = []byte("gbt undo recent 1\n")
	errState    = errors.New("not the state of a workspace")
	castagnoli  = crc32.MakeTable(crc32.Castagnoli)
)

func (s *state) header(e *encoder) {
	e.uint(s.seq)
	e.int(s.end)
	e.b = append(e.b, s.last[:]...)
	e.string(s.top)
	dirs := keys(s.objects)
	e.uint(uint64(len(dirs)))
	for _, d := range dirs {
		e.string(d)
		e.int(s.objects[d])
	}
}

func (s *state) decodeHeader(d *decoder) {
	s.seq, s.end = d.uint(), d.int()
	copy(s.last[:], d.take(sha256.Size))
	s.top, s.objects = string(d.bytes()), map[string]int64{}
	for i := d.uint(); i > 0 && !d.bad; i-- {
		name := string(d.bytes())
		s.objects[name] = d.int()
	}
}

// encode is the file of all names. What it ends with is a checksum against accidents; the
// recent names say which file they belong to by it.
func (s *state) encode() []byte {
	names := s.all()
	e := &encoder{b: make([]byte, 0, 64+96*len(names))}
	e.b = append(e.b, stateMagic...)
	s.header(e)
	s.packed = pack(e, names)
	return binary.BigEndian.AppendUint32(e.b, crc32.Checksum(e.b, castagnoli))
}

// encodeRecent is the file of the names that differ from those of a file of all.
func (s *state) encodeRecent() []byte {
	e := &encoder{b: bytes.Clone(recentMagic)}
	e.uint(uint64(s.packed.sum))
	s.header(e)
	pack(e, s.recent)
	return binary.BigEndian.AppendUint32(e.b, crc32.Checksum(e.b, castagnoli))
}

// checked is what stands between the first words and the checksum of a file.
func checked(data, magic []byte) (d *decoder, sum uint32, err error) {
	n := len(data) - crc32.Size
	if n < len(magic) || !bytes.HasPrefix(data, magic) {
		return nil, 0, errState
	}
	sum = binary.BigEndian.Uint32(data[n:])
	if crc32.Checksum(data[:n], castagnoli) != sum {
		return nil, 0, errState
	}
	return &decoder{b: data[len(magic):n]}, sum, nil
}

func decodeState(data []byte) (*state, error) {
	d, sum, err := checked(data, stateMagic)
	if err != nil {
		return nil, err
	}
	s := &state{known: true, recent: manifest{}}
	s.decodeHeader(d)
	if s.packed, err = unpack(d); err != nil {
		return nil, err
	}
	s.packed.sum = sum
	return s, nil
}

// decodeRecent takes in the names that differ. A file of recent names that belongs to other
// ones is none.
func (s *state) decodeRecent(data []byte) error {
	d, _, err := checked(data, recentMagic)
	if err != nil {
		return err
	}
	if uint32(d.uint()) != s.packed.sum {
		return errState
	}
	r := &state{}
	r.decodeHeader(d)
	p, err := unpack(d)
	if err != nil {
		return err
	}
	recent := manifest{}
	if ok := p.each(func(path []byte, e *Entry) bool { recent[string(path)] = *e; return true }); !ok {
		return errState
	}
	s.seq, s.end, s.last, s.objects, s.recent = r.seq, r.end, r.last, r.objects, recent
	return nil
}

func keys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
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
