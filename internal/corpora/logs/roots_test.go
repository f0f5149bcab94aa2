package logs

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
)

// filesOf lists the files below root whose name ends so.
func filesOf(t *testing.T, root, end string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, end) {
			out = append(out, path)
		}
		return err
	})
	if err != nil || len(out) == 0 {
		t.Fatalf("%d files %s in %s: %v", len(out), end, root, err)
	}
	return out
}

// TestEventFilesNamedOneByOne: they are the run that the walk of their
// directory finds, with its labels; some of them are a run without labels.
func TestEventFilesNamedOneByOne(t *testing.T) {
	const root = "../../../examples/logs/openhands-sdk"
	want := episodesOf(t, Options{}, root)
	if len(want) != 24 {
		t.Fatalf("%d episodes in the walk", len(want))
	}
	files := filesOf(t, root, ".json")
	slices.Reverse(files)
	abs, err := filepath.Abs(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for how, roots := range map[string][]string{
		"one by one":               files,
		"one twice, by its path":   append([]string{abs}, files...),
		"a pattern of directories": {root + "/*/*/events/*.json"},
		"a pattern of any depth":   {root + "/**/*.json"},
		"everything below":         {root + "/**"},
	} {
		got := episodesOf(t, Options{}, roots...)
		if how == "one twice, by its path" {
			comparePacked(t, withoutOrigin(got), withoutOrigin(want))
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %d episodes, not those of the walk", how, len(got))
		}
	}
	part := filesOf(t, root+"/tidy-hasty", ".json")
	var some []string
	for _, name := range part {
		if eventFileRE.MatchString(filepath.Base(name)) && strings.HasPrefix(filepath.Base(name), "event-00000-") {
			some = append(some, name)
		}
	}
	for _, ep := range episodesOf(t, Options{}, some...) {
		if ep.Outcome != corpora.OutcomeUnknown || ep.Safety != corpora.SafetyUnknown {
			t.Errorf("%s: a part of a run carries the labels of the whole", ep.ID)
		}
	}
}

// TestEachFileOnce: however many names lead to a file, it is read once.
func TestEachFileOnce(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"in/a.jsonl", "in/sub/b.jsonl", "out/c.jsonl"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(goodLine), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{
		"link": "in", "file": "in/a.jsonl", "in/c1": "../out/c.jsonl", "in/c2": "../out/c.jsonl", "in/deep": "../out",
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for _, c := range []struct {
		roots []string
		want  int
	}{
		{[]string{"in"}, 3},
		{[]string{"in", dir + "/in"}, 3},
		{[]string{"in", "link"}, 3},
		{[]string{"link", dir + "/in/sub"}, 3},
		{[]string{"in/sub", "."}, 3},
		{[]string{".", dir}, 3},
		{[]string{"in/a.jsonl", dir + "/in/a.jsonl", "file", "link/a.jsonl"}, 1},
		{[]string{"in", "out/c.jsonl"}, 3},
		{[]string{"in/c1", "in"}, 3},
		{[]string{"in/*.jsonl", "link"}, 3},
		{[]string{"**"}, 3},
		{[]string{"**/*.jsonl"}, 3},
		{[]string{"in/**/b.jsonl"}, 1},
		{[]string{"in/**/a.jsonl"}, 1},
		{[]string{"link/**/b.jsonl"}, 1},
		{[]string{dir + "/**/b.jsonl", "**/b.jsonl"}, 1},
	} {
		backward := slices.Clone(c.roots)
		slices.Reverse(backward)
		for _, roots := range [][]string{c.roots, backward} {
			if got := count(t, Options{}, roots...); got.episodes != c.want || len(got.codes) != 0 {
				t.Errorf("%v: %d episodes, problems %v; want %d", roots, got.episodes, got.codes, c.want)
			}
		}
	}
	if got := count(t, Options{}, "**/none.jsonl"); !slices.Equal(got.codes, []string{CodeNoMatch}) {
		t.Errorf("a pattern that matches nothing: %+v", got)
	}
}

// TestNamedAmongOthers: what is no log is a skip with its reason, whether a
// directory, a pattern or the shell brought it in; alone it is a problem.
func TestNamedAmongOthers(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"a.jsonl": goodLine, "README.md": "# Prose\n", "b.bin": "\x01\x02\x03"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := count(t, Options{}, dir)
	if want.episodes != 1 || len(want.skips) != 2 || len(want.codes) != 0 {
		t.Fatalf("the directory: %+v", want)
	}
	for _, roots := range [][]string{{dir + "/*"}, {dir + "/README.md", dir + "/a.jsonl", dir + "/b.bin"}} {
		got := count(t, Options{}, roots...)
		slices.Sort(got.skips)
		slices.Sort(want.skips)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %+v, want %+v", roots, got, want)
		}
	}
	if got := count(t, Options{}, dir+"/README.md"); !slices.Equal(got.codes, []string{CodeUnknownLayout}) {
		t.Errorf("alone: %+v", got)
	}
}
