package tasks_test

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/internal/receipts"
	"github.com/gbt-policy/gbt/internal/stores"
	. "github.com/gbt-policy/gbt/internal/tasks"
)

// memory is a database that nothing outlives: what the others are compared with. A
// transaction that fails takes nothing back.
type memory struct {
	name string
	mu   sync.Mutex
	all  map[stores.Table]map[string][]byte
}

func (m *memory) View(do func(stores.Tx) error) error { return m.Update(do) }

func (m *memory) Update(do func(stores.Tx) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return do(m)
}

func (m *memory) Path() string { return m.name }
func (m *memory) Close() error { return nil }

func (m *memory) Get(t stores.Table, key string) ([]byte, error) { return m.all[t][key], nil }

func (m *memory) Put(t stores.Table, key string, value []byte) error {
	if m.all[t] == nil {
		m.all[t] = map[string][]byte{}
	}
	m.all[t][key] = value
	return nil
}

func (m *memory) Delete(t stores.Table, key string) error {
	delete(m.all[t], key)
	return nil
}

func (m *memory) Scan(t stores.Table, prefix string, visit func(string, []byte) error) error {
	for _, k := range slices.Sorted(maps.Keys(m.all[t])) {
		if strings.HasPrefix(k, prefix) {
			if err := visit(k, m.all[t][k]); err != nil {
				return err
			}
		}
	}
	return nil
}

// benchWorld is a world with a database of a kind, or in memory.
func benchWorld(b testing.TB, kind string) *world {
	w := &world{t: b, now: time.Unix(1_700_000_000, 0)}
	if kind != "memory" {
		w.open(kind, filepath.Join(b.TempDir(), "s.db"))
		return w
	}
	w.db = &memory{name: filepath.Join(b.TempDir(), "s.db"), all: map[stores.Table]map[string][]byte{}}
	var err error
	if w.book, err = Open(w.db, Options{Now: func() time.Time { return w.now }}); err != nil {
		b.Fatal(err)
	}
	return w
}

// step is what the store does for one call of a run: the receipt before it and the one
// after, each with a state of 16 kB, as sessions of fifty steps have it.
func step(b testing.TB, r *Run, state []byte) {
	key, err := r.Dispatch(Call{Tool: "bash", Tier: LocalTier, Args: []byte(`{"command":"go test ./..."}`), Decision: "d"}, Change{Data: state})
	if err == nil {
		err = r.Outcome(key, map[string]any{"output": "ok  \tpackage\t0.1s"}, Change{Data: state})
	}
	if err != nil {
		b.Fatal(err)
	}
}

func BenchmarkStep(b *testing.B) {
	state := make([]byte, 16<<10)
	for _, kind := range []string{"memory", "bbolt", "sqlite"} {
		b.Run(kind, func(b *testing.B) {
			w := benchWorld(b, kind)
			w.create("a")
			r := w.claim("a", "me", "p1")
			for b.Loop() {
				step(b, r, state)
			}
		})
	}
}

var growTo = flag.Int("receipts", 1000, "how many receipts TestGrowth writes, by tens from a thousand")

// TestGrowth prints what a receipt takes on the disk, and what a step takes, as the
// chain grows: go test ./internal/tasks -run Growth -v -receipts 1000000.
func TestGrowth(t *testing.T) {
	for _, kind := range []string{"bbolt", "sqlite"} {
		w := benchWorld(t, kind)
		w.create("a")
		r := w.claim("a", "me", "p1")
		before := 0.0
		for size := 1000; size <= *growTo; size *= 10 {
			fill(t, r, int64(size))
			const steps = 20
			began := time.Now()
			for range steps {
				step(t, r, make([]byte, 16<<10))
			}
			each := time.Since(began) / steps
			bytes := float64(onDisk(t, w)) / float64(r.Task().Head.Count)
			t.Logf("%-6s %8d receipts: %4.0f bytes each on the disk, a step takes %v", kind, size, bytes, each.Round(10*time.Microsecond))
			if before > 0 && bytes > 2*before {
				t.Errorf("%s: a receipt takes %.0f bytes, it took %.0f", kind, bytes, before)
			}
			before = bytes
		}
	}
}

// fill writes receipts, many in a transaction, until there are so many.
func fill(t *testing.T, r *Run, until int64) {
	for r.Task().Head.Count < until {
		var c Change
		for i := range min(500, until-r.Task().Head.Count) {
			c.Drafts = append(c.Drafts, receipts.Receipt{Kind: receipts.Stopped, Tool: "bash", Tier: LocalTier, Decision: strings.Repeat("d", 64),
				Payload: fmt.Appendf(nil, `{"command":"go test ./package%d -run TestSomething"}`, i)})
		}
		if err := r.Commit(c); err != nil {
			t.Fatal(err)
		}
	}
}

func onDisk(t *testing.T, w *world) (n int64) {
	files, err := filepath.Glob(w.book.Path() + "*")
	for _, f := range files {
		st, e := os.Stat(f)
		if err = errors.Join(err, e); err == nil {
			n += st.Size()
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}
