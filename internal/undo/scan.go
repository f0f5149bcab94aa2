package undo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"
)

// manifest is what stood under every name of a workspace, by absolute path.
type manifest map[string]Entry

// look is one look at a workspace.
type look struct {
	repo  *repo
	blobs *blobs
	skip  []string // directories that are not looked into
	old   manifest // what the last look saw
	names int      // known beside what this look finds
	max   bounds
	now   int64

	mu     sync.Mutex
	out    manifest
	fresh  []found // files whose content must be looked at
	failed error
	free   chan struct{} // a place for each goroutine that may start
	wait   sync.WaitGroup
	lost   int // files whose content was not kept
	moved  int // entries that are not as they were, times included
}

// ErrTooLarge says that a workspace holds more than a Journal looks at.
var ErrTooLarge = errors.New("the workspace is too large to be remembered")

// bounds are how much one look may take in.
type bounds struct {
	file, bytes int64
	names       int
	until       time.Time // zero: no limit
}

type found struct {
	path      string
	entry     Entry
	converted bool // git's objects differ from the files here
}

// scan looks at everything below dirs. Cost grows with the number of names, by one
// lstat(2) each, and with the bytes of files that changed and that git does not have.
func (l *look) scan(dirs ...string) (manifest, error) {
	l.out = make(manifest, len(l.old))
	l.free = make(chan struct{}, runtime.NumCPU())
	for _, d := range dirs {
		l.name(d, false)
	}
	l.wait.Wait()
	if l.failed == nil {
		l.contents()
		l.twins()
	}
	return l.out, l.failed
}

// name looks at one name and at what lies below it.
func (l *look) name(path string, converted bool) {
	info, err := os.Lstat(path)
	if err != nil {
		l.fail(err)
		return
	}
	if l.add(path, info, converted) {
		l.below(path, converted)
	}
}

// fail keeps the first error that is not of something that has just gone.
func (l *look) fail(err error) {
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed == nil {
		l.failed = err
	}
}

func (l *look) below(dir string, converted bool) {
	items, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrPermission) {
		l.unread(dir)
		return
	}
	if err != nil {
		l.fail(err)
		return
	}
	if !converted && l.repo.index != nil && slices.ContainsFunc(items, func(d fs.DirEntry) bool { return d.Name() == ".gitattributes" }) {
		converted = convertsBelow(filepath.Join(dir, ".gitattributes"))
	}
	for _, d := range items {
		path := dir + string(filepath.Separator) + d.Name()
		info, err := d.Info()
		if err != nil {
			l.fail(err)
			continue
		}
		if l.add(path, info, converted) {
			l.deeper(path, converted)
		}
	}
}

// unread takes over what was known below a directory that may not be read any more.
func (l *look) unread(dir string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for path, e := range l.old {
		if path != dir && below(path, dir) {
			l.out[path] = e
		}
	}
}

// deeper looks into a directory, beside this one if a processor is free.
func (l *look) deeper(dir string, converted bool) {
	select {
	case l.free <- struct{}{}:
		l.wait.Go(func() {
			defer func() { <-l.free }()
			l.below(dir, converted)
		})
	default:
		l.below(dir, converted)
	}
}

// add notes a name and says whether to look below it.
func (l *look) add(path string, info fs.FileInfo, converted bool) bool {
	if slices.Contains(l.skip, path) {
		return false
	}
	e := entryOf(info)
	if e.Kind == Link {
		to, err := os.Readlink(path)
		if err != nil {
			l.fail(err)
			return false
		}
		e.To = to
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.out)+l.names >= l.max.names && l.failed == nil {
		l.failed = fmt.Errorf("%w: more than %d names", ErrTooLarge, l.max.names)
	}
	if l.failed != nil {
		return false
	}
	old := l.old[path]
	switch {
	case e.seen(&old) && (old.Ref != "" || e.Size > l.max.file):
		e.Ref = old.Ref
	case e.Kind == File:
		l.fresh = append(l.fresh, found{path, e, converted})
	case !e.settled(l.now):
		e.id.ctime = 0 // looked at again the next time
	}
	l.out[path] = e
	return e.Kind == Dir
}

// contents keeps what the fresh files hold. Small parts of the workspace come first, so
// that what people wrote is kept before what tools have unpacked, whatever it is called.
func (l *look) contents() {
	l.order()
	for i := range l.fresh {
		f := &l.fresh[i]
		f.entry.Ref = l.content(f)
		if f.entry.Ref == "" {
			l.lost++
		}
		if !f.entry.settled(l.now) {
			f.entry.id = identity{links: f.entry.id.links, dev: f.entry.id.dev, ino: f.entry.id.ino} // looked at again the next time
		}
		l.out[f.path] = f.entry
	}
	l.moved = len(l.fresh)
}

func (l *look) order() {
	dir := func(f *found) string { return filepath.Dir(f.path) }
	weight := map[string]int64{}
	for i := range l.fresh {
		for d, last := dir(&l.fresh[i]), ""; d != last; d, last = filepath.Dir(d), d {
			weight[d]++
		}
	}
	slices.SortFunc(l.fresh, func(a, b found) int {
		if x, y := weight[dir(&a)], weight[dir(&b)]; x != y {
			return int(x - y)
		}
		if a.path < b.path {
			return -1
		}
		return 1
	})
}

// content is the name of a file's content, or nothing where it is not kept.
func (l *look) content(f *found) string {
	old := l.old[f.path].Ref
	if !f.converted && (old == "" || old[0] == 'g') {
		if oid := l.repo.clean(f.path, &f.entry); oid != "" {
			return "g" + oid
		}
	}
	if f.entry.Size > l.max.file || l.blobs.bytes+f.entry.Size > l.max.bytes || !l.max.until.IsZero() && time.Now().After(l.max.until) {
		return ""
	}
	sum, oid, err := l.blobs.keep(f.path, f.entry)
	switch {
	case err != nil:
		return "" // it cannot be read, or is being written: on record with its size and time
	case old == "g"+oid && !f.converted:
		return old
	}
	return "b" + sum
}

// twins finds names of one file.
func (l *look) twins() {
	first := map[[2]uint64]string{}
	several := func(e *Entry) bool { return e.Kind == File && e.id.links > 1 && e.id.ino != 0 }
	for path, e := range l.out {
		if !several(&e) {
			continue
		}
		at := [2]uint64{e.id.dev, e.id.ino}
		if p, ok := first[at]; !ok || path < p {
			first[at] = path
		}
	}
	for path, e := range l.out {
		if several(&e) {
			if p := first[[2]uint64{e.id.dev, e.id.ino}]; p != path {
				e.Twin = p
				l.out[path] = e
			}
		}
	}
}

// changes are the names at which two manifests differ, in order.
func changes(before, after manifest) []Change {
	var out []Change
	for path, e := range after {
		if b := before[path]; !b.same(e) {
			out = append(out, Change{path, b, e})
		}
	}
	for path, b := range before {
		if _, stays := after[path]; !stays {
			out = append(out, Change{Path: path, Before: b})
		}
	}
	slices.SortFunc(out, func(a, b Change) int {
		if a.Path < b.Path {
			return -1
		}
		return 1
	})
	return out
}
