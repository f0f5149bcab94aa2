package logs

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/corpora/corporatest"
)

// repacked copies a tree of logs, each file through f.
func repacked(t *testing.T, root string, f func(name, content string) (newName, newContent string)) string {
	t.Helper()
	// The directory's own name is part of the ids.
	to, n := filepath.Join(t.TempDir(), filepath.Base(root)), 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name, content := f(rel, string(data))
		n++
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, name)), 0o700); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), []byte(content), 0o600)
	})
	if err != nil || n == 0 {
		t.Fatalf("%d files copied: %v", n, err)
	}
	return to
}

// withoutOrigin gives the episodes by id and forgets where they stood.
func withoutOrigin(eps []*corpora.Episode) map[string]corpora.Episode {
	out := map[string]corpora.Episode{}
	for _, ep := range eps {
		e := *ep
		e.Origin = corpora.Origin{}
		out[e.ID] = e
	}
	return out
}

// TestPackedOneByOne: a tree of logs whose files are packed one by one, or
// begin with a byte order mark, gives the same episodes, with the labels that
// stand in neighbouring files.
func TestPackedOneByOne(t *testing.T) {
	for _, root := range []string{"testdata/in", "../../../examples/logs"} {
		want := withoutOrigin(episodesOf(t, Options{}, root))
		for how, f := range map[string]func(name, content string) (string, string){
			"gzip": func(name, content string) (string, string) { return name + ".gz", gzipped(content) },
			"zstd": func(name, content string) (string, string) { return name + ".zst", zstded(content) },
			"a byte order mark": func(name, content string) (string, string) {
				switch filepath.Ext(name) {
				case ".json", ".jsonl", ".traj", ".tsv":
					content = "\xef\xbb\xbf" + strings.TrimPrefix(content, "\xef\xbb\xbf")
				}
				return name, content
			},
			"both": func(name, content string) (string, string) {
				if filepath.Ext(name) == ".json" {
					content = "\xef\xbb\xbf" + strings.TrimPrefix(content, "\xef\xbb\xbf")
				}
				return name + ".gz", gzipped(content)
			},
		} {
			t.Run(root+" "+how, func(t *testing.T) {
				comparePacked(t, withoutOrigin(episodesOf(t, Options{}, repacked(t, root, f))), want)
			})
		}
	}
}

func comparePacked(t *testing.T, got, want map[string]corpora.Episode) {
	t.Helper()
	if len(want) == 0 {
		t.Fatal("no episodes to compare with")
	}
	for id, w := range want {
		if g, ok := got[id]; !ok {
			t.Errorf("%s is missing", id)
		} else if !reflect.DeepEqual(g, w) {
			t.Errorf("%s: outcome %v safety %v task %q, want %v %v %q", id, g.Outcome, g.Safety, g.TaskID, w.Outcome, w.Safety, w.TaskID)
		}
	}
	for id := range got {
		if _, ok := want[id]; !ok {
			t.Errorf("%s is too much", id)
		}
	}
}

// TestSharedPackedOneByOne: the same of the shared corpora whose labels stand
// in files of their own.
func TestSharedPackedOneByOne(t *testing.T) {
	root := corporatest.Shared(t, "corpora")
	for _, src := range []string{"openagentsafety", "acr-sweagent", "terminal-bench", "tau-bench"} {
		t.Run(src, func(t *testing.T) {
			from := filepath.Join(root, src)
			to := repacked(t, from, func(name, content string) (string, string) { return name + ".gz", gzipped(content) })
			comparePacked(t, withoutOrigin(episodesOf(t, Options{}, to)), withoutOrigin(episodesOf(t, Options{}, from)))
		})
	}
}

// TestEventBesideItsPackedCopy is read once.
func TestEventBesideItsPackedCopy(t *testing.T) {
	dir := repacked(t, "testdata/in/openhands-v1", func(name, content string) (string, string) { return name, content })
	want := withoutOrigin(episodesOf(t, Options{}, dir))
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !eventFileRE.MatchString(d.Name()) {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path+".gz", []byte(gzipped(string(data))), 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	comparePacked(t, withoutOrigin(episodesOf(t, Options{}, dir)), want)
}
