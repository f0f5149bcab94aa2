package workspace

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"time"

	"github.com/gbt-policy/gbt/corpora"
)

// entry is one file, directory or link of a tree.
type entry struct {
	mode fs.FileMode
	size int64
	time time.Time
	link string // target of a symbolic link
	blob string // sha256 of a file's content, also its name in the store
	id   identity
}

// same says whether two entries hold the same, whatever their times.
func (e *entry) same(f *entry) bool {
	return e.mode == f.mode && e.link == f.link && e.blob == f.blob
}

// manifest is a snapshot: paths relative to the tree's root.
type manifest map[string]entry

// maxEntries bounds a tree.
const maxEntries = 1 << 20

// store keeps contents of files by their hash.
type store struct{ dir string }

// scan takes a snapshot of the tree. Files that are as they were in the last
// one, by what the system knows about them, are not read again.
func (s *store) scan(root string, last manifest) (manifest, error) {
	m := make(manifest, len(last))
	return m, s.below(root, "", last, m)
}

// below adds what lies in a directory, whose path from the root ends with a separator unless
// it is the root itself.
func (s *store) below(root, dir string, last, m manifest) error {
	items, err := os.ReadDir(filepath.Join(root, dir))
	if err != nil {
		return err
	}
	for _, d := range items {
		rel := dir + d.Name()
		if len(m) >= maxEntries {
			return fmt.Errorf("the workspace holds more than %d files", maxEntries)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		e, ok, err := s.entry(root+string(filepath.Separator)+rel, info, last[rel])
		if err != nil {
			return err
		}
		if ok {
			m[rel] = e
		}
		if info.IsDir() {
			if err := s.below(root, rel+string(filepath.Separator), last, m); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *store) entry(name string, info fs.FileInfo, last entry) (e entry, ok bool, err error) {
	e = entry{mode: info.Mode(), time: info.ModTime(), id: identify(info)}
	switch {
	case info.IsDir():
	case info.Mode()&fs.ModeSymlink != 0:
		e.link, err = os.Readlink(name)
	case info.Mode().IsRegular():
		e.size = info.Size()
		if e.id.known() && last.id == e.id && last.size == e.size && last.time.Equal(e.time) {
			e.blob = last.blob
			break
		}
		e.blob, err = s.keep(name)
	default:
		return e, false, nil // pipes and sockets: nothing of theirs outlives a command
	}
	return e, err == nil, err
}

// keep copies a file's content into the store. It gets its name there when all of it is
// written: who is killed before leaves nothing by that name. One of another length, which such a
// one left that named it first, is written anew.
func (s *store) keep(name string) (string, error) {
	in, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer in.Close()
	h := sha256.New()
	size, err := io.Copy(h, in)
	if err != nil {
		return "", err
	}
	blob := hex.EncodeToString(h.Sum(nil))
	to := filepath.Join(s.dir, blob)
	if info, err := os.Stat(to); err == nil && info.Size() == size {
		return blob, nil
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	part := to + "." + rand.Text()
	if err := copyTo(part, in, 0o600); err != nil {
		return "", errors.Join(err, os.Remove(part))
	}
	return blob, os.Rename(part, to)
}

// copyTo writes a new file. os.File.ReadFrom uses copy_file_range, which shares
// blocks on file systems that can.
func copyTo(name string, in *os.File, mode fs.FileMode) error {
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode|0o200)
	if err != nil {
		return err
	}
	_, err = out.ReadFrom(in)
	return errors.Join(err, out.Close())
}

// restore makes the tree what the manifest says, and returns it with what the
// system now knows about the files.
func (s *store) restore(root string, now, want manifest) (manifest, error) {
	for _, rel := range descending(now) { // children before their directories
		e, w := now[rel], want[rel]
		if _, stays := want[rel]; !stays || !e.same(&w) && !(e.mode.IsDir() && w.mode.IsDir()) {
			if err := os.Remove(filepath.Join(root, rel)); err != nil {
				return nil, err
			}
		}
	}
	out := make(manifest, len(want))
	for _, rel := range ascending(want) {
		w, name := want[rel], filepath.Join(root, rel)
		e, there := now[rel]
		if !there || !e.same(&w) {
			if err := s.put(name, &w, there && e.mode.IsDir() && w.mode.IsDir()); err != nil {
				return nil, err
			}
		}
		if w.link == "" && !w.mode.IsDir() {
			if err := os.Chtimes(name, w.time, w.time); err != nil {
				return nil, err
			}
		}
		info, err := os.Lstat(name)
		if err != nil {
			return nil, err
		}
		w.id = identify(info)
		out[rel] = w
	}
	return out, nil
}

func (s *store) put(name string, w *entry, dirThere bool) error {
	switch {
	case w.mode.IsDir():
		if !dirThere {
			if err := os.Mkdir(name, 0o700); err != nil {
				return err
			}
		}
	case w.link != "":
		return os.Symlink(w.link, name)
	default:
		in, err := os.Open(filepath.Join(s.dir, w.blob))
		if err != nil {
			return err
		}
		defer in.Close()
		if err := copyTo(name, in, 0o600); err != nil {
			return err
		}
	}
	return os.Chmod(name, w.mode.Perm()|w.mode&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky))
}

// those are the names of which something holds, sorted. Most look for a few among many, and
// sorting all of them takes longer than asking the system for each.
func (m manifest) those(hold func(rel string, e *entry) bool) []string {
	var out []string
	for rel, e := range m {
		if hold(rel, &e) {
			out = append(out, rel)
		}
	}
	sort.Strings(out)
	return out
}

func ascending(m manifest) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

func descending(m manifest) []string {
	out := ascending(m)
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// deltas are the changes of files from one snapshot to the next, by path.
func (s *store) deltas(before, after manifest, name func(rel string) string) []corpora.Delta {
	var out []corpora.Delta
	add := func(kind corpora.DeltaKind, rel string, size int) {
		if n := name(rel); n != "" {
			out = append(out, corpora.Delta{Kind: kind, Resource: n, Size: size, Observed: true})
		}
	}
	changed := after.those(func(rel string, e *entry) bool {
		if e.mode.IsDir() {
			return false
		}
		b := before[rel] // no file is the same as none
		return !b.same(e)
	})
	for _, rel := range changed {
		e := after[rel]
		if b, was := before[rel]; !was || b.mode.IsDir() {
			add(corpora.DeltaFileCreate, rel, s.lines("", e.blob))
		} else {
			add(corpora.DeltaFileModify, rel, s.lines(b.blob, e.blob))
		}
	}
	gone := before.those(func(rel string, b *entry) bool {
		if b.mode.IsDir() {
			return false
		}
		e, stays := after[rel]
		return !stays || e.mode.IsDir()
	})
	for _, rel := range gone {
		add(corpora.DeltaFileDelete, rel, s.lines(before[rel].blob, ""))
	}
	return out
}

// maxDiff is the largest file whose changed lines are counted.
const maxDiff = 1 << 20

// lines counts the lines that only one of two contents has.
func (s *store) lines(a, b string) int {
	count := map[string]int{}
	for sign, blob := range map[int]string{-1: a, 1: b} {
		if blob == "" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(s.dir, blob))
		if err != nil || len(data) > maxDiff || bytes.IndexByte(data, 0) >= 0 {
			return 0
		}
		for line := range bytes.Lines(data) {
			count[string(line)] += sign
		}
	}
	n := 0
	for _, c := range count {
		n += max(c, -c)
	}
	return n
}
