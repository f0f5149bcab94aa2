package undo

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var benchFiles = flag.Int("files", 10_000, "files of the benchmarks' repository")

// repository is a git repository of many small files, all of them committed.
func repository(b *testing.B) *place {
	base := b.TempDir()
	p := &place{root: filepath.Join(base, "w"), dir: filepath.Join(base, "j")}
	text := strings.Repeat("a line of source code\n", 40)
	for i := range *benchFiles {
		dir := filepath.Join(p.root, fmt.Sprintf("d%03d/e%02d", i/1000, i/50%20))
		must(b, os.MkdirAll(dir, 0o755))
		must(b, os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.go", i)), fmt.Appendf(nil, "%d\n%s", i, text), 0o644))
	}
	run(b, p.root, "init", "-q")
	run(b, p.root, "add", "-A")
	run(b, p.root, "commit", "-q", "-m", "x")
	run(b, p.root, "repack", "-adq")
	run(b, p.root, "prune-packed", "-q")
	later := time.Now().Add(time.Second) // as if git had looked later: else all files are racily clean
	must(b, os.Chtimes(filepath.Join(p.root, ".git", "index"), later, later))
	return p
}

func (p *place) time(b *testing.B, paths ...string) {
	j, err := Open(Options{Dir: p.dir, Root: p.root})
	must(b, err)
	id, err := j.Before(Call{Session: "s", Paths: paths})
	must(b, err)
	must(b, j.After(id))
	must(b, j.Close())
}

// BenchmarkStep is what one call costs: a look before it and one after it, each by a
// process of its own, beside the baseline of one lstat(2) for each name of the workspace.
func BenchmarkStep(b *testing.B) {
	p := repository(b)
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			must(b, os.RemoveAll(p.dir))
			b.StartTimer()
			p.time(b)
		}
	})
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			p.time(b)
		}
	})
	b.Run("one-file", func(b *testing.B) {
		name := filepath.Join(p.root, "d000", "e00", "f1.go")
		for b.Loop() {
			p.time(b, name)
		}
	})
	b.Run("baseline-walk", func(b *testing.B) {
		for b.Loop() {
			must(b, filepath.WalkDir(p.root, func(_ string, d os.DirEntry, err error) error {
				if err == nil {
					_, err = d.Info()
				}
				return err
			}))
		}
	})
}
