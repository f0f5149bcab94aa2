package distill

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

// took is what some work took of processor and wall time, in seconds.
type took struct{ cpu, wall float64 }

func measure(b *testing.B, work func() error) took {
	b.Helper()
	before, start := cpuTime(b), time.Now()
	if err := work(); err != nil {
		b.Fatal(err)
	}
	return took{cpuTime(b) - before, time.Since(start).Seconds()}
}

func cpuTime(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// least2 is the least of each: what else runs on a machine only adds.
func least2(a, b took) took { return took{min(a.cpu, b.cpu), min(a.wall, b.wall)} }

// BenchmarkSpeed distils logs on one and on two workers and, in the same run,
// decodes the JSON of the same files with encoding/json, from memory: what a
// distillation is compared with. Figures are the least of all iterations, so
// run it with -benchtime 5x or more.
func BenchmarkSpeed(b *testing.B) {
	b.Run("examples", func(b *testing.B) { benchmarkSpeed(b, examples) })
	if dir := sharedLogs(); dir != "" {
		b.Run("shared", func(b *testing.B) { benchmarkSpeed(b, dir) })
	}
}

func benchmarkSpeed(b *testing.B, root string) {
	docs := jsonTexts(b, root)
	never := took{math.Inf(1), math.Inf(1)}
	decode, one, two, bare, read := never, never, never, never, never
	run := func(workers int, gates bool) func() error {
		return func() error {
			cfg := DefaultConfig()
			cfg.Learning.Off = !gates
			_, err := Run(b.Context(), logs.Open([]string{root}, logs.Options{Workers: workers}), Options{Config: cfg, Workers: workers})
			return err
		}
	}
	for b.Loop() {
		decode = least2(decode, measure(b, func() error { decodeAll(docs); return nil }))
		read = least2(read, measure(b, func() error {
			for range logs.Open([]string{root}, logs.Options{Workers: 1}).Records(b.Context()) {
			}
			return nil
		}))
		one = least2(one, measure(b, run(1, true)))
		two = least2(two, measure(b, run(2, true)))
		bare = least2(bare, measure(b, run(1, false)))
	}
	b.ReportMetric(decode.cpu, "decode-s")
	b.ReportMetric(read.cpu, "read-s")
	b.ReportMetric(bare.cpu, "without-gates-s")
	b.ReportMetric(one.cpu, "distill-s")
	b.ReportMetric(read.cpu/decode.cpu, "read-ratio")
	b.ReportMetric(bare.cpu/decode.cpu, "without-gates-ratio")
	b.ReportMetric(one.cpu/decode.cpu, "ratio")
	b.ReportMetric(one.wall/two.wall, "two-workers-x")
}

func decodeAll(docs [][]byte) {
	for _, d := range docs {
		dec := json.NewDecoder(bytes.NewReader(d))
		for {
			var v any
			if dec.Decode(&v) != nil {
				break
			}
		}
	}
}

// jsonTexts is the content of the files below root that hold JSON, and of the
// members of archives that do.
func jsonTexts(b *testing.B, root string) (docs [][]byte) {
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		switch filepath.Ext(path) {
		case ".json", ".jsonl", ".traj":
			data, err := os.ReadFile(path)
			docs = append(docs, data)
			return err
		case ".eval":
			more, err := samples(path)
			docs = append(docs, more...)
			return err
		}
		return nil
	})
	if err != nil || len(docs) == 0 {
		b.Fatalf("no JSON below %s: %v", root, err)
	}
	return docs
}

func samples(path string) (docs [][]byte, err error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	for _, f := range z.File {
		if !strings.HasPrefix(f.Name, "samples/") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		docs = append(docs, text)
	}
	return docs, nil
}
