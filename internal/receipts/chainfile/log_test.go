package chainfile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/internal/receipts"
)

func add(t testing.TB, l *Log, session string, n int) {
	t.Helper()
	err := l.Append(session, receipts.Receipt{Reason: "begins"}, func(func(string) string) []receipts.Receipt {
		return []receipts.Receipt{{Kind: receipts.Call, Tool: "bash", Key: fmt.Sprint(n), Payload: []byte(`{"programs":["go"]}`)}}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// chainWith is a chain of a first receipt and n calls.
func chainWith(t testing.TB, n int) *Log {
	l := &Log{Dir: filepath.Join(t.TempDir(), "r")}
	for i := range n {
		add(t, l, "s", i)
	}
	return l
}

func TestAppend(t *testing.T) {
	l := chainWith(t, 3)
	list, err := l.Read("s")
	if err != nil || len(list) != 4 || list[0].Kind != receipts.Created || list[3].Key != "2" {
		t.Fatalf("%v: %v", err, list)
	}
	err = l.Append("s", receipts.Receipt{}, func(call func(string) string) []receipts.Receipt {
		return []receipts.Receipt{{Kind: receipts.Outcome, Of: call("1")}, {Kind: receipts.Outcome, Of: call("7")}}
	})
	if list, e := l.Read("s"); err != nil || e != nil || list[4].Of != list[2].ID || list[5].Of != "" {
		t.Errorf("%v, %v", err, e)
	}
	if _, err := l.Read("none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a chain that is not there: %v", err)
	}
	for _, bad := range []string{"", "../s", ".s", "a/b"} {
		if err := l.Append(bad, receipts.Receipt{}, nil); err == nil {
			t.Errorf("took %q", bad)
		}
	}
	if all, err := l.Sessions(); err != nil || len(all) != 1 || all[0] != "s" {
		t.Errorf("%v, %v", all, err)
	}
}

// TestTampered: whatever is changed, cut, taken out or put in is found, by who reads and by who
// writes on.
func TestTampered(t *testing.T) {
	l := chainWith(t, 3)
	file, head := l.file("s"), l.file("s")+headEnding
	data, _ := os.ReadFile(file)
	heads, _ := os.ReadFile(head)
	all := bytes.SplitAfter(data, []byte("\n"))
	other := chainWith(t, 4)
	longer, _ := os.ReadFile(other.file("s"))
	cases := map[string]struct{ file, head []byte }{
		"a line is gone":       {bytes.Join(append(append([][]byte{}, all[0]), all[2:]...), nil), heads},
		"the last line is cut": {bytes.Join(all[:3], nil), heads},
		"a part is cut":        {data[:len(data)-5], heads},
		"all is gone":          {nil, heads},
		"a byte is changed":    {bytes.Replace(data, []byte("bash"), []byte("bush"), 1), heads},
		"lines are swapped":    {bytes.Join([][]byte{all[0], all[2], all[1], all[3]}, nil), heads},
		"a line is put behind": {append(bytes.Clone(data), all[3]...), heads},
		"half a line behind":   {append(bytes.Clone(data), all[3][:9]...), heads},
		"the head is gone":     {data, nil},
		"the head is changed":  {data, bytes.Replace(heads, []byte(`"count":4`), []byte(`"count":3`), 1)},
		"another's whole":      {longer, heads},
	}
	for name, c := range cases {
		write := func() {
			if err := errors.Join(os.WriteFile(file, c.file, 0o600), os.WriteFile(head, c.head, 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		write()
		if _, err := l.Read("s"); !errors.Is(err, ErrTampered) {
			t.Errorf("%s: read with %v", name, err)
		}
		write()
		err := l.Append("s", receipts.Receipt{}, func(func(string) string) []receipts.Receipt { return nil })
		if inner := name == "a byte is changed" || name == "lines are swapped" || name == "another's whole"; err == nil && !inner {
			t.Errorf("%s: written on", name) // inside the file only who reads all of it finds it
		}
	}
}

// TestKilled: a writer that is killed anywhere leaves a chain that goes on.
func TestKilled(t *testing.T) {
	l := chainWith(t, 2)
	file, head := l.file("s"), l.file("s")+headEnding
	before, _ := os.ReadFile(file)
	c, err := l.open("s")
	if err != nil {
		t.Fatal(err)
	}
	next := c.at
	r := receipts.Receipt{Kind: receipts.Stopped, Time: 1}
	if next.head, err = next.head.Next("s", &r); err != nil {
		t.Fatal(err)
	}
	line, _ := r.Encode()
	line = append(line, '\n')
	next.end += int64(len(line))
	if err := c.saveHead(next); err != nil {
		t.Fatal(err)
	}
	c.close()
	begun, _ := os.ReadFile(head)
	for cut := range len(line) + 1 {
		if err := errors.Join(os.WriteFile(file, append(bytes.Clone(before), line[:cut]...), 0o600), os.WriteFile(head, begun, 0o600)); err != nil {
			t.Fatal(err)
		}
		list, err := l.Read("s")
		want := 3
		if cut == len(line) {
			want = 4
		}
		if err != nil || len(list) != want {
			t.Fatalf("after %d of %d bytes: %d receipts, %v", cut, len(line), len(list), err)
		}
	}
	add(t, l, "s", 9)
	if list, err := l.Read("s"); err != nil || len(list) != 5 {
		t.Errorf("%d receipts, %v", len(list), err)
	}
}

// TestSideBySide: processes that write to one chain wait for each other.
func TestSideBySide(t *testing.T) {
	l := &Log{Dir: filepath.Join(t.TempDir(), "r"), Wait: 20 * time.Second}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for k := range 10 {
				add(t, l, "s", 10*i+k)
			}
		})
	}
	all.Wait()
	if list, err := l.Read("s"); err != nil || len(list) != 81 {
		t.Errorf("%d receipts, %v", len(list), err)
	}
}

// TestPrune: a chain of long ago goes when another one begins.
func TestPrune(t *testing.T) {
	l := chainWith(t, 1)
	old := time.Now().Add(-91 * 24 * time.Hour)
	if err := os.Chtimes(l.file("s"), old, old); err != nil {
		t.Fatal(err)
	}
	add(t, l, "new", 0)
	if all, err := l.Sessions(); err != nil || fmt.Sprint(all) != "[new]" {
		t.Errorf("%v, %v", all, err)
	}
}

func BenchmarkAppend(b *testing.B) {
	l := &Log{Dir: filepath.Join(b.TempDir(), "r")}
	for b.Loop() {
		add(b, l, "s", 1)
	}
}
