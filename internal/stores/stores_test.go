package stores

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

func open(t testing.TB) map[string]func() Store {
	dir := t.TempDir()
	return map[string]func() Store{
		"dir": func() Store { return must(OpenDir(filepath.Join(dir, "sessions"))) },
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// TestStores holds the store to the contract of Store.
func TestStores(t *testing.T) {
	for name, reopen := range open(t) {
		s := reopen()
		if _, _, err := s.Load("a"); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: nothing there: %v", name, err)
		}
		rev, err := s.Save("../a/ü\x00", []byte("one"), "")
		if err != nil || rev == "" {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := s.Save("../a/ü\x00", []byte("two"), ""); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: a session that is there, saved as new: %v", name, err)
		}
		rev2, err := s.Save("../a/ü\x00", []byte("two"), rev)
		if err != nil || rev2 == rev {
			t.Errorf("%s: %q %v", name, rev2, err)
		}
		if _, err := s.Save("../a/ü\x00", []byte("three"), rev); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: an old revision: %v", name, err)
		}
		must(s.Save("b", []byte{}, ""))
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = reopen()
		if data, got, err := s.Load("../a/ü\x00"); string(data) != "two" || got != rev2 || err != nil {
			t.Errorf("%s: reopened: %q %v", name, data, err)
		}
		if ids, err := s.List(); !reflect.DeepEqual(ids, []string{"../a/ü\x00", "b"}) || err != nil {
			t.Errorf("%s: %q %v", name, ids, err)
		}
		for _, id := range []string{"b", "b", "never there"} {
			if err := s.Delete(id); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, id := range []string{"", strings.Repeat("x", maxID+1)} {
			if _, err := s.Save(id, nil, ""); err == nil {
				t.Errorf("%s: an id of %d bytes was saved", name, len(id))
			}
		}
		if ids, _ := s.List(); len(ids) != 1 {
			t.Errorf("%s: after deleting: %q", name, ids)
		}
		s.Close()
	}
}

// TestOneWriterWins lets many save over one revision: one wins.
func TestOneWriterWins(t *testing.T) {
	for name, reopen := range open(t) {
		s := reopen()
		rev := must(s.Save("x", []byte("start"), ""))
		var wg sync.WaitGroup
		won := make([]bool, 16)
		for i := range won {
			wg.Go(func() {
				_, err := s.Save("x", fmt.Appendf(nil, "by %d", i), rev)
				won[i] = err == nil
			})
		}
		wg.Wait()
		n := 0
		for i, w := range won {
			if w {
				n++
				if data, _, _ := s.Load("x"); string(data) != fmt.Sprintf("by %d", i) {
					t.Errorf("%s: %d won, the store holds %q", name, i, data)
				}
			}
		}
		if n != 1 {
			t.Errorf("%s: %d of 16 writers won", name, n)
		}
		s.Close()
	}
}

// TestKilled kills a process that saves without pause, and finds one of the
// sessions it saved, whole, again and again.
func TestKilled(t *testing.T) {
	if where := os.Getenv("STORES_TEST_WRITE"); where != "" {
		write(where)
		return
	}
	for name, reopen := range open(t) {
		for round := range 4 {
			s := reopen()
			where := s.(*Dir).name
			s.Close()
			cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
			cmd.Env = append(os.Environ(), "STORES_TEST_WRITE="+where)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(150+37*round) * time.Millisecond)
			cmd.Process.Kill()
			cmd.Wait()
			s = reopen()
			data, _, err := s.Load("x")
			if err != nil || len(data) < 1000 || strings.Trim(string(data), string(data[:1])) != "" {
				t.Errorf("%s, round %d: %d bytes, %v", name, round, len(data), err)
			}
			s.Close()
		}
	}
}

// write saves sessions of one repeated letter each, until it is killed.
func write(where string) {
	s := must(OpenDir(where))
	_, rev, _ := s.Load("x")
	for i := 0; ; i++ {
		rev = must(s.Save("x", []byte(strings.Repeat(string(rune('a'+i%26)), 1000+i%5000)), rev))
	}
}
