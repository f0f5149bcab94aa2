package gitread

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// pack is a pack with its index, which is searched where it lies.
type pack struct {
	idx   *os.File
	name  string // of the file with the objects
	data  *os.File
	count int64
}

// The index of version 2 (gitformat-pack(5)): a head of 8 bytes, 256 counts of 4 bytes, the
// names, a checksum of 4 bytes for each, and offsets of 4 bytes; large ones stand behind.
const (
	idxHead  = 8
	idxNames = idxHead + 256*4
)

// openPacks opens the indexes of all packs. One that can't be read is left out: what it has
// is then found nowhere.
func (s *Store) openPacks() {
	for _, dir := range s.dirs {
		names, _ := filepath.Glob(filepath.Join(dir, "pack", "pack-*.idx"))
		for _, name := range names {
			if len(s.packs) >= maxPacks {
				return
			}
			f, err := openPlain(name)
			if err != nil {
				continue
			}
			head := make([]byte, idxNames)
			if _, err := f.ReadAt(head, 0); err != nil || !bytes.Equal(head[:idxHead], []byte{0xff, 't', 'O', 'c', 0, 0, 0, 2}) {
				f.Close()
				continue
			}
			s.packs = append(s.packs, &pack{idx: f, name: strings.TrimSuffix(name, "idx") + "pack", count: int64(binary.BigEndian.Uint32(head[idxNames-4:]))})
		}
	}
}

// number reads four bytes of the index.
func (p *pack) number(at int64) (int64, bool) {
	var b [4]byte
	_, err := p.idx.ReadAt(b[:], at)
	return int64(binary.BigEndian.Uint32(b[:])), err == nil
}

// find says where an object begins.
func (p *pack) find(id ID) (at int64, ok bool) {
	low := int64(0)
	if id[0] > 0 {
		if low, ok = p.number(idxHead + int64(id[0]-1)*4); !ok {
			return 0, false
		}
	}
	high, ok := p.number(idxHead + int64(id[0])*4)
	if !ok || low > high || high > p.count {
		return 0, false
	}
	for low < high {
		mid := (low + high) / 2
		var at ID
		if _, err := p.idx.ReadAt(at[:], idxNames+mid*int64(len(at))); err != nil {
			return 0, false
		}
		switch c := bytes.Compare(at[:], id[:]); {
		case c == 0:
			return p.offset(mid)
		case c < 0:
			low = mid + 1
		default:
			high = mid
		}
	}
	return 0, false
}

// offset is where object n of the index begins.
func (p *pack) offset(n int64) (int64, bool) {
	offsets := idxNames + p.count*(int64(len(ID{}))+4)
	at, ok := p.number(offsets + n*4)
	if !ok || at&0x80000000 == 0 {
		return at, ok
	}
	var b [8]byte
	if _, err := p.idx.ReadAt(b[:], offsets+p.count*4+(at&0x7fffffff)*8); err != nil {
		return 0, false
	}
	large := binary.BigEndian.Uint64(b[:])
	return int64(large), large < math.MaxInt64
}

// Kinds of packed objects.
var packedKinds = map[byte]string{1: "commit", 2: "tree", 3: "blob", 4: "tag"}

const (
	deltaByOffset = 6
	deltaByName   = 7
)

// packed reads an object of a pack: one of its own, or what a delta makes of another.
func (s *Store) packed(p *pack, at int64, depth int) (kind string, data []byte, err error) {
	if depth > maxDeltas {
		return "", nil, errFormat
	}
	if p.data == nil {
		if p.data, err = openPlain(p.name); err != nil {
			return "", nil, err
		}
	}
	r := bufio.NewReader(io.NewSectionReader(p.data, at, math.MaxInt64-at))
	b, err := r.ReadByte()
	if err != nil {
		return "", nil, err
	}
	of, size, shift := b>>4&7, int64(b&15), 4
	for b&0x80 != 0 {
		if b, err = r.ReadByte(); err != nil || shift > 32 {
			return "", nil, errFormat
		}
		size |= int64(b&0x7f) << shift
		shift += 7
	}
	if size > MaxObject {
		return "", nil, errFormat
	}
	var base []byte
	switch of {
	case deltaByOffset:
		back, err := backwards(r)
		if err != nil || back <= 0 || back > at {
			return "", nil, errFormat
		}
		kind, base, err = s.packed(p, at-back, depth+1)
		if err != nil {
			return "", nil, err
		}
	case deltaByName:
		var id ID
		if _, err := io.ReadFull(r, id[:]); err != nil {
			return "", nil, err
		}
		if kind, base, err = s.object(id, depth+1); err != nil {
			return "", nil, err
		}
	default:
		if kind = packedKinds[of]; kind == "" {
			return "", nil, errFormat
		}
	}
	data, err = s.inflate(r, size)
	if err != nil || int64(len(data)) != size {
		return "", nil, errFormat
	}
	if of == deltaByOffset || of == deltaByName {
		data, err = applied(base, data)
		s.spent += int64(len(data))
	}
	return kind, data, err
}

// backwards reads how far before an object its base lies.
func backwards(r io.ByteReader) (int64, error) {
	b, err := r.ReadByte()
	n := int64(b & 0x7f)
	for err == nil && b&0x80 != 0 {
		if b, err = r.ReadByte(); n > 1<<48 {
			return 0, errFormat
		}
		n = (n+1)<<7 | int64(b&0x7f)
	}
	return n, err
}

// applied makes an object of a delta and its base: pieces of the base and of its own.
func applied(base, delta []byte) ([]byte, error) {
	from, n := binary.Uvarint(delta)
	if n <= 0 || from != uint64(len(base)) {
		return nil, errFormat
	}
	size, m := binary.Uvarint(delta[n:])
	if m <= 0 || size > MaxObject {
		return nil, errFormat
	}
	delta = delta[n+m:]
	out := make([]byte, 0, size)
	for len(delta) > 0 {
		op := delta[0]
		delta = delta[1:]
		if op == 0 {
			return nil, errFormat
		}
		if op&0x80 == 0 {
			if int(op) > len(delta) {
				return nil, errFormat
			}
			out, delta = append(out, delta[:op]...), delta[op:]
			continue
		}
		var at, length uint32
		for i := range 7 {
			if op>>i&1 == 0 {
				continue
			}
			if len(delta) == 0 {
				return nil, errFormat
			}
			if i < 4 {
				at |= uint32(delta[0]) << (8 * i)
			} else {
				length |= uint32(delta[0]) << (8 * (i - 4))
			}
			delta = delta[1:]
		}
		if length == 0 {
			length = 0x10000
		}
		if uint64(at)+uint64(length) > uint64(len(base)) || uint64(len(out))+uint64(length) > size {
			return nil, errFormat
		}
		out = append(out, base[at:at+length]...)
	}
	if uint64(len(out)) != size {
		return nil, errFormat
	}
	return out, nil
}
