package artifacts

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
)

// The versions of the format that this package reads and writes. Numbers are
// never used twice; a test pins these.
const (
	Version       = 1 // written
	OldestVersion = 1 // oldest that Open reads
)

// The frame of a file; FORMAT.md, section "Frame", has the picture.
const (
	// magic starts like PNG's (RFC 2083, section 12.11): a byte that is not
	// ASCII, a name, and line endings that a transfer as text would change.
	magic       = "\x89GBT\r\n\x1a\n"
	headerSize  = 24 // magic, version, length, sequence
	entrySize   = 8  // tag, length
	trailerSize = 4  // CRC-32
)

// header is the fixed part at the front of a file: all that is read of it
// before its signature is verified.
type header struct {
	version  uint32
	length   uint32 // of the unsigned file
	sequence uint64
}

// Encode returns the unsigned file that holds p. It refuses a policy that Open
// would refuse. The same policy always gives the same bytes.
func Encode(p *Policy) ([]byte, error) {
	if err := p.Check(); err != nil {
		return nil, fmt.Errorf("artifacts: %w", err)
	}
	data, err := encode(p)
	if err != nil {
		return nil, fmt.Errorf("artifacts: %w", err)
	}
	return data, nil
}

// encode writes p without checking more than the limits.
func encode(p *Policy) ([]byte, error) {
	all, d := sections(), &document{p: p}
	table := make([]byte, 0, entrySize*len(all))
	var body bytes.Buffer
	for _, s := range all {
		c := newEncoder(d)
		s.walk(c)
		if err := c.finish(); err != nil {
			return nil, fmt.Errorf("section %s%w", s.tag, err)
		}
		table = append(table, s.tag...)
		table = binary.BigEndian.AppendUint32(table, uint32(c.out.Len()))
		if body.Len()+c.out.Len() > MaxFile {
			return nil, fmt.Errorf("policy of more than %d bytes", MaxFile)
		}
		body.Write(c.out.Bytes())
	}
	return assemble(p.Sequence, table, body.Bytes())
}

// assemble puts header, table, sections and checksum together.
func assemble(sequence uint64, table, body []byte) ([]byte, error) {
	size := headerSize + len(table) + len(body) + trailerSize
	if size > MaxFile-envelopeSpace {
		return nil, fmt.Errorf("policy of %d bytes, at most %d", size, MaxFile-envelopeSpace)
	}
	if sequence < 1 || sequence > maxCount {
		return nil, fmt.Errorf("sequence %d is not in 1..%d", sequence, uint64(maxCount))
	}
	data := make([]byte, 0, size)
	data = append(data, magic...)
	data = binary.BigEndian.AppendUint32(data, Version)
	data = binary.BigEndian.AppendUint32(data, uint32(size))
	data = binary.BigEndian.AppendUint64(data, sequence)
	data = append(data, table...)
	data = append(data, body...)
	return binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(data)), nil
}

// readHeader checks the frame: magic, version, lengths, sequence.
func readHeader(data []byte) (header, error) {
	var h header
	switch {
	case len(data) > MaxFile:
		return h, fmt.Errorf("file of %d bytes, at most %d", len(data), MaxFile)
	case len(data) < len(magic) || string(data[:len(magic)]) != magic:
		return h, errors.New("not a policy: the first bytes are not those of one")
	case len(data) < headerSize+trailerSize:
		return h, errors.New("file ends inside the header")
	}
	h.version = binary.BigEndian.Uint32(data[8:])
	h.length = binary.BigEndian.Uint32(data[12:])
	h.sequence = binary.BigEndian.Uint64(data[16:])
	switch {
	case h.version < OldestVersion || h.version > Version:
		return h, fmt.Errorf("format version %d, can read %d to %d", h.version, OldestVersion, Version)
	case uint64(h.length) > uint64(len(data)):
		return h, fmt.Errorf("file ends early: %d bytes of at least %d", len(data), h.length)
	case h.length > MaxFile-envelopeSpace:
		return h, fmt.Errorf("length %d, at most %d", h.length, MaxFile-envelopeSpace)
	case h.length < headerSize+trailerSize:
		return h, fmt.Errorf("length %d is too small", h.length)
	case h.sequence < 1 || h.sequence > maxCount:
		return h, fmt.Errorf("sequence %d is not in 1..%d", h.sequence, uint64(maxCount))
	}
	return h, nil
}

// readSections checks the section table and returns the sections in order.
func readSections(body []byte) ([][]byte, error) {
	all := sections()
	at := headerSize + entrySize*len(all)
	end := len(body) - trailerSize
	if at > end {
		return nil, errors.New("file ends inside the section table")
	}
	out := make([][]byte, len(all))
	for i, s := range all {
		entry := body[headerSize+entrySize*i:]
		if string(entry[:4]) != s.tag {
			return nil, fmt.Errorf("section %d is %q, want %s: damaged, or made by another build of gbt: distill the logs again", i, entry[:4], s.tag)
		}
		n := binary.BigEndian.Uint32(entry[4:])
		if uint64(n) > uint64(end-at) {
			return nil, fmt.Errorf("section %s of %d bytes runs past the end", s.tag, n)
		}
		out[i] = body[at : at+int(n)]
		at += int(n)
	}
	if at != end {
		return nil, fmt.Errorf("%d bytes after the last section", end-at)
	}
	return out, nil
}

// decode reads the sections of a body whose frame has been checked.
func decode(h header, parts [][]byte) (*Policy, error) {
	d := &document{p: &Policy{Sequence: h.sequence}}
	for i := range sections() {
		s := &sections()[i]
		c := newDecoder(parts[i], d)
		s.walk(c)
		if err := c.finish(); err != nil {
			return nil, fmt.Errorf("section %s%w", s.tag, err)
		}
	}
	return d.p, nil
}

// hashPiece is small enough to stay in the processor's cache between the two
// hashes: 64 KiB fits the second level of any that runs Go.
const hashPiece = 1 << 16

// digests reads a body once for both of its hashes: the name of an unsigned file,
// which is the subject of its signature, and the checksum
// that its trailer has to hold.
func digests(body []byte) (digest string, sum uint32) {
	h, end := sha256.New(), len(body)-trailerSize
	for at := 0; at < end; at += hashPiece {
		piece := body[at:min(at+hashPiece, end)]
		h.Write(piece)
		sum = crc32.Update(sum, crc32.IEEETable, piece)
	}
	h.Write(body[end:])
	return hex.EncodeToString(h.Sum(nil)), sum
}

func checksum(body []byte, sum uint32) error {
	if binary.BigEndian.Uint32(body[len(body)-trailerSize:]) != sum {
		return errors.New("damaged: the checksum does not match")
	}
	return nil
}
