package text

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// Table is a static embedding table with the rules for its use. It is immutable
// and may be shared.
type Table struct {
	id      string
	digest  string
	vocab   int // entries of the vocabulary
	rows    int // entries that have a vector
	unknown uint16
	book    [16]int32 // what the 4-bit codes stand for
	mix     mix

	longestPiece int

	// The sections of the file, which the table reads in place.
	fold, foldText string // ranges and strings of the fold table
	offsets, text  string // spellings of the vocabulary
	slots          string // hash table of the vocabulary
	rowOf          string // row of each entry, noRow for none
	scales         string // scale of each row
	codes          string // rows of 4-bit codes, unless they are packed

	packed *packed // the rows of the table that comes with the package
}

// mix is how token vectors and word features become one vector.
type mix struct {
	dim      int    // dimensions of the token vectors
	lexical  int    // dimensions of the hashed features, a power of two or 0
	window   int    // words that count, from the end of the text
	decay    uint32 // weight of a word over that of the next one, of 65536
	floor    uint32 // least weight, of 65536
	lexicon  uint32 // length of the lexical block, of 256 for the other one
	word     uint32 // weight of a word as a feature
	pair     uint32 // weight of two words in a row
	trigram  uint32 // weight of three bytes of a word
	maxToken int    // tokens that count, from the end of the text
}

const (
	magic      = "gbtembed"
	version    = 1
	headerSize = 144
	idSize     = 32

	noRow = 0xffff

	maxVocab   = 0xffff
	maxDim     = 1024
	maxLexical = 4096
	maxWindow  = 512
	maxSlots   = 17 // bits
	maxFold    = 1 << 16
	maxText    = 1 << 24
	maxWeight  = 1 << 8
)

// errFormat is wrapped by every error of Open: the bytes aren't a table of a
// version that this package reads.
var errFormat = errors.New("not an embedding table")

// Default returns the table that comes with the package. The first call makes it of the smaller form
// that the package holds, but for the rows, each of which is read when it is needed; that takes
// about four milliseconds, and others cost nothing. The digest isn't compared: a test of the package
// makes the file of these very bytes and does that.
func Default() *Table { return shipped() }

var shipped = sync.OnceValue(func() *Table {
	t, err := openShipped(shippedHead, shippedCodes)
	if err != nil {
		panic("gbt: internal error: shipped embedding table: " + err.Error())
	}
	t.digest = shippedDigest
	return t
})

// Open reads a table from a file's bytes, which it copies and checks in full.
func Open(b []byte) (*Table, error) {
	t, err := parse(string(b))
	if err == nil {
		err = t.check()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errFormat, err)
	}
	sum := sha256.Sum256(b)
	t.digest = hex.EncodeToString(sum[:])
	return t, nil
}

// ID names the table for a person.
func (t *Table) ID() string { return t.id }

// Digest is the SHA-256 of the table's file in hexadecimal. Two tables with the
// same digest give the same vectors.
func (t *Table) Digest() string { return t.digest }

// Dim is the length of every vector.
func (t *Table) Dim() int { return t.mix.dim + t.mix.lexical }

// parse cuts the file into its sections. Every section has the length that the
// header says, and nothing is left.
func parse(data string) (*Table, error) {
	t, sizes, err := opened(data)
	if err != nil {
		return nil, err
	}
	rest := data[headerSize:]
	for i, p := range []*string{&t.fold, &t.foldText, &t.offsets, &t.text, &t.slots, &t.rowOf, &t.scales, &t.codes} {
		if len(rest) < sizes[i] {
			return nil, fmt.Errorf("cut in section %d", i+1)
		}
		*p, rest = rest[:sizes[i]], rest[sizes[i]:]
	}
	if rest != "" {
		return nil, fmt.Errorf("%d bytes too many", len(rest))
	}
	return t, nil
}

// opened is a table of which the header is read, and the sizes of its sections.
func opened(data string) (*Table, [8]int, error) {
	if len(data) < headerSize || data[:len(magic)] != magic {
		return nil, [8]int{}, errors.New("no magic")
	}
	h := header(data[len(magic):headerSize])
	if v := h.u32(); v != version {
		return nil, [8]int{}, fmt.Errorf("version %d, want %d", v, version)
	}
	t := &Table{}
	sizes, err := t.readHeader(&h)
	return t, sizes, err
}

// header is what is left to read of the header.
type header string

func (h *header) u32() uint32 {
	v := u32(string(*h))
	*h = (*h)[4:]
	return v
}

// upto reads a number that may not pass a limit.
func (h *header) upto(limit int, bad *bool) int {
	v := h.u32()
	if v > uint32(limit) {
		*bad = true
		return 0
	}
	return int(v)
}

// readHeader fills in the numbers and returns the lengths of the sections.
func (t *Table) readHeader(h *header) (sizes [8]int, err error) {
	var bad bool
	m := &t.mix
	m.dim, m.lexical = h.upto(maxDim, &bad), h.upto(maxLexical, &bad)
	t.vocab = h.upto(maxVocab, &bad)
	t.rows = h.upto(maxVocab, &bad)
	t.unknown = uint16(h.upto(maxVocab, &bad))
	t.longestPiece = h.upto(maxPiece, &bad)
	bits := h.upto(maxSlots, &bad)
	fold, foldText, text := h.upto(maxFold, &bad), h.upto(maxText, &bad), h.upto(maxText, &bad)
	m.window, m.maxToken = h.upto(maxWindow, &bad), h.upto(maxWindow, &bad)
	m.decay, m.floor = uint32(h.upto(1<<16, &bad)), uint32(h.upto(1<<16, &bad))
	for _, w := range []*uint32{&m.lexicon, &m.word, &m.pair, &m.trigram} {
		*w = uint32(h.upto(maxWeight*4, &bad))
	}
	if bad {
		return sizes, errors.New("a number beyond its limit in the header")
	}
	t.id = strings.TrimRight(string((*h)[:idSize]), "\x00")
	*h = (*h)[idSize:]
	for i := range t.book {
		t.book[i] = int32(int8((*h)[i]))
	}
	if strings.Trim(string((*h)[len(t.book):]), "\x00") != "" {
		return sizes, errors.New("unknown fields in the header")
	}
	return [8]int{fold * foldEntrySize, foldText, 4 * (t.vocab + 1), text, 2 << bits,
		2 * t.vocab, 2 * t.rows, t.rows * (m.dim / 2)}, nil
}

func u16(s string) uint16 { return uint16(s[0]) | uint16(s[1])<<8 }

func u32(s string) uint32 {
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// Token returns the spelling of a token, "" if there is none of that number.
func (t *Table) Token(id uint16) string {
	if int(id) >= t.vocab {
		return ""
	}
	return t.spelling(int(id))
}
