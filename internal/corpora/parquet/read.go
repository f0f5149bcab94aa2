package parquet

import (
	"fmt"
	"io"
	"iter"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow/memory"
	pq "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

// File is an open Parquet file.
type File struct {
	rd      *file.Reader
	version int
	keys    metadata.KeyValueMetadata
}

// source is what arrow-go wants of an input.
type source struct{ *io.SectionReader }

func (source) Close() error { return nil }

// Open reads the file's directory. The caller keeps r open while File is used.
func Open(r io.ReaderAt, size int64) (f *File, err error) {
	defer caught(&err)
	props := pq.NewReaderProperties(memory.DefaultAllocator)
	props.BufferedStreamEnabled = true // pages, not whole column chunks, in memory
	rd, err := file.NewParquetReader(source{io.NewSectionReader(r, 0, size)}, file.WithReadProps(props))
	if err != nil {
		return nil, fmt.Errorf("parquet: %w", err)
	}
	meta := rd.MetaData()
	f = &File{rd: rd, version: versionOf(deref(meta.KeyValueMetadata().FindValue(versionKey))), keys: meta.KeyValueMetadata()}
	// arrow-go takes the Arrow schema that files carry at its word and
	// allocates what it says: a damaged one asks for terabytes. The file's own
	// schema is enough for every type read here.
	meta.FileMetaData.KeyValueMetadata = nil
	return f, nil
}

func versionOf(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 0
	}
	return n
}

// caught turns a panic of arrow-go into an error: it is how the library meets
// some damaged files.
func caught(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("parquet: the file is damaged: %v", p)
	}
}

// Version is the version of the episode schema; 0 if the file holds something
// else than episodes of this program.
func (f *File) Version() int { return f.version }

// Value is what the file's metadata holds for key; "" if nothing.
func (f *File) Value(key string) string { return deref(f.keys.FindValue(key)) }

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// NumRows is the number of rows that the file says it has.
func (f *File) NumRows() int64 { return f.rd.NumRows() }

// Episodes reads the episodes that a Writer wrote, in order. An error ends the
// sequence.
func (f *File) Episodes() iter.Seq2[*corpora.Episode, error] {
	return func(yield func(*corpora.Episode, error) bool) {
		if v := f.Version(); v == 0 || v > schemaVersion {
			yield(nil, fmt.Errorf("parquet: episodes of version %d, this program reads versions 1 to %d", v, schemaVersion))
			return
		}
		cols := episodeColumns()
		var p fastjson.Parser
		for row, err := range f.Rows() {
			if err != nil {
				yield(nil, err)
				return
			}
			v, err := p.ParseBytes(row)
			if err != nil {
				yield(nil, fmt.Errorf("parquet: %w", err))
				return
			}
			ep := &corpora.Episode{}
			get(v, cols, ep)
			if !yield(ep, nil) {
				return
			}
		}
	}
}
