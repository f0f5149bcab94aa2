package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// State is what stood under a name of the workspace. The zero value is nothing.
type State struct {
	Mode fs.FileMode // with the type
	Size int64
	Time time.Time
	Link string // target of a symbolic link
	Blob string // SHA-256 of a file's content
}

// Absent says that nothing stood there.
func (s *State) Absent() bool { return s.Blob == "" && s.Link == "" && !s.Mode.IsDir() }

// Change is one name before and after.
type Change struct {
	Path          string // from the workspace's root
	Before, After State
}

// History is what a kept workspace was at each of its marks, up to one of them.
type History struct {
	dir   string
	marks map[string]int
	paths map[string][]moment
}

// moment is what a name became at a mark.
type moment struct {
	at int
	State
}

// OpenHistory reads the marks of a workspace that was kept in a directory
// (Options.Kept), up to the last one that counts.
func OpenHistory(kept, last string) (*History, error) {
	w := keptIn(kept)
	chain, err := w.chain(last)
	if err != nil {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	h := &History{dir: kept, marks: map[string]int{}, paths: map[string][]moment{}}
	for i := range chain {
		n := len(chain) - 1 - i
		h.marks[chain[n].name] = i
		for rel, e := range chain[n].Put {
			if inner, ok := strings.CutPrefix(filepath.ToSlash(rel), "work/"); ok {
				h.paths[inner] = append(h.paths[inner], moment{i, State(e)})
			}
		}
		for _, rel := range chain[n].Gone {
			if inner, ok := strings.CutPrefix(filepath.ToSlash(rel), "work/"); ok {
				h.paths[inner] = append(h.paths[inner], moment{at: i})
			}
		}
	}
	return h, nil
}

// keptIn is a workspace that no sandbox is opened for.
func keptIn(kept string) *Workspace {
	return &Workspace{opts: Options{Kept: kept}, dir: kept, store: store{filepath.Join(kept, "store")}, box: sandbox{base: filepath.Join(kept, "base")}}
}

// Has says whether a mark is one of those that led to the last.
func (h *History) Has(mark string) bool {
	_, ok := h.marks[mark]
	return ok
}

// Changes are the names that differ between two marks, sorted. The empty mark at the end
// is the last one.
func (h *History) Changes(from, to string) ([]Change, error) {
	a, ok := h.marks[from]
	b := len(h.marks) - 1
	if to != "" && ok {
		b, ok = h.marks[to]
	}
	if !ok {
		return nil, errors.New("workspace: no such mark")
	}
	var out []Change
	for _, path := range slices.Sorted(maps.Keys(h.paths)) {
		before, after := at(h.paths[path], a), at(h.paths[path], b)
		if !before.same(&after) {
			out = append(out, Change{path, before, after})
		}
	}
	return out, nil
}

func (s *State) same(t *State) bool { return s.Mode == t.Mode && s.Link == t.Link && s.Blob == t.Blob }

// at is what a name was at a mark.
func at(list []moment, mark int) (s State) {
	for i := range list {
		if list[i].at <= mark {
			s = list[i].State
		}
	}
	return s
}

// Content opens what a file held.
func (h *History) Content(blob string) (*os.File, error) {
	if filepath.Base(blob) != blob {
		return nil, fmt.Errorf("workspace: %.80q is no content's name", blob)
	}
	return os.Open(filepath.Join(h.dir, "store", blob))
}

// Thin leaves of a kept workspace what taking back its changes needs: its marks, and
// the contents of files that did not stay as they were.
func Thin(kept, last string) error {
	h, err := OpenHistory(kept, last)
	if err != nil {
		return err
	}
	need := map[string]bool{}
	for _, list := range h.paths {
		for i := range len(list) - 1 { // the last one stands in what came of the run
			need[list[i].Blob] = true
		}
	}
	blobs, err := os.ReadDir(filepath.Join(kept, "store"))
	errs := []error{err, removeAll(filepath.Join(kept, "base")), removeAll(filepath.Join(kept, "aside"))}
	for _, b := range blobs {
		if !need[b.Name()] {
			errs = append(errs, os.Remove(filepath.Join(kept, "store", b.Name())))
		}
	}
	return errors.Join(errs...)
}

// Remark names what a kept workspace that nobody has open holds now, as one that follows
// a mark: somebody changed it between two calls.
func Remark(kept, mark string) (string, error) {
	w := keptIn(kept)
	want, err := w.readMark(mark)
	if err != nil {
		return "", fmt.Errorf("workspace: %w", err)
	}
	w.kept, w.mark = want, mark
	if w.now, err = w.store.scan(w.box.base, nil); err != nil {
		return "", fmt.Errorf("workspace: %w", err)
	}
	return w.Keep()
}

// Return makes a kept workspace that nobody has open what it was at a mark.
func Return(kept, mark string) error { return keptIn(kept).Reopen(mark) }
