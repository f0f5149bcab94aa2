//go:build linux || darwin

package undo

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestQuick: whatever happens to a workspace, a quick look sees what a whole one does, and
// both find the same changes; and it is the quick one that is taken mostly.
func TestQuick(t *testing.T) {
	seed, taken, changed := uint64(time.Now().UnixNano()), 0, 0
	t.Logf("seed %d", seed)
	for i := range 40 {
		w := newWorld(t, seed+uint64(i), i%8 == 0)
		dir := filepath.Join(t.TempDir(), "j")
		for range 6 {
			j, err := Open(Options{Dir: dir, Root: w.root})
			must(t, err)
			must(t, j.load())
			if !j.state.known {
				_, err = j.settleAll("")
				must(t, err)
			}
			before := manifest{}
			for path, e := range j.state.all() {
				before[path] = e
			}
			j.state.names = nil
			for range w.r.IntN(4) {
				w.op()
			}
			l, old, ok := j.quick()
			whole := j.looking(before)
			now, err := whole.scan(append([]string{j.opts.Root}, j.repo.outside()...)...)
			must(t, err)
			if want := changes(before, now); ok {
				taken++
				got := changes(old, l.out)
				sameClock(got, want)
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("seed %d, world %d: a quick look finds\n%v\na whole one\n%v\nafter %v", seed, i, got, want, w.log)
				}
				changed += min(len(want), 1)
			}
			_, err = j.settle("")
			must(t, err)
			for path, e := range now {
				if x := j.state.entry(path); !x.same(e) {
					t.Fatalf("seed %d, world %d: %s is kept as %+v and is %+v", seed, i, path, x, e)
				}
			}
			if n := len(j.state.all()); n != len(now) {
				t.Fatalf("seed %d, world %d: %d names are kept, %d are there", seed, i, n, len(now))
			}
			must(t, j.Close())
		}
	}
	if taken < 100 || changed < 40 {
		t.Errorf("%d quick looks, %d of them with a change: too few to judge them by", taken, changed)
	}
}

// TestQuickLink: a directory that is moved and reached through a link in its old place is
// not taken for the old one, though every file of it is the same.
func TestQuickLink(t *testing.T) {
	p := newPlace(t)
	p.write("d/e/f", "one")
	p.call("s", func() {})
	time.Sleep(2 * racy)
	p.call("s", func() {})
	p.call("s", func() {
		must(t, os.Rename(filepath.Join(p.root, "d"), filepath.Join(p.root, "moved")))
		must(t, os.Symlink("moved", filepath.Join(p.root, "d")))
	})
	all := p.steps()
	if got := all[len(all)-1].Changes; len(got) != 6 { // d became a link, d/e and d/e/f went, three came
		t.Errorf("%d changes: %+v", len(got), got)
	}
}

// sameClock leaves out the times of change that one of two looks took, and the other did not
// because it came while a change could still hide in the clock's grain (racy).
func sameClock(a, b []Change) {
	for i := range min(len(a), len(b)) {
		if x, y := &a[i].After.id, &b[i].After.id; x.ctime == 0 || y.ctime == 0 {
			x.ctime, y.ctime = 0, 0
		}
	}
}

// TestRecent: names that differ are kept apart from all names, and belong to one set of those.
func TestRecent(t *testing.T) {
	names := manifest{"/w": {Kind: Dir}}
	for i := range 3 * perBlock {
		names[fmt.Sprintf("/w/%04d", i)] = Entry{Kind: File, Mode: 0o644, Size: int64(i), Ref: "b", id: identity{ino: uint64(i), ctime: 1, links: 1}}
	}
	s := &state{recent: manifest{}}
	s.set(names)
	first, err := decodeState(s.encode())
	must(t, err)
	for path, e := range names {
		if got := first.entry(path); got != e {
			t.Fatalf("%s: %+v", path, got)
		}
	}
	for _, path := range []string{"/", "/w/", "/w/0300x", "/x", ""} {
		if got := first.entry(path); got.Kind != Absent {
			t.Errorf("%q: %+v", path, got)
		}
	}
	first.seq, first.end = 7, 99
	first.change(manifest{"/w/0001": {}, "/w/new": {Kind: Link, To: "x"}})
	recent := first.encodeRecent()
	again, err := decodeState(s.encode())
	must(t, err)
	must(t, again.decodeRecent(recent))
	if again.seq != 7 || again.entry("/w/0001").Kind != Absent || again.entry("/w/new").To != "x" || len(again.all()) != len(names) {
		t.Errorf("%d names, sequence %d", len(again.all()), again.seq)
	}
	s.top = "another"
	other, err := decodeState(s.encode())
	must(t, err)
	if other.decodeRecent(recent) == nil || again.decodeRecent(recent[:len(recent)-1]) == nil {
		t.Error("took recent names of another state, or a part of them")
	}
}

// TestTier: contents are said to share blocks where this file system lets files do so, and
// nowhere else. TMPDIR says which one: docs/undo.md names those that were tried.
func TestTier(t *testing.T) {
	p := newPlace(t)
	p.write("a", "one")
	in, err := os.Open(filepath.Join(p.root, "a"))
	must(t, err)
	out, err := os.Create(filepath.Join(t.TempDir(), "b"))
	must(t, err)
	want := CopyFS
	if reflink(out, in) {
		want = COW
	}
	t.Logf("this file system: %v", want)
	p.call("s", func() { p.write("a", "two") }, "a")
	if all := p.steps(); all[0].Tier != want {
		t.Errorf("the step is %v, want %v", all[0].Tier, want)
	}
	if r := p.undo(Selection{Sessions: []string{"s"}}, false); len(r.Left) > 0 {
		t.Errorf("%+v", r)
	}
	p.reads("a", "one")
}
