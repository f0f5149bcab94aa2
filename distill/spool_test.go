package distill

import (
	"bytes"
	"context"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/segment"
)

const examples = "../examples/logs"

// exampleTraces are the traces of the example logs.
func exampleTraces(t *testing.T) (out []*merge.Trace) {
	t.Helper()
	for r := range logs.Open([]string{examples}, logs.Options{}).Records(context.Background()) {
		if r.Episode != nil {
			out = append(out, merge.NewTrace(r.Episode, segment.Default, true))
		}
	}
	if len(out) == 0 {
		t.Fatal("no traces")
	}
	return out
}

// TestSpoolSpills: what goes through the file comes back as it was, in every
// mixture of parts in memory, parts in the file and a part that is not full.
func TestSpoolSpills(t *testing.T) {
	want := exampleTraces(t)
	for name, size := range map[string]spoolSize{
		"all in memory":       {chunk: 1000, memory: 3},
		"all in the file":     {chunk: 1, memory: 0},
		"some of both":        {chunk: 7, memory: 5},
		"the last part full":  {chunk: len(want) / 2, memory: 1},
		"nothing in between":  {chunk: len(want), memory: 0},
		"the default, zeroed": {},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := newSpool(dir, size)
			for _, tr := range want {
				if err := s.Add(tr); err != nil {
					t.Fatal(err)
				}
			}
			var got []*merge.Trace
			for range 2 { // parts can be read again
				got = nil
				for i := range s.Parts() {
					for tr, err := range s.Part(i) {
						if err != nil {
							t.Fatal(err)
						}
						got = append(got, tr)
					}
				}
			}
			if len(got) != len(want) {
				t.Fatalf("%d traces, want %d", len(got), len(want))
			}
			for i := range want {
				if !reflect.DeepEqual(emptied(got[i]), emptied(want[i])) {
					t.Fatalf("trace %d is %+v, want %+v", i, got[i], want[i])
				}
			}
			if size.chunk > 0 && size.chunk*size.memory < len(want)-size.chunk && s.file == nil {
				t.Error("nothing was spilled")
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("files are left: %v %v", left, err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// emptied is a trace whose empty lists are nil: the file does not tell them
// apart, and nobody else does.
func emptied(t *merge.Trace) *merge.Trace {
	c := *t
	if len(c.Offered) == 0 {
		c.Offered = nil
	}
	c.Macros = slices.Clone(c.Macros)
	for i := range c.Macros {
		m := &c.Macros[i]
		if len(m.More) == 0 {
			m.More = nil
		}
		if len(m.Tools) == 0 {
			m.Tools = nil
		}
	}
	return &c
}

// TestSpoolBoundsMacros: what waits in memory is bounded by macros, however long a
// run is.
func TestSpoolBoundsMacros(t *testing.T) {
	s := newSpool(t.TempDir(), spoolSize{chunk: 100, macros: 64, memory: 2})
	defer s.Close()
	for range 60 {
		if err := s.Add(&merge.Trace{Macros: make([]merge.Macro, 20)}); err != nil {
			t.Fatal(err)
		}
	}
	held := 20 * len(s.open)
	for _, part := range s.full {
		held += 20 * len(part)
	}
	if held > 3*(64+20) || s.Parts() != 60/4 {
		t.Errorf("%d macros in memory, %d parts", held, s.Parts())
	}
}

// TestSpoolNoDirectory: a spool that has nowhere to go says so.
func TestSpoolNoDirectory(t *testing.T) {
	s := newSpool(t.TempDir()+"/nowhere", spoolSize{chunk: 1})
	if err := s.Add(exampleTraces(t)[0]); err == nil || !strings.Contains(err.Error(), "spool") {
		t.Errorf("error %v", err)
	}
}

// TestSameBytes: neither the number of workers, nor the order of the inputs, nor
// where traces wait changes a byte of the policy.
func TestSameBytes(t *testing.T) {
	dirs := []string{"/inspect", "/langgraph", "/mini-swe-agent", "/openhands-sdk"}
	roots := func(order ...int) (out []string) {
		for _, i := range order {
			out = append(out, examples+dirs[i])
		}
		return out
	}
	policy := func(roots []string, workers int, size spoolSize) []byte {
		t.Helper()
		in := logs.Open(roots, logs.Options{Workers: workers})
		res, err := Run(t.Context(), in, Options{Config: DefaultConfig(), Workers: workers, TempDir: t.TempDir(), spool: size})
		if err != nil {
			t.Fatal(err)
		}
		data, err := artifacts.Encode(res.Policy)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if testing.Short() { // the goroutines of all, and the race detector takes half a minute for each
		if !bytes.Equal(policy(roots(0, 1, 2, 3), 3, spoolSize{chunk: 7, memory: 2}), policy(roots(2, 3, 1, 0), 8, spoolSize{chunk: 3})) {
			t.Error("the policy has other bytes")
		}
		return
	}
	want := policy(roots(0, 1, 2, 3), 1, spoolSize{})
	for name, got := range map[string][]byte{
		"other order, three workers":    policy(roots(3, 1, 0, 2), 3, spoolSize{}),
		"small parts in the file":       policy(roots(0, 1, 2, 3), 2, spoolSize{chunk: 7, memory: 2}),
		"everything in the file, eight": policy(roots(2, 3, 1, 0), 8, spoolSize{chunk: 3}),
	} {
		if !bytes.Equal(got, want) {
			t.Errorf("%s: the policy has other bytes", name)
		}
	}
}
