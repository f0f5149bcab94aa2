package text

import (
	"errors"
	"math/bits"
)

// The codes of the shipped table take 3.8 bits each, not 4, since the outer ones are seldom. Two of
// a byte get a prefix code of a bounded length (Huffman 1952; the lengths by package-merge,
// Larmore and Hirschberg 1990; the bits by the rule of RFC 1951, section 3.2.2), one for each
// quarter of a row, whose coordinates spread less towards the end. FORMAT.md has the bits.
//
// Each row begins at a byte, so that it can be read without the ones before it. Its halves are read
// from its two ends inwards: a processor does both at once, since neither waits for the other.

const (
	// codeBits is the longest code. Twelve would win another 1,600 bytes and double the tables,
	// which then no longer fit a processor's first cache beside the rest.
	codeBits = 11
	quarters = 4
	// rowUnit divides the bytes of a row: four codes of a quarter are read at once.
	rowUnit = 4 * quarters
)

// packed are rows of codes as the package ships them.
type packed struct {
	data  string
	ends  []uint32                             // where row i-1 ends and row i begins
	codes [quarters][1 << codeBits]packedEntry // by the next bits
}

// packedEntry is the length of a code, and above it the byte that the code stands for.
type packedEntry uint16

var errPacked = errors.New("rows that can't be read")

// newPacked takes the lengths of the codes of each quarter, those of the rows in bytes, and their
// bytes. What it returns reads any row within data, whatever that holds.
func newPacked(lengths, rows []byte, data string) (*packed, error) {
	p := &packed{data: data, ends: make([]uint32, 1, len(rows)+1)}
	end := uint32(0)
	for _, n := range rows {
		end += uint32(n)
		p.ends = append(p.ends, end)
	}
	if len(data) != int(end) || len(data) < 8 {
		return nil, errPacked
	}
	for q := range p.codes {
		if !fillCodes(&p.codes[q], lengths[q<<8:][:1<<8], q < quarters/2) {
			return nil, errPacked
		}
	}
	return p, nil
}

// fillCodes gives every byte the codes of its length in the order of the bytes, shorter codes first,
// and reports whether they use up all bits: a code too many or too few is no prefix code. The first
// bit of a code is the top one of the place in the table or, for what is read upwards, the lowest.
func fillCodes(codes *[1 << codeBits]packedEntry, lengths []byte, up bool) bool {
	at := 0
	for n := 1; n <= codeBits; n++ {
		for b, l := range lengths {
			if int(l) != n {
				continue
			}
			end := at + 1<<(codeBits-n)
			if end > len(codes) {
				return false
			}
			for ; at < end; at++ {
				place := at
				if up {
					place = int(bits.Reverse16(uint16(at)) >> (16 - codeBits))
				}
				codes[place] = packedEntry(b<<8 | n)
			}
		}
	}
	return at == len(codes)
}

// read writes a row to dst, two codes a byte.
func (p *packed) read(dst []byte, row int) {
	part := len(dst) / quarters
	up, down := place{at: int(p.ends[row])}, place{at: int(p.ends[row+1]) - 8}
	last := len(p.data) - 8
	for q := range quarters / 2 {
		low, high := &p.codes[q], &p.codes[q+quarters/2]
		a, b := dst[q*part:][:part], dst[(q+quarters/2)*part:][:part]
		for len(a) >= 4 && len(b) >= 4 {
			// What was damaged may lead out of the data, and then gives other bytes of it.
			v := u64(p.data[min(up.at+int(up.used>>3), last):]) >> (up.used & 7)
			w := u64(p.data[max(0, min(down.at-int(down.used>>3), last)):]) << (down.used & 7)
			c0, d0 := low[v&(1<<codeBits-1)], high[w>>(64-codeBits)]
			v, w = v>>(c0&63), w<<(d0&63)
			c1, d1 := low[v&(1<<codeBits-1)], high[w>>(64-codeBits)]
			v, w = v>>(c1&63), w<<(d1&63)
			c2, d2 := low[v&(1<<codeBits-1)], high[w>>(64-codeBits)]
			v, w = v>>(c2&63), w<<(d2&63)
			c3, d3 := low[v&(1<<codeBits-1)], high[w>>(64-codeBits)]
			up.used += uint(uint8(c0 + c1 + c2 + c3))
			down.used += uint(uint8(d0 + d1 + d2 + d3))
			a[0], a[1], a[2], a[3] = byte(c0>>8), byte(c1>>8), byte(c2>>8), byte(c3>>8)
			b[0], b[1], b[2], b[3] = byte(d0>>8), byte(d1>>8), byte(d2>>8), byte(d3>>8)
			a, b = a[4:], b[4:]
		}
	}
}

// place is where half a row is read: bits used, from a byte on.
type place struct {
	at   int
	used uint
}

func u64(s string) uint64 { return uint64(u32(s)) | uint64(u32(s[4:]))<<32 }

// rowsKept is how many rows a Scratch keeps. Common words have the first rows of the vocabulary and
// their own places in it; a text has a hundred tokens or so.
const rowsKept = 256

// kept are rows that were read last, each in the place that its number gives.
type kept struct {
	of   *packed
	rows [rowsKept]uint32 // numbers of the rows plus one
	data []byte
}

// row is a row of packed codes, of a length in bytes. It is good until the next one is asked for.
func (k *kept) row(p *packed, row, size int) []byte {
	if k.of != p {
		k.of, k.rows = p, [rowsKept]uint32{}
		k.data = zeros(k.data, rowsKept*size)
	}
	place := row % rowsKept
	data := k.data[place*size:][:size]
	if k.rows[place] != uint32(row)+1 {
		k.rows[place] = uint32(row) + 1
		p.read(data, row)
	}
	return data
}
