package contexts

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	pq "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/parquet"
)

// The version of the schema, in the file's metadata and in every row: a reader
// refuses versions it does not know.
const (
	versionKey    = "gbt.contexts.version"
	schemaVersion = 2
	groupRows     = 4096
)

func schema() *arrow.Schema {
	str, num := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64
	evidence := arrow.StructOf(
		arrow.Field{Name: "episode", Type: str}, arrow.Field{Name: "task", Type: str}, arrow.Field{Name: "group", Type: str},
		arrow.Field{Name: "from", Type: num}, arrow.Field{Name: "to", Type: num},
		arrow.Field{Name: "rule", Type: str}, arrow.Field{Name: "detail", Type: str}, arrow.Field{Name: "basis", Type: str},
	)
	meta := arrow.NewMetadata([]string{versionKey}, []string{strconv.Itoa(schemaVersion)})
	return arrow.NewSchema([]arrow.Field{
		{Name: "version", Type: num}, {Name: "id", Type: str}, {Name: "label", Type: str}, {Name: "context", Type: str},
		{Name: "tool", Type: str}, {Name: "family", Type: str}, {Name: "resource", Type: str}, {Name: "macro", Type: str},
		{Name: "total", Type: num}, {Name: "evidence", Type: arrow.ListOfNonNullable(evidence)},
	}, &meta)
}

// Write writes a corpus as one Parquet file: unsafe rows, then benign ones,
// each sorted by id. The same corpus gives the same bytes.
func (c *Corpus) Write(w io.Writer) error {
	s := schema()
	props := pq.NewWriterProperties(
		pq.WithCompression(compress.Codecs.Zstd), pq.WithCreatedBy("gbt"), pq.WithDataPageVersion(pq.DataPageV2),
		pq.WithMaxRowGroupLength(groupRows), pq.WithStats(false), pq.WithDictionaryDefault(false),
	)
	f, err := pqarrow.NewFileWriter(s, w, props, pqarrow.DefaultWriterProps())
	if err != nil {
		return fmt.Errorf("contexts: %w", err)
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, s)
	defer b.Release()
	n := 0
	for l := range numLabels {
		for _, r := range c.Rows(l) {
			put(b, r)
			if n++; n%groupRows == 0 {
				if err := flush(f, b); err != nil {
					return err
				}
			}
		}
	}
	if n%groupRows != 0 {
		if err := flush(f, b); err != nil {
			return err
		}
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("contexts: %w", err)
	}
	return nil
}

func flush(f *pqarrow.FileWriter, b *array.RecordBuilder) error {
	batch := b.NewRecordBatch()
	defer batch.Release()
	if err := f.Write(batch); err != nil {
		return fmt.Errorf("contexts: %w", err)
	}
	return nil
}

func put(b *array.RecordBuilder, r *Row) {
	num := func(i int, n int) { b.Field(i).(*array.Int64Builder).Append(int64(n)) }
	num(0, schemaVersion)
	for i, s := range []string{r.ID, r.Label.String(), string(r.Context), r.Tool, r.Family, r.Resource, r.Macro} {
		b.Field(1 + i).(*array.StringBuilder).Append(s)
	}
	num(8, r.Total)
	list := b.Field(9).(*array.ListBuilder)
	list.Append(true)
	one := list.ValueBuilder().(*array.StructBuilder)
	for _, e := range r.Evidence {
		one.Append(true)
		for i, s := range map[int]string{0: e.Episode, 1: e.Task, 2: e.Group, 5: e.Rule, 6: e.Detail, 7: e.Basis} {
			one.FieldBuilder(i).(*array.StringBuilder).Append(s)
		}
		one.FieldBuilder(3).(*array.Int64Builder).Append(int64(e.From))
		one.FieldBuilder(4).(*array.Int64Builder).Append(int64(e.To))
	}
}

// ErrDamaged is what Read returns for files that are no corpus of this program,
// or that somebody changed.
var ErrDamaged = errors.New("not a corpus of contexts, or a changed one")

// Read reads a corpus. It refuses a row whose id is not that of its context,
// and a context that is not in canonical form.
func Read(r io.ReaderAt, size int64) (*Corpus, error) {
	f, err := parquet.Open(r, size)
	if err != nil {
		return nil, err
	}
	var p fastjson.Parser
	c := &Corpus{}
	n := 0
	for data, err := range f.Rows() {
		if err != nil {
			return nil, err
		}
		v, err := p.ParseBytes(data)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", n, ErrDamaged)
		}
		row, err := readRow(v)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", n, err)
		}
		c.Add(row)
		n++
	}
	if c.Len(Unsafe)+c.Len(Benign) != n {
		return nil, fmt.Errorf("a row stands twice: %w", ErrDamaged)
	}
	return c, nil
}

func readRow(v *fastjson.Value) (Row, error) {
	str := func(v *fastjson.Value, k string) string { return string(v.GetStringBytes(k)) }
	if got := v.GetInt("version"); got < 1 || got > schemaVersion {
		return Row{}, fmt.Errorf("version %d, this program reads 1 to %d: %w", got, schemaVersion, ErrDamaged)
	}
	r := Row{
		ID: str(v, "id"), Context: []byte(str(v, "context")), Tool: str(v, "tool"), Family: str(v, "family"),
		Resource: str(v, "resource"), Macro: str(v, "macro"), Total: v.GetInt("total"), Label: numLabels,
	}
	for l := range numLabels {
		if str(v, "label") == l.String() {
			r.Label = l
		}
	}
	if r.Label == numLabels || r.ID != ID(r.Context) || r.Total < 1 {
		return Row{}, ErrDamaged
	}
	if _, err := gates.ParseContext(r.Context); err != nil {
		return Row{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	for _, e := range v.GetArray("evidence") {
		r.Evidence = append(r.Evidence, Evidence{
			Episode: str(e, "episode"), Task: str(e, "task"), Group: str(e, "group"), From: e.GetInt("from"), To: e.GetInt("to"),
			Rule: str(e, "rule"), Detail: str(e, "detail"), Basis: str(e, "basis"),
		})
	}
	return r, nil
}
