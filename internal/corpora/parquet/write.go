package parquet

import (
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	pq "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/gbt-policy/gbt/corpora"
)

// The bounds of a row group. A group of 8 MiB of text compresses about as
// well as a larger one (16 MiB: 2% less) and keeps the writer below 100 MB.
const (
	groupRows  = 4096
	groupBytes = 8 << 20
)

// Writer writes episodes to a Parquet file.
type Writer struct {
	file  *pqarrow.FileWriter
	rows  *array.RecordBuilder
	cols  []column[corpora.Episode]
	n     int   // rows waiting
	bytes int64 // about how large they are
}

// NewWriter starts a file on w. Close must be called to finish it.
func NewWriter(w io.Writer) (*Writer, error) {
	schema := episodeSchema()
	props := pq.NewWriterProperties(
		pq.WithCompression(compress.Codecs.Zstd), pq.WithCreatedBy("gbt"), pq.WithDataPageVersion(pq.DataPageV2),
		pq.WithMaxRowGroupLength(groupRows), pq.WithStats(false),
		// A dictionary that grows too large gives a column two encodings, which
		// arrow-go lists in the order of a map: other bytes each time. Plain
		// text under zstd takes as little room.
		pq.WithDictionaryDefault(false),
	)
	f, err := pqarrow.NewFileWriter(schema, w, props, pqarrow.DefaultWriterProps())
	if err != nil {
		return nil, fmt.Errorf("parquet: %w", err)
	}
	return &Writer{file: f, rows: array.NewRecordBuilder(memory.DefaultAllocator, schema), cols: episodeColumns()}, nil
}

// Write adds one episode.
func (w *Writer) Write(ep *corpora.Episode) error {
	for i, c := range w.cols {
		c.put(w.rows.Field(i), ep)
	}
	w.n++
	w.bytes += size(ep)
	if w.n < groupRows && w.bytes < groupBytes {
		return nil
	}
	return w.flush()
}

// size is about how many bytes an episode takes.
func size(ep *corpora.Episode) int64 {
	n := 512 + len(ep.Task) + len(ep.Final)
	for i := range ep.Steps {
		s := &ep.Steps[i]
		n += 256 + len(s.Args) + len(s.Text) + len(s.Heard) + len(s.Result) + len(s.Error)
	}
	return int64(n)
}

// flush writes the waiting rows as one row group.
func (w *Writer) flush() error {
	if w.n == 0 {
		return nil
	}
	batch := w.rows.NewRecordBatch()
	defer batch.Release()
	w.n, w.bytes = 0, 0
	if err := w.file.Write(batch); err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	return nil
}

// Close writes what is left and the file's end. It does not close the
// underlying writer.
func (w *Writer) Close() error {
	err := w.flush()
	w.rows.Release()
	if cerr := w.file.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("parquet: %w", cerr)
	}
	return err
}
