package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func fixture(t *testing.T) *report {
	t.Helper()
	r, err := measure(filepath.Join("testdata", "tree"), false)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRooms(t *testing.T) {
	r := fixture(t)
	want := []tally{
		{"cmd/gbt", 8}, {"docs", 2}, {"gates", 18}, {"gates/action", 7}, {"gates/effect", 13}, {"gates/shell", 21}, {"hosts", 20}, {"internal/corpora/logs", 5},
	}
	if !slices.Equal(r.Rooms, want) || r.Lines != 94 {
		t.Errorf("%d lines, rooms %v, want %v", r.Lines, r.Rooms, want)
	}
}

func TestConcerns(t *testing.T) {
	got := map[string]int{}
	for _, c := range fixture(t).Concerns {
		if c.Count > 0 {
			got[c.Name] = c.Count
		}
	}
	want := map[string]int{
		"tool and program tables": 3, "shell evaluator": 18, "actions": 7, "effects, guardrail, content": 13, "contexts and reading of arguments": 18,
		"corpora and log readers": 5, "hosts and hook": 20, "cmd/gbt": 8, "other": 2,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A file keeps its concern, and a room its layer, when the room moves.
func TestMoved(t *testing.T) {
	for _, c := range [][2]string{
		{"gates/flow/index.go", "gates/origin/index.go"},
		{"gates/shell/word.go", "gates/call/shell/word.go"},
		{"gates/shell/code.go", "gates/call/code/code.go"},
		{"gates/action/shell.go", "gates/call/action.go"},
		{"gates/role.go", "gates/call/role.go"},
		{"tree/embed/embed.go", "tree/text/embed.go"},
		{"corpora/logs/codex.go", "internal/corpora/logs/codex.go"},
		{"gates/learn/learn.go", "internal/learn/learn.go"},
	} {
		if a, b := concernOf(c[0]), concernOf(c[1]); a != b || a == otherConcern {
			t.Errorf("%s is %q, %s is %q", c[0], a, c[1], b)
		}
		a, okA := layerOf(filepath.Dir(c[0]))
		b, okB := layerOf(filepath.Dir(c[1]))
		if c[0] != "gates/role.go" && (a != b || !okA || !okB) {
			t.Errorf("%s is in layer %d, %s in %d", c[0], a, c[1], b)
		}
	}
}

func TestUpwardImports(t *testing.T) {
	r := fixture(t)
	if want := []upward{{"gates/action", "gates", 1}}; !slices.Equal(r.Upward, want) {
		t.Errorf("upward imports %v, want %v", r.Upward, want)
	}
	if len(r.Unranked) > 0 {
		t.Errorf("unranked %v", r.Unranked)
	}
}

// Methods of unexported types, internal packages and programs are not seen.
func TestExported(t *testing.T) {
	want := surfaces{
		Total:   surface{Packages: 6, Names: 9, Methods: 1, Documented: 8, Fields: 3},
		Runtime: surface{Packages: 4, Names: 8, Methods: 1, Documented: 7, Fields: 3},
		Rest:    surface{Packages: 2, Names: 1, Documented: 1},
	}
	if got := fixture(t).Exported; got != want {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestCrowdedNames(t *testing.T) {
	want := []namedType{
		{"Call", "gates.Call", "gates/gates.go:8", false},
		{"Verdict", "gates.verdict", "gates/gates.go:13", false},
		{"Result", "main.RESULT", "cmd/gbt/main.go:6", false},
		{"Result", "logs.Result", "internal/corpora/logs/logs.go:5", false},
		{"Env", "gates.Env", "gates/gates.go:10", true},
	}
	if got := fixture(t).Types; !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

func TestSizes(t *testing.T) {
	got := sizesOf([]sized{{"c", 9}, {"a", 1}, {"b", 4}})
	if want := (sizes{3, 4, 9, 9, "c"}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if f := fixture(t).Functions; f.Count != 8 || f.Longest != 14 || f.Which != "hosts/hosts.go:7 Title" {
		t.Errorf("functions %+v", f)
	}
}

func TestHostArms(t *testing.T) {
	want := arms{Cases: 2, Comparisons: 1, MapKeys: 1, Files: []tally{{"hosts/hosts.go", 4}}}
	if got := fixture(t).Hosts; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// The two forms hold the same figures; a directory without a module is refused.
func TestRun(t *testing.T) {
	var table, object, errs bytes.Buffer
	dir := filepath.Join("testdata", "tree")
	if run([]string{"-C", dir}, &table, &errs) != 0 || run([]string{"-C", dir, "-json"}, &object, &errs) != 0 {
		t.Fatal(errs.String())
	}
	if !strings.Contains(table.String(), "gates/action -> gates (1 files)") {
		t.Errorf("table:\n%s", table.String())
	}
	var r report
	if err := json.Unmarshal(object.Bytes(), &r); err != nil || !reflect.DeepEqual(&r, fixture(t)) {
		t.Errorf("JSON: %v\n%s", err, object.String())
	}
	if got := run([]string{"-C", "testdata"}, &table, &errs); got != 5 {
		t.Errorf("status %d without a go.mod", got)
	}
}

// probe is a program that runs in an instrumented copy of the fixture.
const probe = `package main

import (
	"encoding/json"
	"os"

	"example.org/house/gates"
	"example.org/house/internal/housemeter"
)

func main() {
	housemeter.Start()
	(&gates.Call{Tool: "a", Command: "ls -la"}).Check()
	json.NewEncoder(os.Stdout).Encode(map[string]any{"way": housemeter.So(), "parses": housemeter.Parses})
}
`

// gates calls shell twice; each time shell calls effect, which calls back a
// literal in shell, which calls shell's count.
func TestInstrument(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "copy"), os.DirFS(filepath.Join("testdata", "tree"))); err != nil {
		t.Fatal(err)
	}
	s, err := load(filepath.Join("testdata", "tree"))
	if err != nil {
		t.Fatal(err)
	}
	tr := tracer{s, dir, filepath.Join(dir, "copy")}
	if n, err := s.instrument(tr.to); err != nil || n != 1 {
		t.Fatalf("%d places that parse, error %v", n, err)
	}
	if err := tr.counters(); err != nil {
		t.Fatal(err)
	}
	if err := write(filepath.Join(tr.to, drive, "probe", "main.go"), []byte(probe)); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Way    way
		Parses []string
	}
	if err := tr.drive("probe", "", &got); err != nil {
		t.Fatal(err)
	}
	want := way{
		Rooms: []string{"gates", "gates/shell", "gates/effect"}, Walk: []string{"gates", "gates/shell", "gates/effect", "gates/shell"},
		Crossings: 7, Back: 4,
	}
	if !reflect.DeepEqual(got.Way, want) || got.Way.Returns() != 1 {
		t.Errorf("got %+v, %d returns\nwant %+v", got.Way, got.Way.Returns(), want)
	}
	if !slices.Equal(got.Parses, []string{"gates/shell", "gates/shell"}) {
		t.Errorf("parses %v", got.Parses)
	}
}

func TestCut(t *testing.T) {
	log := `{"info":1,"messages":["task",{"tool_calls":1},"r1",{"tool_calls":2},"r2",{"tool_calls":3},"r3"]}`
	got, err := cut([]byte(log), 1)
	if want := `{"info":1,"messages":["task",{"tool_calls":2},"r2"]}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
	if _, err := cut([]byte(log), 3); err == nil {
		t.Error("a call that is not there was cut")
	}
}
