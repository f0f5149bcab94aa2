package parquet

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"pgregory.net/rapid"

	"github.com/gbt-policy/gbt/corpora"
)

func write(tb testing.TB, eps []*corpora.Episode) []byte {
	tb.Helper()
	var buf bytes.Buffer
	w, err := NewWriter(&buf)
	if err != nil {
		tb.Fatal(err)
	}
	for _, ep := range eps {
		if err := w.Write(ep); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return buf.Bytes()
}

func readAll(data []byte) ([]*corpora.Episode, error) {
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	var out []*corpora.Episode
	for ep, err := range f.Episodes() {
		if err != nil {
			return out, err
		}
		out = append(out, ep)
	}
	return out, nil
}

// full is an episode with every field set, found by reflection so that a field
// added later cannot be forgotten.
func full(t *testing.T) *corpora.Episode {
	var ep corpora.Episode
	n := 1
	fill(t, reflect.ValueOf(&ep).Elem(), &n)
	return &ep
}

func fill(t *testing.T, v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d ü", *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Uint8:
		v.SetUint(2)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(t, v.Index(0), n)
		fill(t, v.Index(1), n)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), n)
		}
	default:
		t.Fatalf("no way to fill a %s", v.Type())
	}
}

func TestEveryFieldComesBack(t *testing.T) {
	want := []*corpora.Episode{full(t), {}, full(t)}
	got, err := readAll(write(t, want))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestRandomEpisodesComeBackAndBytesAreStable(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		want := rapid.SliceOfN(rapid.Custom(drawEpisode), 0, 20).Draw(rt, "episodes")
		data := write(t, want)
		if !bytes.Equal(data, write(t, want)) {
			rt.Fatal("the same episodes gave other bytes")
		}
		got, err := readAll(data)
		if err != nil {
			rt.Fatal(err)
		}
		if len(got) != len(want) || len(got) > 0 && !reflect.DeepEqual(got, want) {
			rt.Fatalf("got %+v\nwant %+v", got, want)
		}
	})
}

func drawEpisode(t *rapid.T) *corpora.Episode {
	s := func(name string) string { return rapid.String().Draw(t, name) }
	n := func(name string) int { return rapid.IntRange(-1, 1<<40).Draw(t, name) }
	ep := &corpora.Episode{
		ID: s("id"), Task: s("task"), Final: s("final"), Outcome: corpora.Outcome(n("outcome") % 3 & 3 % 3), Chars: int64(n("chars")),
		Origin: corpora.Origin{File: s("file"), Line: n("line"), Index: n("index")},
	}
	for range rapid.IntRange(0, 4).Draw(t, "steps") {
		st := corpora.Step{Tool: s("tool"), Args: s("args"), Result: s("result"), Index: n("at"), Status: corpora.StatusExecuted}
		for range rapid.IntRange(0, 2).Draw(t, "deltas") {
			st.Deltas = append(st.Deltas, corpora.Delta{Kind: corpora.DeltaSend, Resource: s("resource"), Observed: true})
		}
		ep.Steps = append(ep.Steps, st)
	}
	return ep
}

// TestRowGroupsAreBounded keeps the writer's memory independent of the number
// of episodes.
func TestRowGroupsAreBounded(t *testing.T) {
	big := &corpora.Episode{ID: "a", Steps: []corpora.Step{{Result: strings.Repeat("x", groupBytes/4)}}}
	data := write(t, []*corpora.Episode{big, big, big, big, big, big, big, big})
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if n := f.rd.NumRowGroups(); n != 2 {
		t.Errorf("%d row groups for twice the bound", n)
	}
}

func TestForeignRowsAreJSON(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.BinaryTypes.LargeString},
		{Name: "done", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
		{Name: "score", Type: arrow.PrimitiveTypes.Float64},
		{Name: "turns", Type: arrow.ListOf(arrow.StructOf(
			arrow.Field{Name: "role", Type: arrow.BinaryTypes.String},
			arrow.Field{Name: "n", Type: arrow.PrimitiveTypes.Int32},
		))},
	}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for _, row := range []string{
		`{"id":"a\"\n\u0001é","done":null,"score":0.5,"turns":[{"role":"user","n":3},null]}`,
		`{"id":"b","done":true,"score":2,"turns":[]}`,
	} {
		if err := b.UnmarshalJSON([]byte(row)); err != nil {
			t.Fatal(err)
		}
	}
	var buf bytes.Buffer
	w, err := pqarrow.NewFileWriter(schema, &buf, nil, pqarrow.DefaultWriterProps())
	if err != nil {
		t.Fatal(err)
	}
	batch := b.NewRecordBatch()
	defer batch.Release()
	if err := errors.Join(w.Write(batch), w.Close()); err != nil {
		t.Fatal(err)
	}
	f, err := Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if f.Version() != 0 {
		t.Errorf("a foreign file has episode version %d", f.Version())
	}
	want := []string{
		`{"id":"a\"\n\u0001é","done":null,"score":0.5,"turns":[{"role":"user","n":3},null]}`,
		`{"id":"b","done":true,"score":2,"turns":[]}`,
	}
	i := 0
	for row, err := range f.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(row) || string(row) != want[i] {
			t.Errorf("row %d is %s\nwant %s", i, row, want[i])
		}
		i++
	}
	if i != len(want) {
		t.Errorf("%d rows, want %d", i, len(want))
	}
	for _, err := range f.Episodes() {
		if err == nil {
			t.Error("foreign rows were read as episodes")
		}
	}
}

func TestLaterVersionsAreRefused(t *testing.T) {
	data := write(t, []*corpora.Episode{{ID: "a"}})
	key := []byte(versionKey)
	at := bytes.LastIndex(data, key)
	if at < 0 {
		t.Fatal("the version is not in the file")
	}
	// The value follows the key: field header, length 1, the digit.
	digit := bytes.IndexByte(data[at+len(key):], '1') + at + len(key)
	data[digit] = '9'
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if f.Version() != 9 {
		t.Fatalf("version %d, the test did not find the value", f.Version())
	}
	for _, err := range f.Episodes() {
		if err == nil {
			t.Error("a later version was read")
		}
	}
}

// TestWriteErrorsAreReported uses a disk that is full after a few bytes.
func TestWriteErrorsAreReported(t *testing.T) {
	w, err := NewWriter(&fullDisk{left: 100})
	if err != nil {
		return // refused at once is as good
	}
	err = errors.Join(w.Write(full(t)), w.Close())
	if err == nil {
		t.Error("a full disk went unnoticed")
	}
}

type fullDisk struct{ left int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.left -= len(p); d.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// FuzzRead gives damaged files: they may fail, they may not panic.
func FuzzRead(f *testing.F) {
	good := write(f, []*corpora.Episode{{ID: "a", Task: "b", Steps: []corpora.Step{{Tool: "bash", Args: "{}"}}}, {}})
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add([]byte("PAR1PAR1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		readAll(data)
		if file, err := Open(bytes.NewReader(data), int64(len(data))); err == nil {
			n := 0
			for range file.Rows() {
				if n++; n > 1000 {
					break
				}
			}
		}
	})
}
