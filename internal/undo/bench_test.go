package undo

import (
	"bufio"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
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
	run(b, p.root, "init", "-q", "-b", "main")
	history(b, p.root)
	run(b, p.root, "reset", "-q")
	later := time.Now().Add(time.Second) // as if git had looked later: else all files are racily clean
	must(b, os.Chtimes(filepath.Join(p.root, ".git", "index"), later, later))
	return p
}

// history commits all files in one pack, which git add takes minutes for where there are many.
func history(b *testing.B, root string) {
	cmd := exec.Command("git", "-C", root, "fast-import", "--quiet")
	in, err := cmd.StdinPipe()
	must(b, err)
	must(b, cmd.Start())
	w := bufio.NewWriterSize(in, 1<<20)
	fmt.Fprint(w, "commit refs/heads/main\ncommitter x <x@example.com> 0 +0000\ndata 1\nx\n")
	must(b, filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.Name() == ".git" {
			return cmp.Or(err, filepath.SkipDir)
		}
		if d.IsDir() {
			return nil
		}
		data, err := os.ReadFile(name)
		rel, err2 := filepath.Rel(root, name)
		fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", rel, len(data), data)
		return errors.Join(err, err2)
	}))
	must(b, errors.Join(w.Flush(), in.Close(), cmd.Wait()))
}

func (p *place) time(b *testing.B, paths ...string) { p.around(b, func() {}, paths...) }

// around is what two processes of the hook do before and after a call.
func (p *place) around(b *testing.B, call func(), paths ...string) {
	j, err := Open(Options{Dir: p.dir, Root: p.root})
	must(b, err)
	id, err := j.Before(Call{Session: "s", Paths: paths})
	must(b, errors.Join(err, j.Close()))
	call()
	j, err = Open(Options{Dir: p.dir, Root: p.root})
	must(b, err)
	must(b, errors.Join(j.After(id), j.Close()))
}

// spent is the processor time of this process and of those that it waited for.
func spent(b *testing.B) (d time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		must(b, syscall.Getrusage(who, &u))
		d += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return d
}

// measure runs a benchmark and reports the fastest and the middle run, and the processor time
// of one: on a machine that has other work too the mean says little.
func measure(b *testing.B, name string, do func(b *testing.B)) {
	b.Run(name, func(b *testing.B) {
		var times []time.Duration
		var cpu time.Duration
		for b.Loop() {
			runtime.GC()
			from, began := spent(b), time.Now()
			do(b)
			times = append(times, time.Since(began))
			cpu += spent(b) - from
		}
		slices.Sort(times)
		ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
		b.ReportMetric(ms(times[0]), "min-ms")
		b.ReportMetric(ms(times[len(times)/2]), "p50-ms")
		b.ReportMetric(ms(cpu)/float64(len(times)), "cpu-ms")
	})
}

// BenchmarkStep is what one call costs: a look before it and one after it, each by a
// process of its own in the hook, beside baselines in the same run: one lstat(2) for each
// name of the workspace by the standard library, and git status.
func BenchmarkStep(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // as the hook, which lives for one call
	p := repository(b)
	name, n := filepath.Join(p.root, "d000", "e00", "f1.go"), 0
	p.time(b)
	measure(b, "command", func(b *testing.B) { p.time(b) })
	measure(b, "command-that-changes-a-file", func(b *testing.B) {
		n++
		p.around(b, func() { must(b, os.WriteFile(name, fmt.Appendf(nil, "%d", n), 0o644)) })
	})
	measure(b, "file-tool", func(b *testing.B) { p.time(b, name) })
	measure(b, "whole-look", func(b *testing.B) {
		j, err := Open(Options{Dir: p.dir, Root: p.root})
		must(b, err)
		must(b, j.load())
		_, err = j.settleAll("")
		must(b, errors.Join(err, j.Close()))
	})
	measure(b, "baseline-walk", func(b *testing.B) {
		must(b, filepath.WalkDir(p.root, func(_ string, d os.DirEntry, err error) error {
			if err == nil {
				_, err = d.Info()
			}
			return err
		}))
	})
	measure(b, "baseline-git-status", func(b *testing.B) { run(b, p.root, "status", "--porcelain") })
	measure(b, "first-look", func(b *testing.B) {
		must(b, os.RemoveAll(p.dir))
		p.time(b)
	})
}
