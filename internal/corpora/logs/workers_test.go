package logs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// manyLines is a file of n records.
func manyLines(t *testing.T, dir, name string, n int) string {
	t.Helper()
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":"%s-%d","messages":[{"role":"user","content":"Say %d."},{"role":"assistant","content":"%d."}]}`+"\n", name, i, i, i)
	}
	path := filepath.Join(dir, name+".jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestMapSharesOneFile: the records of a single file are worked on by several
// workers at once, and come in order all the same.
func TestMapSharesOneFile(t *testing.T) {
	const n = 2000
	path := manyLines(t, t.TempDir(), "one", n)
	var active, met atomic.Int32
	two := make(chan struct{})
	got := 0
	for line := range Map(t.Context(), Open([]string{path}, Options{Workers: 3}), func(_ *Unit, r Record) int {
		if now := active.Add(1); now > 1 && met.CompareAndSwap(0, now) {
			close(two)
		}
		defer active.Add(-1)
		if met.Load() == 0 && r.Origin().Line%batchRecords == 1 {
			select { // wait for company, but not for ever
			case <-two:
			case <-time.After(100 * time.Millisecond):
			}
		}
		return r.Origin().Line
	}) {
		if got++; line != got {
			t.Fatalf("record %d is of line %d", got, line)
		}
	}
	if got != n {
		t.Errorf("%d records, want %d", got, n)
	}
	if met.Load() == 0 {
		t.Error("one worker did it all")
	}
}

// TestMapEnds: reading ends soon when the context does, or the consumer, at
// whatever moment.
func TestMapEnds(t *testing.T) {
	dir := t.TempDir()
	for i := range 40 {
		manyLines(t, dir, fmt.Sprintf("f%d", i), 1+i%7*60)
	}
	for i := range 200 {
		done := make(chan bool)
		go func() {
			defer close(done)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			seen := 0
			for range Map(ctx, Open([]string{dir}, Options{Workers: 1 + i%4}), func(_ *Unit, r Record) Record { return r }) {
				if seen++; seen == i*17%3000 {
					if i%2 == 0 {
						cancel()
					} else {
						break
					}
				}
			}
		}()
		select {
		case <-done:
		case <-time.After(time.Minute):
			t.Fatalf("run %d does not end", i)
		}
	}
}
