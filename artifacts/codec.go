package artifacts

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"

	"github.com/gbt-policy/gbt/tree"
)

// A codec walks one section in one of two directions. Each row of the table of
// fields both encodes and decodes, so the two can't drift apart and every limit
// holds on both sides. Decoding accepts only the shortest form of
// each value: after the library has read one, its first byte is compared with
// the one the encoder would have chosen, which also fixes the value's length.
//
// The first error stops everything: later calls do nothing.
type codec struct {
	enc *msgpack.Encoder // set when encoding
	out *bytes.Buffer

	dec  *msgpack.Decoder // set when decoding
	in   *cursor
	room tree.Vec // taken and not yet used for vectors

	d    *document // what the section is a part of
	path []int     // indices of the lists being walked, for messages
	err  error
}

// cursor reads a section. It implements the interfaces that keep the library
// from buffering, and lets the codec see where it stands.
type cursor struct {
	data []byte
	pos  int
}

func (c *cursor) Read(p []byte) (int, error) {
	if c.pos == len(c.data) {
		return 0, io.EOF
	}
	n := copy(p, c.data[c.pos:])
	c.pos += n
	return n, nil
}

func (c *cursor) ReadByte() (byte, error) {
	if c.pos == len(c.data) {
		return 0, io.EOF
	}
	c.pos++
	return c.data[c.pos-1], nil
}

func (c *cursor) UnreadByte() error {
	if c.pos == 0 {
		return errors.New("nothing to unread")
	}
	c.pos--
	return nil
}

func (c *cursor) left() int { return len(c.data) - c.pos }

func newEncoder(d *document) *codec {
	out := new(bytes.Buffer)
	return &codec{enc: msgpack.NewEncoder(out), out: out, d: d}
}

func newDecoder(section []byte, d *document) *codec {
	in := &cursor{data: section}
	return &codec{dec: msgpack.NewDecoder(in), in: in, d: d}
}

// finish reports the first error, or bytes after the value.
func (c *codec) finish() error {
	if c.err == nil && c.in != nil && c.in.left() > 0 {
		c.fail("%d bytes after the value", c.in.left())
	}
	return c.err
}

func (c *codec) fail(format string, args ...any) {
	if c.err != nil {
		return
	}
	var at strings.Builder
	for _, i := range c.path {
		fmt.Fprintf(&at, "[%d]", i)
	}
	if c.in != nil {
		fmt.Fprintf(&at, " byte %d", c.in.pos)
	}
	c.err = fmt.Errorf("%s: %w", at.String(), fmt.Errorf(format, args...))
}

// decoding says which way the codec walks.
func (c *codec) decoding() bool { return c.dec != nil }

func (c *codec) check(err error) {
	if err == nil {
		return
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("section ends inside a value")
	}
	c.fail("%w", err)
}

// int walks one integer between lo and hi.
func (c *codec) int(v, lo, hi int64) int64 {
	if c.err != nil {
		return 0
	}
	if c.dec != nil {
		v = c.readInt()
	}
	if v < lo || v > hi {
		c.fail("integer %d is not in %d..%d", v, lo, hi)
	}
	if c.enc != nil && c.err == nil {
		c.check(c.enc.EncodeInt(v))
	}
	return v
}

// readInt reads an integer in its shortest form. The numbers of one byte are most
// of a policy's, and the library takes eight calls for each: read here they pay
// for what the table of rows takes on the way to a value.
func (c *codec) readInt() int64 {
	start := c.in.pos
	if start < len(c.in.data) {
		if n := int64(int8(c.in.data[start])); n >= -32 {
			c.in.pos++
			return n
		}
	}
	n, err := c.dec.DecodeInt64()
	c.check(err)
	if c.err == nil && c.in.data[start] != intCode(n) {
		c.fail("integer %d is not in its shortest form", n)
	}
	return n
}

// intCode is the first byte of n's shortest form: the MessagePack
// specification's int family, unsigned forms for n >= 0.
func intCode(n int64) byte {
	switch {
	case n >= -32 && n < 128:
		return byte(n)
	case n >= 0 && n < 1<<8:
		return msgpcode.Uint8
	case n >= 0 && n < 1<<16:
		return msgpcode.Uint16
	case n >= 0 && n < 1<<32:
		return msgpcode.Uint32
	case n >= 0:
		return msgpcode.Uint64
	case n >= -1<<7:
		return msgpcode.Int8
	case n >= -1<<15:
		return msgpcode.Int16
	case n >= -1<<31:
		return msgpcode.Int32
	}
	return msgpcode.Int64
}

// number is what an integer of the format can be in a policy.
type number interface {
	~int | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// integer walks one integer of any type between lo and hi.
func integer[T number](c *codec, p *T, lo, hi int64) {
	v := int64(*p)
	if c.enc != nil && v < 0 && *p > 0 {
		c.fail("integer %d is larger than %d", uint64(*p), hi)
	}
	if v = c.int(v, lo, hi); c.dec != nil && c.err == nil {
		*p = T(v)
	}
}

func (c *codec) bool(p *bool) {
	if c.err != nil {
		return
	}
	if c.enc != nil {
		c.check(c.enc.EncodeBool(*p))
		return
	}
	code, err := c.in.ReadByte()
	c.check(err)
	if c.err == nil && code != msgpcode.False && code != msgpcode.True {
		c.fail("not a boolean")
	}
	*p = code == msgpcode.True
}

// str walks a text of at most limit bytes of valid UTF-8.
func (c *codec) str(p *string, limit int) {
	if c.err != nil {
		return
	}
	if c.dec != nil {
		*p = string(c.take(strCode, limit))
	} else if len(*p) > limit {
		c.fail("text of %d bytes, at most %d", len(*p), limit)
	}
	if !utf8.ValidString(*p) {
		c.fail("text is not UTF-8")
	}
	if c.enc != nil && c.err == nil {
		c.check(c.enc.EncodeString(*p))
	}
}

// bin walks at most limit bytes. No bytes are nil, never an empty slice.
func (c *codec) bin(p *[]byte, limit int) {
	if c.err != nil {
		return
	}
	if c.dec != nil {
		*p = bytes.Clone(c.take(binCode, limit))
		if len(*p) == 0 {
			*p = nil
		}
		return
	}
	if len(*p) > limit {
		c.fail("%d bytes, at most %d", len(*p), limit)
		return
	}
	c.check(c.enc.EncodeBytesLen(len(*p)))
	c.out.Write(*p)
}

// hex walks bytes that the Go side holds as lower-case hexadecimal text.
func (c *codec) hex(p *string, sizes ...int) {
	if c.err != nil {
		return
	}
	b, err := hex.DecodeString(*p)
	if c.enc != nil && (err != nil || *p != strings.ToLower(*p)) {
		c.fail("%.80q is not lower-case hexadecimal", *p)
	}
	c.bin(&b, sha256.Size)
	if !isOneOf(len(b), sizes) {
		c.fail("digest of %d bytes, want %v", len(b), sizes)
	}
	if c.dec != nil && c.err == nil {
		*p = hex.EncodeToString(b)
	}
}

func isOneOf(n int, sizes []int) bool {
	for _, s := range sizes {
		if n == s {
			return true
		}
	}
	return false
}

// take returns the next str or bin value as a part of the section.
func (c *codec) take(code func(int) byte, limit int) []byte {
	start := c.in.pos
	n, err := c.dec.DecodeBytesLen()
	c.check(err)
	switch {
	case c.err != nil:
	case n < 0 || c.in.data[start] != code(n):
		c.fail("not the expected kind of value, or not in its shortest form")
	case n > limit:
		c.fail("length %d, at most %d", n, limit)
	case n > c.in.left():
		c.fail("length %d runs past the section", n)
	default:
		c.in.pos += n
		return c.in.data[c.in.pos-n : c.in.pos]
	}
	return nil
}

func strCode(n int) byte {
	switch {
	case n < 32:
		return msgpcode.FixedStrLow | byte(n)
	case n < 1<<8:
		return msgpcode.Str8
	case n < 1<<16:
		return msgpcode.Str16
	}
	return msgpcode.Str32
}

func binCode(n int) byte {
	switch {
	case n < 1<<8:
		return msgpcode.Bin8
	case n < 1<<16:
		return msgpcode.Bin16
	}
	return msgpcode.Bin32
}

func arrayCode(n int) byte {
	switch {
	case n < 16:
		return msgpcode.FixedArrayLow | byte(n)
	case n < 1<<16:
		return msgpcode.Array16
	}
	return msgpcode.Array32
}

// length walks the head of an array of at most limit elements, each of which
// takes at least size bytes.
func (c *codec) length(n, limit, size int) int {
	if c.err != nil {
		return 0
	}
	if c.dec != nil {
		start := c.in.pos
		var err error
		n, err = c.dec.DecodeArrayLen()
		c.check(err)
		if c.err == nil && (n < 0 || c.in.data[start] != arrayCode(n)) {
			c.fail("not an array, or not in its shortest form")
		}
		if c.err == nil && n > c.in.left()/size {
			c.fail("array of %d elements runs past the section", n)
		}
	}
	if n > limit {
		c.fail("array of %d elements, at most %d", n, limit)
	}
	if c.err != nil {
		return 0
	}
	if c.enc != nil {
		c.check(c.enc.EncodeArrayLen(n))
	}
	return n
}

// tuple walks the head of an array with exactly n elements.
func (c *codec) tuple(n int) {
	if got := c.length(n, n, 1); got != n && c.err == nil {
		c.fail("array of %d elements, want %d", got, n)
	}
}

// between walks the head of an array with least to most elements.
func (c *codec) between(n, least, most int) int {
	if n = c.length(n, most, 1); n < least && c.err == nil {
		c.fail("array of %d elements, want %d to %d", n, least, most)
	}
	return n
}

// list walks an array of at most limit elements, each of which takes at least
// size bytes. No elements are nil, never an empty slice.
func list[T any](c *codec, p *[]T, limit, size int, elem func(*codec, *T)) {
	n := c.length(len(*p), limit, size)
	if c.dec != nil {
		*p = nil
		if n > 0 {
			*p = make([]T, n)
		}
	}
	c.path = append(c.path, 0)
	for i := range *p {
		if c.err != nil {
			return
		}
		c.path[len(c.path)-1] = i
		elem(c, &(*p)[i])
	}
	c.path = c.path[:len(c.path)-1]
}
