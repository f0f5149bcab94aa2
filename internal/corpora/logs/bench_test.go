package logs

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/corpora/corporatest"
)

// jsonFiles holds the JSON texts of the shared corpora by shape, read into
// memory, so that the baseline pays for nothing but decoding.
func jsonFiles(b *testing.B, root string) (docs [][]byte, size int64) {
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		switch filepath.Ext(path) {
		case ".json", ".jsonl", ".traj":
			docs = append(docs, data)
		case ".eval":
			docs = append(docs, members(b, data)...)
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	for _, d := range docs {
		size += int64(len(d))
	}
	return docs, size
}

func members(b *testing.B, data []byte) (out [][]byte) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range z.File {
		if !strings.HasPrefix(f.Name, "samples/") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			b.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			b.Fatal(err)
		}
		out = append(out, text)
	}
	return out
}

// BenchmarkBaseline decodes the JSON of the shared corpora with encoding/json:
// what the readers below are compared with, in the same run.
func BenchmarkBaseline(b *testing.B) {
	docs, size := jsonFiles(b, corporatest.Shared(b, "corpora"))
	b.SetBytes(size)
	for b.Loop() {
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
}

// BenchmarkRead reads the shared corpora from disk into episodes on one
// worker: walking, opening, detecting, joining labels and all.
func BenchmarkRead(b *testing.B) { benchmarkRead(b, 1) }

// BenchmarkReadAllCores does the same on all processors.
func BenchmarkReadAllCores(b *testing.B) { benchmarkRead(b, 0) }

func benchmarkRead(b *testing.B, workers int) {
	root := corporatest.Shared(b, "corpora")
	_, size := jsonFiles(b, root)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		steps := 0
		for r := range Open([]string{root}, Options{Workers: workers}).Records(context.Background()) {
			if r.Episode != nil {
				steps += len(r.Episode.Steps)
			}
		}
		if steps == 0 {
			b.Fatal("nothing was read")
		}
	}
}
