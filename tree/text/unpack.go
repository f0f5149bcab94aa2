package text

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// The package holds its own table in a smaller form than a file's: FORMAT.md describes it. What is
// made of it here are the sections of the file, byte by byte, but for the codes, which stay packed.

// openShipped reads a table of the shipped form. It checks whatever embedding relies on, except for
// what it makes itself: a form that was damaged gives an error or other vectors.
func openShipped(head, codes string) (*Table, error) {
	var b bytes.Buffer
	b.Grow(3 * len(head))
	if _, err := b.ReadFrom(flate.NewReader(strings.NewReader(head))); err != nil {
		return nil, err
	}
	return unpack(b.Bytes(), codes)
}

// unpack reads a table of the shipped form when its head is inflated.
func unpack(head []byte, codes string) (*Table, error) {
	t, sizes, err := opened(string(head[:min(len(head), headerSize)]))
	if err != nil {
		return nil, err
	}
	if err := t.checkMix(); err != nil {
		return nil, err
	}
	if t.mix.dim/2%rowUnit != 0 {
		return nil, fmt.Errorf("%d dimensions, want quarters of four bytes", t.mix.dim)
	}
	r := &reader{rest: head[headerSize:]}
	t.fold, t.foldText = r.folds(sizes[0]/foldEntrySize), string(r.take(sizes[1]))
	t.offsets, t.text = r.spellings(t.vocab, sizes[3])
	t.rowOf, t.scales = r.rowsOf(t.vocab, t.rows), r.scales(t.rows)
	lengths, rows := r.take(quarters<<8), r.take(t.rows)
	if r.bad || len(r.rest) > 0 {
		return nil, errors.New("sections of other lengths than the header says")
	}
	if t.packed, err = newPacked(lengths, rows, codes); err != nil {
		return nil, err
	}
	for _, check := range []func() error{t.checkVocabulary, t.checkRows, t.checkFold} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	if t.slots, err = t.made(sizes[4]); err != nil {
		return nil, err
	}
	return t, nil
}

// made is the hash table of the vocabulary, of a size in bytes.
func (t *Table) made(size int) (string, error) {
	if t.vocab >= size/2 {
		return "", errors.New("more entries than slots")
	}
	slots := bytes.Repeat([]byte{0xff}, size)
	mask := uint32(size/2 - 1)
	for id := range t.vocab {
		at := hash(t.spelling(id), false) & mask
		for binary.LittleEndian.Uint16(slots[2*at:]) != emptySlot {
			at = (at + 1) & mask
		}
		binary.LittleEndian.PutUint16(slots[2*at:], uint16(id))
	}
	return string(slots), nil
}

// reader is what is left to read. After a failure it gives empty sections.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) take(n int) []byte {
	if r.bad || n > len(r.rest) {
		r.bad = true
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

// numbers reads n numbers as Uvarint does, of 32 bits.
func (r *reader) numbers(n int) []uint32 {
	if r.bad || n > len(r.rest) {
		r.bad = true
		return nil
	}
	out := make([]uint32, n)
	for i := range out {
		v, size := binary.Uvarint(r.rest)
		if size <= 0 || v>>32 != 0 {
			r.bad = true
			return nil
		}
		out[i], r.rest = uint32(v), r.rest[size:]
	}
	return out
}

// folds makes section 1 of its columns.
func (r *reader) folds(n int) string {
	firsts, lasts, kinds, args := r.numbers(n), r.numbers(n), r.take(n), r.numbers(n)
	if r.bad {
		return ""
	}
	out := make([]byte, 0, n*foldEntrySize)
	last, arg := uint32(0), uint32(0)
	for i := range n {
		first := last + firsts[i]
		last = first + lasts[i]
		arg += args[i]>>1 ^ -(args[i] & 1)
		r.bad = r.bad || first > 0xffffff
		for _, v := range [3]uint32{first&0xffffff | uint32(kinds[i])<<24, last, arg} {
			out = binary.LittleEndian.AppendUint32(out, v)
		}
	}
	return string(out)
}

// spellings makes sections 3 and 4 of n lines, of a size without their ends.
func (r *reader) spellings(n, size int) (offsets, text string) {
	all := r.take(n + size)
	if r.bad {
		return "", ""
	}
	ends, out := make([]byte, 4, 4*(n+1)), make([]byte, 0, size)
	for range n {
		line, rest, ok := bytes.Cut(all, []byte{'\n'})
		if !ok {
			r.bad = true
			return "", ""
		}
		out, all = append(out, line...), rest
		ends = binary.LittleEndian.AppendUint32(ends, uint32(len(out)))
	}
	r.bad = r.bad || len(all) > 0
	return string(ends), string(out)
}

// rowsOf makes section 6 of a bit for each entry: those that have a row have them in their order.
func (r *reader) rowsOf(n, rows int) string {
	set := r.take((n + 7) / 8)
	if r.bad {
		return ""
	}
	out, next := make([]byte, 0, 2*n), 0
	for i := range n {
		row := noRow
		if set[i/8]>>(i%8)&1 == 1 {
			row = next
			next++
		}
		out = binary.LittleEndian.AppendUint16(out, uint16(row))
	}
	r.bad = r.bad || next != rows
	return string(out)
}

// scales makes section 7 of the lower bytes and the upper ones.
func (r *reader) scales(n int) string {
	low, high := r.take(n), r.take(n)
	if r.bad {
		return ""
	}
	out := make([]byte, 0, 2*n)
	for i := range n {
		out = append(out, low[i], high[i])
	}
	return string(out)
}
