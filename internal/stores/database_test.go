package stores_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gbt-policy/gbt/internal/stores"
	"github.com/gbt-policy/gbt/internal/stores/sqlite"
)

// databases are all of them: what one is held to, the others are.
var databases = map[string]func(name string) (stores.Database, error){
	"bbolt":  func(name string) (stores.Database, error) { return stores.OpenBolt(name) },
	"sqlite": func(name string) (stores.Database, error) { return sqlite.Open(name) },
}

func each(t *testing.T, do func(t *testing.T, open func() stores.Database)) {
	for kind, open := range databases {
		t.Run(kind, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "odd name ?%#.db")
			do(t, func() stores.Database {
				d, err := open(name)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { d.Close() })
				return d
			})
		})
	}
}

func update(t *testing.T, d stores.Database, do func(stores.Tx) error) {
	t.Helper()
	if err := d.Update(do); err != nil {
		t.Fatal(err)
	}
}

func dump(t *testing.T, d stores.Database, table stores.Table, prefix string) string {
	t.Helper()
	var out []string
	err := d.View(func(tx stores.Tx) error {
		return tx.Scan(table, prefix, func(key string, value []byte) error {
			out = append(out, key+"="+string(value))
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, " ")
}

// TestDatabase is the contract of a Database.
func TestDatabase(t *testing.T) {
	each(t, func(t *testing.T, open func() stores.Database) {
		d := open()
		raw := []byte{0, 0xff, 'x'}
		update(t, d, func(tx stores.Tx) error {
			for _, k := range []string{"b/2", "a", "b/1", "c", "b"} {
				if err := tx.Put(stores.Receipts, k, []byte("v"+k)); err != nil {
					return err
				}
			}
			return errors.Join(tx.Put(stores.Sessions, "b/1", raw), tx.Put(stores.Sessions, "empty", nil), tx.Put(stores.Receipts, "a", []byte("again")))
		})
		if got := dump(t, d, stores.Receipts, "b/"); got != "b/1=vb/1 b/2=vb/2" {
			t.Errorf("with a prefix: %s", got)
		}
		if got := dump(t, d, stores.Receipts, ""); got != "a=again b=vb b/1=vb/1 b/2=vb/2 c=vc" {
			t.Errorf("all: %s", got)
		}
		stop := errors.New("stop")
		err := d.Update(func(tx stores.Tx) error {
			if v, err := tx.Get(stores.Receipts, "nothing"); v != nil || err != nil {
				t.Errorf("nothing there: %q %v", v, err)
			}
			if err := errors.Join(tx.Put(stores.Receipts, "new", []byte("x")), tx.Delete(stores.Receipts, "a"), tx.Delete(stores.Receipts, "never there")); err != nil {
				t.Error(err)
			}
			if v, err := tx.Get(stores.Receipts, "new"); string(v) != "x" || err != nil {
				t.Errorf("what the transaction itself wrote: %q %v", v, err)
			}
			return stop
		})
		if err != stop {
			t.Errorf("an error of the function came back as %v", err)
		}
		if err := d.View(func(tx stores.Tx) error { return tx.Put(stores.Receipts, "z", []byte("x")) }); err == nil {
			t.Error("a view wrote")
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		d = open()
		if got := dump(t, d, stores.Receipts, ""); got != "a=again b=vb b/1=vb/1 b/2=vb/2 c=vc" {
			t.Errorf("after a failed transaction, reopened: %s", got)
		}
		if got := dump(t, d, stores.Sessions, ""); got != "b/1="+string(raw)+" empty=" {
			t.Errorf("bytes: %q", got)
		}
		if st, err := os.Stat(d.Path()); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("the file is open to others: %v %v", st.Mode(), err)
		}
	})
}

// TestManyWriters: no write is lost between goroutines, each in transactions of its own.
func TestManyWriters(t *testing.T) {
	each(t, func(t *testing.T, open func() stores.Database) {
		d := open()
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() { add(t, d, 10) })
		}
		wg.Wait()
		if got := dump(t, d, stores.Meta, "n"); got != "n="+strings.Repeat("+", 80) {
			t.Errorf("%d of 80 are there", strings.Count(got, "+"))
		}
	})
}

// add reads, adds to what it read, and writes, n times.
func add(t testing.TB, d stores.Database, n int) {
	for range n {
		err := d.Update(func(tx stores.Tx) error {
			v, err := tx.Get(stores.Meta, "n")
			if err != nil {
				return err
			}
			return tx.Put(stores.Meta, "n", append(v, '+'))
		})
		if err != nil {
			t.Error(err)
		}
	}
}

const addVariable = "STORES_TEST_ADD"

// TestProcessesShare: several processes have the same database open and write to it;
// each gets its turn.
func TestProcessesShare(t *testing.T) {
	if where := os.Getenv(addVariable); where != "" {
		kind, name, _ := strings.Cut(where, ":")
		d, err := databases[kind](name)
		if err != nil {
			t.Fatal(err)
		}
		add(t, d, 10)
		return
	}
	each(t, func(t *testing.T, open func() stores.Database) {
		d := open()
		kind := filepath.Base(t.Name())
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				cmd := exec.Command(os.Args[0], "-test.run=^TestProcessesShare$")
				cmd.Env = append(os.Environ(), addVariable+"="+kind+":"+d.Path())
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
		add(t, d, 10)
		wg.Wait()
		if got := dump(t, d, stores.Meta, "n"); len(got) != 42 {
			t.Errorf("%d of 40 are there", len(got)-2)
		}
	})
}

// TestDamagedFiles: a file that is no database, or was cut, is an error and no panic.
func TestDamagedFiles(t *testing.T) {
	for kind, open := range databases {
		dir := t.TempDir()
		name := filepath.Join(dir, "good")
		d, err := open(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 300 {
			update(t, d, func(tx stores.Tx) error {
				return tx.Put(stores.Receipts, fmt.Sprintf("k%04d", i), bytes.Repeat([]byte("v"), 500))
			})
		}
		d.Close()
		good, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for what, data := range map[string][]byte{
			"words":    []byte(strings.Repeat("this is no database ", 1000)),
			"cut":      good[:len(good)/2/4096*4096],
			"cut odd":  good[:len(good)/3+17],
			"scribble": append(append(bytes.Clone(good[:8192]), bytes.Repeat([]byte{0xa5}, len(good)-8192-4096)...), good[len(good)-4096:]...),
		} {
			name := filepath.Join(dir, "bad "+what)
			if err := os.WriteFile(name, data, 0o600); err != nil {
				t.Fatal(err)
			}
			n := 0
			d, err := open(name)
			if err == nil {
				err = d.View(func(tx stores.Tx) error {
					return tx.Scan(stores.Receipts, "", func(string, []byte) error { n++; return nil })
				})
				d.Close()
			}
			if err == nil && n == 300 {
				t.Errorf("%s, %s: it read as if nothing had happened", kind, what)
			}
			if err != nil && !errors.Is(err, stores.ErrDamaged) {
				t.Errorf("%s, %s: %v does not say that it is damaged", kind, what, err)
			}
		}
	}
}
