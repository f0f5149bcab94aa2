package undo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
)

// A quick look goes through what the last look saw, name by name, and asks the system for
// each whether it is the one that it was: nothing is gathered or compared but what is
// not. Names that are new stand in directories that changed. Where much has changed, or
// files have several names, a whole look is taken instead (look.scan).

// maxStale is how many names may differ for a quick look.
const maxStale = 4096

// quick looks at what differs from the last look. ok is false where a whole look has to be
// taken.
func (j *Journal) quick() (l *look, old manifest, ok bool) {
	if !j.state.known {
		return nil, nil, false
	}
	stale, ok := j.state.stale()
	if !ok {
		return nil, nil, false
	}
	old = manifest{}
	for _, path := range stale {
		old[path] = j.state.entry(path)
	}
	l = j.looking(old)
	l.repo = &repo{} // reading git's index costs more than copying a few files
	l.out, l.free = manifest{}, make(chan struct{}, runtime.NumCPU())
	l.names = j.state.packed.count + len(j.state.recent)
	if !l.again(stale, j.state) {
		return nil, nil, false
	}
	l.wait.Wait()
	for _, m := range []manifest{old, l.out} {
		for _, e := range m {
			if e.Twin != "" || e.Kind == File && e.id.links > 1 {
				return nil, nil, false
			}
		}
	}
	if l.failed == nil {
		l.contents()
	}
	return l, old, true
}

// stale are the names that are not what they were, sorted.
func (s *state) stale() (out []string, ok bool) {
	workers := runtime.NumCPU()
	blocks := s.packed.blocks
	found, good := make([][]string, workers), make([]bool, workers)
	var all sync.WaitGroup
	for w := range workers {
		part := blocks[len(blocks)*w/workers : len(blocks)*(w+1)/workers]
		all.Go(func() { found[w], good[w] = s.staleOf(part) })
	}
	all.Wait()
	out = slices.Concat(found...)
	for path, e := range s.recent {
		if now, err := os.Lstat(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, false
		} else if e.Kind == Absent && err != nil || e.Kind != Absent && err == nil && e.untouched(entryOf(now)) {
			continue
		}
		out = append(out, path)
	}
	slices.Sort(out)
	return out, !slices.Contains(good, false) && len(out) <= maxStale
}

// untouched says that the system knows of no change to what stood under a name.
func (e *Entry) untouched(now Entry) bool {
	return e.Kind == now.Kind && e.Mode == now.Mode && e.Size == now.Size && e.Time == now.Time && e.id == now.id && e.id.ctime != 0
}

// staleOf goes through some blocks.
func (s *state) staleOf(blocks [][]byte) (out []string, ok bool) {
	var at spot
	defer at.leave()
	for _, b := range blocks {
		good := eachOf(&decoder{b: b, lean: true}, func(path []byte, e *Entry) bool {
			if _, later := s.recent[string(path)]; later {
				return true
			}
			now, err := at.entry(path)
			if err == nil && e.untouched(now) {
				return true
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return false
			}
			out = append(out, string(path))
			return len(out) <= maxStale
		})
		if !good {
			return nil, false
		}
	}
	return out, true
}

// again looks at names that differ, and at those that are new in directories that do.
func (l *look) again(stale []string, s *state) bool {
	gone := "" // what lies below it has gone with it
	for _, path := range stale {
		if gone != "" && below(path, gone) {
			continue
		}
		info, err := os.Lstat(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false
		}
		was := s.entry(path)
		if was.Kind == Dir && err == nil && !info.IsDir() {
			return false // what lay below it may be reached through a link that stands there now
		}
		if err != nil {
			gone = path
		}
		if err != nil || !l.add(path, info, false) {
			continue
		}
		items, err := os.ReadDir(path)
		if err != nil {
			return false
		}
		for _, d := range items {
			inner := path + string(filepath.Separator) + d.Name()
			if was.Kind != Dir || s.entry(inner).Kind == Absent {
				l.name(inner, false)
			}
		}
	}
	return true
}
