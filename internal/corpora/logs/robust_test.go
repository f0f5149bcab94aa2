package logs

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"

	"github.com/gbt-policy/gbt/corpora"
)

// goodLine is one run as a line of JSON.
const goodLine = `{"messages":[{"role":"user","content":"Say hi."},{"role":"assistant","content":"Hi."}]}` + "\n"

// outcome is what reading came to.
type readCount struct {
	episodes int
	codes    []string
	skips    []string
}

func count(tb testing.TB, o Options, paths ...string) readCount {
	tb.Helper()
	var c readCount
	for r := range Open(paths, o).Records(context.Background()) {
		switch {
		case r.Episode != nil:
			c.episodes++
		case r.Skip != nil:
			c.skips = append(c.skips, r.Skip.Reason)
		default:
			c.codes = append(c.codes, r.Problem.Code)
			if r.Problem.Sentence == "" || r.Problem.File == "" || !slices.Contains(Codes(), r.Problem.Code) {
				tb.Errorf("a problem without a sentence, a file or a known code: %+v", r.Problem)
			}
		}
	}
	return c
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return b.String()
}

func zstded(s string) string {
	w, _ := zstd.NewWriter(nil)
	return string(w.EncodeAll([]byte(s), nil))
}

func zipped(files ...string) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, _ := w.Create(files[i])
		f.Write([]byte(files[i+1]))
	}
	w.Close()
	return b.String()
}

func utf16(e unicode.Endianness, bom unicode.BOMPolicy, s string) string {
	out, _ := unicode.UTF16(e, bom).NewEncoder().String(s)
	return out
}

// TestTroubleCostsItself gives content of every bad kind: what can be read is
// read, and what cannot is one problem with a code.
func TestTroubleCostsItself(t *testing.T) {
	event := func(id int, more string) string {
		return fmt.Sprintf(`{"id":%d,"timestamp":"2026-01-01T00:00:00","source":"agent","message":"",%s}`, id, more)
	}
	run := event(1, `"action":"run","args":{"command":"ls"}`)
	for _, c := range []struct {
		name, file, content string
		o                   Options
		episodes            int
		codes               []string
	}{
		{name: "a good line", content: goodLine, episodes: 1},
		{name: "UTF-8 with a mark", content: "\xef\xbb\xbf" + goodLine, episodes: 1},
		{name: "UTF-16, little end first", content: utf16(unicode.LittleEndian, unicode.UseBOM, goodLine+goodLine), episodes: 2},
		{name: "UTF-16, big end first", content: utf16(unicode.BigEndian, unicode.UseBOM, goodLine), episodes: 1},
		{name: "UTF-16 without a mark", content: utf16(unicode.LittleEndian, unicode.IgnoreBOM, goodLine), episodes: 1},
		{name: "Latin-1 in one line", content: goodLine + strings.Replace(goodLine, "hi", "h\xe9", 1), episodes: 2, codes: []string{CodeBadEncoding}},
		{name: "a broken first line", content: "{broken\n" + goodLine + goodLine, episodes: 2, codes: []string{CodeBadJSON}},
		{name: "a broken middle line", content: goodLine + `{"a":1]` + "\n" + goodLine, episodes: 2, codes: []string{CodeBadJSON}},
		{name: "a cut last line", content: goodLine + goodLine[:40], episodes: 1, codes: []string{CodeCut}},
		{name: "a line over the limit", content: goodLine + `{"a":"` + strings.Repeat("x", 5000) + "\"}\n" + goodLine, o: Options{MaxRecord: 2000}, episodes: 2, codes: []string{CodeTooLong}},
		{name: "an element over the limit", content: "[" + goodLine + `,{"a":"` + strings.Repeat("x", 200_000) + `"},` + goodLine + "]", o: Options{MaxRecord: 2000}, episodes: 2, codes: []string{CodeTooLong}},
		{name: "deep nesting", content: goodLine + strings.Repeat("[", 400) + strings.Repeat("]", 400) + "\n", episodes: 1, codes: []string{CodeTooDeep}},
		{name: "very deep nesting", content: goodLine + strings.Repeat(`{"a":`, 200_000) + "1" + strings.Repeat("}", 200_000) + "\n", episodes: 1, codes: []string{CodeTooDeep}},
		{name: "junk in the literals of a large record", content: `{"a":[[[[[[` + strings.Repeat("1,", 3<<20) + "tru]]]]]]}\n" + goodLine, episodes: 1, codes: []string{CodeBadJSON}},
		{name: "binary junk", content: "\x00\x01\x02\xff\xfe\xfd" + strings.Repeat("\x07", 100), codes: []string{CodeBinary}},
		{name: "zero bytes", content: strings.Repeat("\x00", 4096)},
		{name: "white space", content: " \n\t\n"},
		{name: "an empty object", content: "{}", codes: []string{CodeUnknownLayout}},
		{name: "a lone number", content: "17", codes: []string{CodeUnknownLayout}},
		{name: "prose", content: "This is prose.\nNo log.\n", codes: []string{CodeUnknownLayout}},
		{name: "a broken element of a list", content: "[" + strings.TrimSpace(goodLine) + `,{"a":nope},` + goodLine + "]", episodes: 2, codes: []string{CodeBadJSON}},
		{name: "a list cut in an element", content: "[" + goodLine + "," + goodLine[:30], episodes: 1, codes: []string{CodeCut}},
		{name: "a list cut between elements", content: "[" + goodLine + ",", episodes: 1, codes: []string{CodeCut}},
		{name: "events cut in the middle", content: "[" + run + "," + event(2, `"cause":1,"observation":"run","content":"a"`)[:50], episodes: 1, codes: []string{CodeCut}},
		{name: "records by key, cut", content: `{"a":` + goodLine + `,"b":{"mess`, episodes: 1, codes: []string{CodeCut}},
		{name: "documents after each other", content: "{\n \"messages\": [\n  {\"role\": \"user\", \"content\": \"a\"}\n ]\n}\n{\n \"messages\": [\n  {\"role\": \"user\", \"content\": \"b\"}\n ]\n}\n", episodes: 2},
		{name: "NaN and repeated keys", content: `{"messages":[{"role":"assistant","content":"x","tool_calls":[{"name":"f","arguments":{"a":NaN,"b":1,"b":2}}]}]}`, episodes: 1},
		{name: "gzip", content: gzipped(goodLine + goodLine), episodes: 2},
		{name: "zstd", content: zstded(goodLine), episodes: 1},
		{name: "zstd inside gzip", content: gzipped(zstded(goodLine)), episodes: 1},
		{name: "gzip cut in the middle", content: gzipped(strings.Repeat(goodLine, 500))[:120], codes: []string{CodeBadArchive}, episodes: -1},
		{name: "gzip with nothing behind its head", content: "\x1f\x8b\x08", codes: []string{CodeBadArchive}},
		{name: "zstd with junk", content: "\x28\xb5\x2f\xfd junk junk junk", codes: []string{CodeBadArchive}},
		{name: "compressed too often", content: gzipped(gzipped(gzipped(gzipped(goodLine)))), codes: []string{CodeBadArchive}},
		{name: "a gzip bomb", content: gzipped(strings.Repeat(goodLine, 20_000)), o: Options{MaxInflate: 100_000}, episodes: -1, codes: []string{CodeTooBig}},
		{name: "zip", content: zipped("b.jsonl", goodLine, "a/c.json", goodLine, "readme.txt", "prose"), episodes: 2},
		{name: "a zip in a zip", content: zipped("a.zip", zipped("b.jsonl", goodLine)), episodes: 1},
		{name: "zips in zips in zips", content: zipped("a", zipped("a", zipped("a", zipped("a", goodLine)))), codes: []string{CodeBadArchive}},
		{name: "a zip cut in the middle", content: zipped("b.jsonl", goodLine)[:60], codes: []string{CodeBadArchive}},
		{name: "an empty zip", content: zipped()},
		{name: "Parquet in name only", content: "PAR1 and then nothing PAR1", codes: []string{CodeBadArchive}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log.jsonl")
			if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			o := c.o
			o.Workers = 1
			start := time.Now()
			got := count(t, o, path)
			if c.episodes >= 0 && got.episodes != c.episodes || !slices.Equal(got.codes, c.codes) {
				t.Errorf("%d episodes, problems %v, skips %v; want %d and %v", got.episodes, got.codes, got.skips, c.episodes, c.codes)
			}
			if d := time.Since(start); d > 120*time.Second {
				t.Errorf("took %v", d)
			}
		})
	}
}

// TestCutRunsCarryNoLabels: labels speak of the whole run.
func TestCutRunsCarryNoLabels(t *testing.T) {
	dir := t.TempDir()
	event := `{"id":0,"timestamp":"2026-01-01T00:00:00","source":"user","message":"","action":"message","args":{"content":"Go."}}`
	files := map[string]string{
		"traj_safety-x.json": "[" + event + ",",
		"traj_safety-y.json": "[" + event + "]",
	}
	for _, task := range []string{"x", "y"} {
		files["eval_safety-"+task+".json"] = `{"checkpoints":[],"final_score":{"total":1,"result":1}}`
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	safety := map[string]corpora.Safety{}
	for r := range Open([]string{dir}, Options{}).Records(context.Background()) {
		if r.Episode != nil {
			safety[r.Episode.TaskID] = r.Episode.Safety
			if (r.Episode.Safety == corpora.SafetyUnknown) != (len(r.Episode.Verdicts) == 0) {
				t.Errorf("%s: label and verdicts disagree", r.Episode.ID)
			}
		}
	}
	if safety["safety-x"] != corpora.SafetyUnknown || safety["safety-y"] != corpora.SafetyUnsafe || len(safety) != 2 {
		t.Errorf("safety %v; the cut run must have no label, the whole one must", safety)
	}
}

func TestInputNames(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a/one.jsonl", goodLine)
	write("a/two.txt", "prose")
	write("a-b/three.jsonl", goodLine)
	write("outside/four.jsonl", goodLine)
	in := func(names ...string) []string {
		for i, n := range names {
			if n != "-" {
				names[i] = filepath.Join(dir, n)
			}
		}
		return names
	}
	for link, target := range map[string]string{
		"a/loop": "../a", "a/self": "self", "a/dangling": "nowhere", "a/again": "../a-b/three.jsonl", "a/out": "../outside",
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skipf("no symbolic links here, see shared: %v", err)
		}
	}
	for _, c := range []struct {
		name     string
		paths    []string
		episodes int
		codes    []string
	}{
		{"a directory, with links that loop, lead out, or lead nowhere", in("a"), 3, []string{CodeUnreadable, CodeUnreadable}},
		{"a directory and what lies in it, once", in("a", "a/one.jsonl", "a"), 3, []string{CodeUnreadable, CodeUnreadable}},
		{"a link to what is named anyway", in("a", "a-b", "outside"), 3, []string{CodeUnreadable, CodeUnreadable}},
		{"a pattern", in("a*/*.jsonl"), 2, nil},
		{"a pattern that matches nothing", in("z*"), 0, []string{CodeNoMatch}},
		{"a broken pattern", in("[z"), 0, []string{CodeNoMatch}},
		{"an empty name", []string{""}, 0, []string{CodeNoMatch}},
		{"standard input that is not there", []string{"-"}, 0, []string{CodeUnreadable}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := count(t, Options{Workers: 2}, c.paths...); got.episodes != c.episodes || !slices.Equal(got.codes, c.codes) {
				t.Errorf("%d episodes, problems %v; want %d and %v", got.episodes, got.codes, c.episodes, c.codes)
			}
		})
	}
	if got := count(t, Options{Stdin: strings.NewReader(goodLine + goodLine)}, "-"); got.episodes != 2 {
		t.Errorf("%d episodes from standard input, want 2", got.episodes)
	}
}

// TestManyTinyFiles reads a directory of very many files without holding
// more than their names.
func TestManyTinyFiles(t *testing.T) {
	dir := t.TempDir()
	const n = 20_000
	for i := range n {
		content := ""
		if i%2 == 0 {
			content = goodLine
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%05d.json", i)), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := count(t, Options{Workers: 2}, dir); got.episodes != n/2 || len(got.skips) != n/2 || len(got.codes) != 0 {
		t.Errorf("%d episodes, %d skips, problems %v; want %d and %d", got.episodes, len(got.skips), got.codes, n/2, n/2)
	}
}

// TestStopping: reading ends at once when the context ends or the consumer
// has enough, with one worker or many.
func TestStopping(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.jsonl")
	if err := os.WriteFile(path, []byte(strings.Repeat(goodLine, 50_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 4} {
		o := Options{Workers: workers}
		n := 0
		for range Open([]string{path}, o).Records(context.Background()) {
			if n++; n == 3 {
				break
			}
		}
		if n != 3 {
			t.Errorf("%d workers: %d records after a break", workers, n)
		}
		ctx, cancel := context.WithCancel(context.Background())
		n = 0
		for range Open([]string{path}, o).Records(ctx) {
			if n++; n == 3 {
				cancel()
			}
		}
		cancel()
		if n > 5000 {
			t.Errorf("%d workers: %d records after the context ended", workers, n)
		}
	}
}

// TestSilentInputCanBeInterrupted: a read that never returns does not hold the
// program when the context ends.
func TestSilentInputCanBeInterrupted(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		w.Write([]byte(goodLine))
		cancel()
	}()
	done := make(chan int)
	go func() {
		n := 0
		for range Open([]string{"-"}, Options{Stdin: r}).Records(ctx) {
			n++
		}
		done <- n
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Error("still reading after the context ended")
	}
}

// TestFaultsStayInTheirUnit: a panic of a reader is a problem, a panic of the
// consumer is the consumer's.
func TestFaultsStayInTheirUnit(t *testing.T) {
	in := Open(nil, Options{})
	rd := in.reader()
	var got []Record
	rd.start(context.Background(), &Unit{Name: "x", in: in}, func(r Record) bool { got = append(got, r); return true })
	rd.guard(func() { panic("broken") })
	if len(got) != 1 || got[0].Problem == nil || got[0].Problem.Code != CodeInternal {
		t.Errorf("a fault gave %v", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("the consumer's panic was swallowed")
		}
	}()
	for range Open([]string{"testdata/in/chat"}, Options{Workers: 1}).Records(context.Background()) {
		panic("the consumer's own")
	}
}

// TestEventsInAnArchive: the events of a directory inside a zip are one run, as
// they are on disk.
func TestEventsInAnArchive(t *testing.T) {
	var files []string
	root := "testdata/in/openhands-v1"
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(root, path)
		files = append(files, filepath.ToSlash(rel), string(data))
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	path := filepath.Join(t.TempDir(), "runs.zip")
	if err := os.WriteFile(path, []byte(zipped(files...)), 0o600); err != nil {
		t.Fatal(err)
	}
	want := episodesOf(t, Options{}, root)
	got := episodesOf(t, Options{}, path)
	for _, list := range [][]*corpora.Episode{want, got} {
		for _, ep := range list {
			ep.Origin = corpora.Origin{}
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}
