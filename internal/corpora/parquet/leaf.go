package parquet

import (
	"encoding/base64"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	pq "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// leafBatch is how many values of a column are decoded at once. Files have
// some forty columns and rows of many kilobytes, so a few are enough.
const leafBatch = 128

// leaf is a position in one column of a row group: the definition and
// repetition level of the entry to come, and its value.
type leaf struct {
	maxDef   int16
	read     func() (n, values int, err error)
	put      func(b []byte, i int) []byte
	def, rep [leafBatch]int16
	at, n    int // the entry to come, and how many there are in the batch
	value    int // the value that belongs to it, if it has one
	values   int
	left     int64
}

// newLeaf opens a column of a row group.
func newLeaf(c file.ColumnChunkReader, entries int64) (*leaf, error) {
	l := &leaf{maxDef: c.Descriptor().MaxDefinitionLevel(), left: entries}
	switch c := c.(type) {
	case *file.ByteArrayColumnChunkReader:
		var v [leafBatch]pq.ByteArray
		l.read = batchOf(l, c, v[:])
		l.put = func(b []byte, i int) []byte { return appendBytes(b, v[i]) }
	case *file.BooleanColumnChunkReader:
		var v [leafBatch]bool
		l.read = batchOf(l, c, v[:])
		l.put = func(b []byte, i int) []byte { return strconv.AppendBool(b, v[i]) }
	case *file.Int64ColumnChunkReader:
		var v [leafBatch]int64
		l.read = batchOf(l, c, v[:])
		l.put = func(b []byte, i int) []byte { return strconv.AppendInt(b, v[i], 10) }
	case *file.Int32ColumnChunkReader:
		var v [leafBatch]int32
		l.read = batchOf(l, c, v[:])
		l.put = func(b []byte, i int) []byte { return strconv.AppendInt(b, int64(v[i]), 10) }
	case *file.Float64ColumnChunkReader:
		var v [leafBatch]float64
		l.read = batchOf(l, c, v[:])
		l.put = func(b []byte, i int) []byte { return appendFloat(b, v[i]) }
	case *file.Float32ColumnChunkReader:
		var v [leafBatch]float32
		l.read = batchOf(l, c, v[:])
		l.put = func(b []byte, i int) []byte { return appendFloat(b, float64(v[i])) }
	case *file.Int96ColumnChunkReader:
		var v [leafBatch]pq.Int96
		l.read = batchOf(l, c, v[:])
		l.put = func(b []byte, i int) []byte { return strconv.AppendInt(b, v[i].ToTime().UnixNano(), 10) }
	case *file.FixedLenByteArrayColumnChunkReader:
		var v [leafBatch]pq.FixedLenByteArray
		l.read = batchOf(l, c, v[:])
		l.put = func(b []byte, i int) []byte { return appendBytes(b, v[i]) }
	default:
		return nil, fmt.Errorf("parquet: a column of type %s", c.Type())
	}
	return l, nil
}

// pageReader is what the column readers of all types share. Reading inside one
// page keeps the values valid: they point into it.
type pageReader[V any] interface {
	ReadBatchInPage(n int64, values []V, def, rep []int16) (int64, int, error)
	HasNext() bool
	Err() error
}

func batchOf[V any](l *leaf, c pageReader[V], values []V) func() (int, int, error) {
	return func() (int, int, error) {
		if !c.HasNext() {
			if err := c.Err(); err != nil {
				return 0, 0, err
			}
			return 0, 0, io.EOF
		}
		n, read, err := c.ReadBatchInPage(leafBatch, values, l.def[:], l.rep[:])
		return int(n), read, err
	}
}

// peek makes the entry to come ready; io.EOF at the end of the column.
func (l *leaf) peek() error {
	if l.at < l.n {
		return nil
	}
	if l.left <= 0 {
		return io.EOF
	}
	n, values, err := l.read()
	if err != nil {
		return err
	}
	if n <= 0 {
		return io.EOF
	}
	if l.maxDef == 0 { // a required column has no levels
		clear(l.def[:])
	}
	l.at, l.n, l.value, l.values = 0, n, 0, values
	l.left -= int64(n)
	return nil
}

// next passes the entry.
func (l *leaf) next() {
	if l.def[l.at] == l.maxDef {
		l.value++
	}
	l.at++
}

// appendTo appends the entry's value, or null, and passes it.
func (l *leaf) appendTo(b []byte) ([]byte, error) {
	if err := l.peek(); err != nil {
		return b, short(err)
	}
	if l.def[l.at] != l.maxDef {
		l.next()
		return append(b, "null"...), nil
	}
	if l.value >= l.values {
		return b, fmt.Errorf("parquet: a column has fewer values than entries")
	}
	b = l.put(b, l.value)
	l.next()
	return b, nil
}

// short says that a column ends inside a row.
func short(err error) error {
	if err == io.EOF {
		return fmt.Errorf("parquet: a column ends inside a row")
	}
	return fmt.Errorf("parquet: %w", err)
}

// appendBytes appends text as a JSON string, and bytes that are no text as one
// in base64.
func appendBytes(b, v []byte) []byte {
	if utf8.Valid(v) {
		return appendString(b, string(v))
	}
	return append(base64.StdEncoding.AppendEncode(append(b, '"'), v), '"')
}

func appendFloat(b []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(b, "null"...)
	}
	return strconv.AppendFloat(b, f, 'g', -1, 64)
}

// appendString appends s as a JSON string.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[start:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		start = i + 1
	}
	return append(append(b, s[start:]...), '"')
}
