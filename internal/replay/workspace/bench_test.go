package workspace

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/replay"
)

var benchFiles = flag.Int("files", 10_000, "files of the benchmark's workspace")

// spent is the processor time of this process and of those that it waited for.
func spent(b *testing.B) (d time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			b.Fatal(err)
		}
		d += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return d
}

// BenchmarkCall is what a call of gbt run costs beside what it does itself: the sandbox, the
// look at the workspace after it, its mark on the disk, and the state for the next decision.
func BenchmarkCall(b *testing.B) {
	from := b.TempDir()
	for i := range *benchFiles {
		dir := filepath.Join(from, fmt.Sprintf("d%03d/e%02d", i/1000, i/50%20))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.go", i)), fmt.Appendf(nil, "%d\n", i), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	w, err := New(context.Background(), Options{Kept: filepath.Join(b.TempDir(), "k"), Snapshot: func(*corpora.Episode) (string, error) { return from, nil }})
	if err != nil {
		b.Skip(err)
	}
	defer w.Close()
	if err := w.Reset(context.Background(), nil); err != nil {
		b.Fatal(err)
	}
	n := 0
	call := func(b *testing.B) {
		n++
		if _, err := w.Execute(context.Background(), replay.Call{Tool: "bash", Args: fmt.Sprintf(`{"command":"echo %d >d000/e00/f1.go"}`, n)}); err != nil {
			b.Fatal(err)
		}
		if _, err := w.Keep(); err != nil {
			b.Fatal(err)
		}
		w.State()
	}
	call(b)
	var cpu time.Duration
	for b.Loop() {
		before := spent(b)
		call(b)
		cpu += spent(b) - before
	}
	b.ReportMetric(float64(cpu)/float64(time.Millisecond)/float64(b.N), "cpu-ms")
}
