package logs

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gbt-policy/gbt/corpora"
)

// The targets below give hostile content to each physical shape and to each
// layout that gathers a run from parts. Whatever comes in: no fault of this
// package, every record has its one field, every argument text is one JSON
// object, text is UTF-8, and reading twice gives the same.

func FuzzJSONL(f *testing.F) {
	fuzzContent(f, "agentdojo", "toolemu", "agentspec", "mixed", "chat", "gbt-run")
}
func FuzzDocument(f *testing.F) {
	fuzzContent(f, "agentdojo-files", "intercode", "taubench", "rjudge", "dojoluna", "whowhen", "mini", "inspect", "atif")
}
func FuzzSWEAgent(f *testing.F)  { fuzzContent(f, "sweagent", "terminalbench") }
func FuzzText(f *testing.F)      { fuzzContent(f, "react") }
func FuzzChat(f *testing.F)      { fuzzContent(f, "chat", "content") }
func FuzzClaude(f *testing.F)    { fuzzContent(f, "claude") }
func FuzzCodex(f *testing.F)     { fuzzContent(f, "codex") }
func FuzzLangChain(f *testing.F) { fuzzContent(f, "langchain") }
func FuzzPi(f *testing.F)        { fuzzContent(f, "pi") }
func FuzzSpans(f *testing.F)     { fuzzContent(f, "otlp") }
func FuzzOpenHands(f *testing.F) {
	fuzzContent(f, "openhands")
}
func FuzzParquet(f *testing.F) { fuzzContent(f, "hf") }
func FuzzPacked(f *testing.F) {
	f.Add([]byte(gzipped(goodLine)))
	f.Add([]byte(zstded(goodLine)))
	f.Add([]byte(zipped("a.jsonl", goodLine, "b.json", "[]")))
	fuzzContent(f, "inspect")
}

// FuzzOpenHandsV1 joins the fixture's events to one list, the other form that
// they come in.
func FuzzOpenHandsV1(f *testing.F) {
	var events []string
	for _, data := range seeds(f, "openhands-v1/conversation/events") {
		events = append(events, string(data))
	}
	f.Add([]byte("[" + strings.Join(events, ",") + "]"))
	fuzzContent(f, "openhands-v1")
}

// TestEveryFixtureIsASeed: a layout whose fixture seeds no target is not fuzzed.
func TestEveryFixtureIsASeed(t *testing.T) {
	source, err := os.ReadFile("fuzz_test.go")
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := os.ReadDir("testdata/in")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, d := range dirs {
		seeded := regexp.MustCompile(`fuzzContent\(f.*"` + regexp.QuoteMeta(d.Name()) + `"`)
		if !seeded.Match(source) {
			t.Errorf("%s seeds no fuzz target", d.Name())
		}
	}
}

// seeds is the content of the files below the given inputs. A directory that
// gives nothing is a mistake.
func seeds(f *testing.F, dirs ...string) (out [][]byte) {
	for _, d := range dirs {
		n := len(out)
		err := filepath.WalkDir(filepath.Join("testdata/in", d), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			out = append(out, data)
			return err
		})
		if err != nil || len(out) == n {
			f.Fatalf("no seeds in %s: %v", d, err)
		}
	}
	return out
}

func fuzzContent(f *testing.F, dirs ...string) {
	for _, data := range seeds(f, dirs...) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<20 {
			return
		}
		first := readBytes(data, Options{MaxInflate: 4 << 20})
		for _, r := range first {
			checkRecord(t, r)
		}
		if again := readBytes(data, Options{MaxInflate: 4 << 20}); !reflect.DeepEqual(first, again) {
			t.Error("the same bytes gave other records")
		}
		// The other way through a document may report damage elsewhere, but
		// undamaged content reads the same.
		if !slices.ContainsFunc(first, func(r Record) bool { return r.Problem != nil }) {
			if walked := readBytes(data, Options{MaxInflate: 4 << 20, WholeLimit: 1}); !reflect.DeepEqual(first, walked) {
				t.Errorf("whole:  %s\nwalked: %s", show(first), show(walked))
			}
		}
	})
}

func show(list []Record) string {
	data, _ := json.Marshal(list)
	return string(data)
}

func readBytes(data []byte, o Options) []Record {
	o.Workers, o.Stdin = 1, bytes.NewReader(data)
	return slices.Collect(Open([]string{"-"}, o).Records(context.Background()))
}

func checkRecord(t *testing.T, r Record) {
	t.Helper()
	set := 0
	for _, is := range []bool{r.Episode != nil, r.Skip != nil, r.Problem != nil} {
		if is {
			set++
		}
	}
	switch {
	case set != 1:
		t.Fatalf("a record with %d fields set", set)
	case r.Skip != nil && r.Skip.Reason == "":
		t.Error("a skip without a reason")
	case r.Problem != nil && (r.Problem.Code == CodeInternal || r.Problem.Sentence == "" || !slices.Contains(Codes(), r.Problem.Code)):
		t.Errorf("problem %+v", r.Problem)
	case r.Episode != nil:
		checkEpisode(t, r.Episode)
	}
}

func checkEpisode(t *testing.T, ep *corpora.Episode) {
	t.Helper()
	if ep.ID == "" || ep.Format == "" {
		t.Errorf("an episode without id or format: %+v", ep)
	}
	if ep.Outcome > corpora.OutcomeFailure || ep.Safety > corpora.SafetyUnsafe {
		t.Errorf("labels out of range: %+v", ep)
	}
	for _, v := range ep.Verdicts {
		if v.Step < -1 || v.Step >= len(ep.Steps) {
			t.Errorf("a verdict on step %d of %d", v.Step, len(ep.Steps))
		}
	}
	for i := range ep.Steps {
		s := &ep.Steps[i]
		if !json.Valid([]byte(s.Args)) || !strings.HasPrefix(s.Args, "{") {
			t.Errorf("arguments that are no JSON object: %q", s.Args)
		}
		if s.Status > corpora.StatusBlocked {
			t.Errorf("status %d", s.Status)
		}
		for _, text := range []string{s.Tool, s.Text, s.Result, s.Error} {
			if !utf8.ValidString(text) {
				t.Errorf("text that is not UTF-8: %q", text)
			}
		}
	}
}

// FuzzSplitter compares the cutting of lists and objects with encoding/json.
func FuzzSplitter(f *testing.F) {
	for _, s := range []string{`[1,"a,]",{"b":[{}]},null]`, `{"a":1,"b\"":"x\\","c":[]}`, `[]`, `{}`, `["\\\"",-1e5 ]`} {
		f.Add([]byte(s), 3)
	}
	f.Fuzz(func(t *testing.T, data []byte, chunk int) {
		data = bytes.TrimSpace(data)
		if !json.Valid(data) || len(data) == 0 || data[0] != '[' {
			return
		}
		var want []json.RawMessage
		if json.Unmarshal(data, &want) != nil {
			return
		}
		s := &splitter{rest: &chunked{data, max(1, chunk%7)}, max: 1 << 20}
		if !s.open() {
			t.Fatal("the list was not entered")
		}
		for i, w := range want {
			if !s.next() || s.cut || string(bytes.TrimSpace(s.value)) != string(w) {
				t.Fatalf("element %d is %q (cut %v), want %q", i, s.value, s.cut, w)
			}
		}
		if s.next() || s.cut {
			t.Fatal("more elements than there are")
		}
	})
}

// chunked gives its bytes a few at a time.
type chunked struct {
	data []byte
	n    int
}

func (c *chunked) Read(p []byte) (int, error) {
	if len(c.data) == 0 {
		return 0, os.ErrClosed
	}
	n := copy(p[:min(len(p), c.n)], c.data)
	c.data = c.data[n:]
	return n, nil
}

// FuzzPython: what reads as a Python literal becomes valid JSON.
func FuzzPython(f *testing.F) {
	for _, s := range []string{`{'a': 1, "b": [True, None, (1,)], 'c': 'it\'s \x41'}`, `[]`, `{'a'`, `'\u00e9'`, `-1.5e3`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if b, ok := appendPython(nil, s); ok && !json.Valid(b) {
			t.Errorf("%q became %q", s, b)
		}
	})
}
