package chainfile

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/receipts"
)

// gone are the names that Gone lists, with "?" behind them where it can't tell of all.
func gone(t *testing.T, l *Log) string {
	t.Helper()
	list, err := l.Gone()
	var out []string
	for _, g := range list {
		out = append(out, g.Session)
	}
	if errors.Is(err, ErrTampered) {
		out = append(out, "?")
	} else if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, " ")
}

// TestGone: a chain that somebody takes away whole is missed, by who reads and by who writes
// on, and so is all of them with their key; one that is removed on purpose is not.
func TestGone(t *testing.T) {
	lay := func() *Log {
		l := &Log{Dir: filepath.Join(t.TempDir(), "r")}
		for _, s := range []string{"a", "b", "c"} {
			add(t, l, s, 1)
			add(t, l, s, 2)
		}
		return l
	}
	rm := func(l *Log, names ...string) {
		t.Helper()
		for _, n := range names {
			if err := os.RemoveAll(filepath.Join(l.Dir, n)); err != nil {
				t.Fatal(err)
			}
		}
	}
	cases := map[string]struct {
		do   func(l *Log)
		want string
	}{
		"nothing":                      {func(*Log) {}, ""},
		"a chain":                      {func(l *Log) { rm(l, "b.jsonl", "b.jsonl.head") }, "b"},
		"a chain without head":         {func(l *Log) { rm(l, "b.jsonl") }, "b"},
		"a chain emptied":              {func(l *Log) { rm(l, "b.jsonl.head"); os.Truncate(l.file("b"), 0) }, "b"},
		"two chains":                   {func(l *Log) { rm(l, "a.jsonl", "c.jsonl") }, "a c"},
		"the directory":                {func(l *Log) { rm(l, "."); os.RemoveAll(l.Dir) }, "a b c ?"},
		"the key":                      {func(l *Log) { rm(l, "key") }, "?"},
		"the record":                   {func(l *Log) { os.Remove(l.recordFile()) }, "?"},
		"a name in the record":         {func(l *Log) { edit(t, l.recordFile(), `"name":"b"`, `"name":"d"`); rm(l, "b.jsonl") }, "d ?"},
		"the record's text":            {func(l *Log) { os.WriteFile(l.recordFile(), []byte("{"), 0o600) }, "?"},
		"on purpose":                   {func(l *Log) { must(t, l.Remove("b")) }, ""},
		"on purpose, all of them":      {func(l *Log) { must(t, errors.Join(l.Remove("a"), l.Remove("b"), l.Remove("c"))) }, ""},
		"one that is gone, on purpose": {func(l *Log) { rm(l, "b.jsonl"); must(t, l.Remove("b")) }, ""},
	}
	for name, c := range cases {
		l := lay()
		c.do(l)
		if got := gone(t, l); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	// A session that goes on does not make its chain anew, and the others' go on.
	l := lay()
	rm(l, "b.jsonl", "b.jsonl.head")
	err := l.Append("b", receipts.Receipt{}, func(func(string) string) []receipts.Receipt { return []receipts.Receipt{{Kind: receipts.Stopped}} })
	if !errors.Is(err, ErrTampered) || gone(t, l) != "b" {
		t.Errorf("a chain that is gone is begun anew: %v, gone %q", err, gone(t, l))
	}
	add(t, l, "a", 3)
	// What another key had written is not forgotten when writing goes on.
	l = lay()
	must(t, os.RemoveAll(l.Dir))
	add(t, l, "new", 1)
	if got := gone(t, l); got != "a b c" {
		t.Errorf("after all were taken away and one began: %q", got)
	}
	if list, err := l.Read("new"); err != nil || len(list) != 2 {
		t.Errorf("%d receipts, %v", len(list), err)
	}
}

func edit(t *testing.T, name, from, to string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil || !bytes.Contains(data, []byte(from)) {
		t.Fatalf("no %s in %s: %v", from, data, err)
	}
	must(t, os.WriteFile(name, bytes.Replace(data, []byte(from), []byte(to), 1), 0o600))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestBegun: a writer that is killed between the record and its first receipts leaves a
// chain that can begin and that nobody misses; one that is killed behind them leaves the rest to the next.
func TestBegun(t *testing.T) {
	l := chainWith(t, 1)
	key, err := l.readKey()
	must(t, err)
	must(t, l.begin(key, "killed"))
	if got := gone(t, l); got != "" {
		t.Errorf("missed before it began: %q", got)
	}
	add(t, l, "killed", 1)
	must(t, os.Remove(l.file("killed")))
	if got := gone(t, l); got != "killed" {
		t.Errorf("%q", got)
	}
	l = chainWith(t, 1)
	key, err = l.readKey()
	must(t, err)
	must(t, l.change(key, func(list []listed) []listed { list[at(list, "s")].Begins = true; return list }))
	add(t, l, "s", 2)
	must(t, os.Remove(l.file("s")))
	if got := gone(t, l); got != "s" {
		t.Errorf("a chain that another one began is not missed: %q", got)
	}
}

// TestPowerFailure: whatever of the last writes did not reach the disk, in the order in which
// they are synced, the chain reads as what was written, to its last synced receipt at least.
func TestPowerFailure(t *testing.T) {
	l := chainWith(t, 2)
	file, head := l.file("s"), l.file("s")+headEnding
	read := func(name string) []byte {
		data, err := os.ReadFile(name)
		must(t, err)
		return data
	}
	file0, head0 := read(file), read(head)
	add(t, l, "s", 3)
	file1, head2 := read(file), read(head)
	c, err := l.open("s")
	must(t, err)
	prev := c.at
	c.close()
	must(t, errors.Join(os.WriteFile(file, file0, 0o600), os.WriteFile(head, head0, 0o600)))
	if c, err = l.open("s"); err != nil {
		t.Fatal(err)
	}
	must(t, c.saveHead(prev)) // where it will end
	c.close()
	head1 := read(head)
	for name, x := range map[string]struct {
		file, head []byte
		want       int
	}{
		"nothing":                           {file0, head0, 3},
		"where it will end":                 {file0, head1, 3},
		"that and half a line":              {file1[:len(file0)+20], head1, 3},
		"that and the receipts":             {file1, head1, 4},
		"all":                               {file1, head2, 4},
		"a line's length without its bytes": {append(bytes.Clone(file0), make([]byte, len(file1)-len(file0))...), head1, 3},
	} {
		must(t, errors.Join(os.WriteFile(file, x.file, 0o600), os.WriteFile(head, x.head, 0o600)))
		list, err := l.Read("s")
		if err != nil || len(list) != x.want {
			t.Errorf("%s reached the disk: %d receipts, %v", name, len(list), err)
		}
	}
	// The two states that syncing rules out look like tampering.
	for name, x := range map[string][2][]byte{"receipts before their head": {file1, head0}, "a head before its receipts": {file0, head2}} {
		must(t, errors.Join(os.WriteFile(file, x[0], 0o600), os.WriteFile(head, x[1], 0o600)))
		if _, err := l.Read("s"); !errors.Is(err, ErrTampered) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func BenchmarkAppendNoSync(b *testing.B) {
	l := &Log{Dir: filepath.Join(b.TempDir(), "r"), NoSync: true}
	for b.Loop() {
		add(b, l, "s", 1)
	}
}
