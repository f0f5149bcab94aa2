package logs

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/internal/corpora/parquet"
)

// imported writes the episodes of roots to a file, as gbt import does.
func imported(t *testing.T, to string, roots ...string) {
	t.Helper()
	var b bytes.Buffer
	w, err := parquet.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	eps := episodesOf(t, Options{}, roots...)
	for _, ep := range eps {
		if err := w.Write(ep); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil || len(eps) == 0 {
		t.Fatalf("%d episodes: %v", len(eps), err)
	}
	if err := os.WriteFile(to, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestImportedBesideItsSources: episodes count once, be the file of them beside
// its sources, above them or named with them; without its sources, and beside
// other logs of the same name, it is a log like any other.
func TestImportedBesideItsSources(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"own/a.jsonl", "own/sub/b.jsonl", "other/a.jsonl"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(goodLine), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	imported(t, "own/e.parquet", "own")
	imported(t, "above.parquet", "own")
	imported(t, "other/e.parquet", "own")
	check := func(want int, roots ...string) {
		t.Helper()
		got := count(t, Options{}, roots...)
		if got.episodes != want || len(got.codes) != 0 {
			t.Errorf("%v: %+v, want %d episodes", roots, got, want)
		}
	}
	check(2, "own")
	check(2, dir+"/own")
	check(2, "own", "above.parquet")
	check(2, "own/e.parquet")
	check(2, "above.parquet")
	check(3, "other") // other/a.jsonl is not what the episodes came from
	check(2, "own/a.jsonl", "own/e.parquet")
	if err := os.Rename("own", "moved"); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	check(3, dir+"/moved") // a.jsonl may be another file by now; sub/b.jsonl is the source
	if err := os.Rename(dir+"/moved", dir+"/own"); err != nil {
		t.Fatal(err)
	}
	check(2, dir+"/own")
	t.Chdir(dir + "/own")
	check(2, ".")
}

// TestOwnOutputs: what a run writes is not read by it, and policies and corpora
// of contexts are known.
func TestOwnOutputs(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, content := range map[string]string{
		"a.jsonl": goodLine, "out.parquet": goodLine, ".out.parquet.tmp-17": "PAR1", "p.gbt": policyMagic + "\x00\x01", "p.gbt.gz": gzipped(policyMagic),
		"r.md": reportHead + "0123\n", "q.json": proposalsHead + "1\",\n", "q.jsonl": decisionsHead + "\n",
		"s.jsonl": suiteHead + "1}\n{\"kind\":\"path\"}\n",
	} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const policy = "a policy that gbt distill wrote, not a log"
	const about = "proposals or decisions about a policy, not a log"
	want := []string{policy, policy, about, about, "a report that gbt distill wrote, not a log", "a regression suite, not a log"}
	with := append([]string{"the file that this run writes"}, want...)
	abs, err := filepath.Abs("out.parquet")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("out.parquet", "link"); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{"out.parquet", "./out.parquet", abs, "link"} {
		for _, roots := range [][]string{{"."}, {"a.jsonl", "out.parquet", "p.gbt", "p.gbt.gz", "q.json", "q.jsonl", "r.md", "s.jsonl"}, {"*"}} {
			got := count(t, Options{Output: out}, roots...)
			if got.episodes != 1 || len(got.codes) != 0 || !slices.Equal(got.skips, with) {
				t.Errorf("-o %s %v: %+v", out, roots, got)
			}
		}
	}
	os.Remove(".out.parquet.tmp-17")
	if got := count(t, Options{Output: "elsewhere/out.parquet"}, "."); got.episodes != 2 || !slices.Equal(got.skips, want) {
		t.Errorf("another output: %+v", got)
	}
}
