package main

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates"
)

// Bounds of what is looked at to find out whether git can give something back: the size
// of the index, and number and size of the files that are compared with it.
const (
	maxGitIndex  = 8 << 20
	maxKeptFiles = 500
	maxKeptBytes = 8 << 20
)

// found says what is at a path: nothing, files as the index of their repository holds
// them, a file in conflict, or something that nobody can give back.
func found(path string) gates.Found {
	info, err := os.Lstat(path)
	switch {
	case os.IsNotExist(err):
		// Where the directory is not there either, the call may run on another machine
		// than the hook, as in a container.
		if above, err := os.Stat(filepath.Dir(path)); err == nil && above.IsDir() {
			return gates.FoundNothing
		}
		return gates.FoundUnknown
	case err != nil:
		return gates.FoundUnknown
	}
	top, index, err := indexAbove(path)
	switch {
	case top == "" && errors.Is(err, fs.ErrNotExist) && temporary(path):
		return gates.FoundTemporary
	case err != nil:
		return gates.FoundUnknown
	}
	x := gitIndex{top: top, want: path, entries: map[string]indexEntry{}}
	if err := x.read(index); err != nil {
		return gates.FoundUnknown
	}
	if e, ok := x.entries[path]; ok && e.stage > 0 && info.Mode().IsRegular() {
		return gates.FoundConflict
	}
	switch {
	case x.holds(path, info):
		if stagedOnly(top, path, info.IsDir()) {
			return gates.FoundStaged
		}
		return gates.FoundKept
	case x.lacks(path, info):
		return gates.FoundFile
	}
	return gates.FoundUnknown
}

// lacks says whether a file has contents that the index does not hold: those of no entry,
// or others than were there when git last looked. What filters make of a file differs from
// what the index holds, but not in time and size.
func (x *gitIndex) lacks(path string, info fs.FileInfo) bool {
	if !info.Mode().IsRegular() || info.Size() == 0 {
		return false
	}
	e, ok := x.entries[path]
	return !ok || x.bytes <= maxKeptBytes && e.stage == 0 && !e.unchanged(info)
}

// unchanged says whether a file has the time and the size that git saw.
func (e *indexEntry) unchanged(info fs.FileInfo) bool {
	at := info.ModTime()
	return e.size == uint32(info.Size()) && e.sec == uint32(at.Unix()) && (e.nsec == 0 || e.nsec == uint32(at.Nanosecond()))
}

// stamp names the state of a file by when it was written and its size.
func stamp(path string) string {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	s := strconv.FormatInt(info.ModTime().UnixNano(), 36) + "." + strconv.FormatInt(info.Size(), 36)
	if linked(info) {
		s += gates.Linked
	}
	return s
}

// indexAbove finds the work tree that a path lies in, and its index.
func indexAbove(path string) (top string, index []byte, err error) {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		git := filepath.Join(dir, ".git")
		if _, err := os.Lstat(git); err == nil {
			if path == git || strings.HasPrefix(path, git+"/") {
				return "", nil, fs.ErrInvalid
			}
			index, err := readIndex(filepath.Join(gitDir(git), "index"))
			return dir, index, err
		}
		if dir == filepath.Dir(dir) {
			return "", nil, fs.ErrNotExist
		}
	}
}

func readIndex(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxGitIndex+1))
	if err == nil && len(data) > maxGitIndex {
		err = fs.ErrInvalid
	}
	return data, err
}

// gitDir follows the file that a worktree or a submodule has in place of a directory.
func gitDir(git string) string {
	data, err := os.ReadFile(git)
	if err != nil {
		return git
	}
	dir, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir: ")
	if !ok {
		return git
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(filepath.Dir(git), dir)
	}
	return dir
}

// gitIndex compares files with the entries of an index at a path and below it; at none
// with all.
type gitIndex struct {
	top, want string
	only      []string // paths, of which alone the entries are kept; nil for all
	entries   map[string]indexEntry
	files     int
	bytes     int64
	rest      []byte // the extensions behind the entries, and the sum at the end
}

type indexEntry struct {
	stage int
	sec   uint32 // of the last change that git saw
	nsec  uint32 // zero where git does not keep it
	size  uint32
	mode  uint32
	sum   [sha1.Size]byte
}

// Sizes of an index's entry before its name (gitformat-index(5)).
const (
	entryTime  = 8
	entryMode  = 24
	entrySize  = 36
	entrySum   = 40
	entryFlags = entrySum + sha1.Size
	entryName  = entryFlags + 2
)

// read takes the entries out of an index of version 2 or 3. Another version, or one with
// other object names, is not known.
func (x *gitIndex) read(index []byte) error {
	if len(index) < 12 || string(index[:4]) != "DIRC" {
		return fs.ErrInvalid
	}
	version, count := binary.BigEndian.Uint32(index[4:]), binary.BigEndian.Uint32(index[8:])
	if version != 2 && version != 3 {
		return fmt.Errorf("index of version %d", version)
	}
	rest := index[12:]
	for range count {
		if len(rest) <= entryName {
			return fs.ErrInvalid
		}
		flags, at := binary.BigEndian.Uint16(rest[entryFlags:]), entryName
		if flags&0x4000 != 0 {
			at += 2
		}
		if at > len(rest) {
			return fs.ErrInvalid
		}
		n := bytes.IndexByte(rest[at:], 0)
		if want := int(flags & 0xfff); n < 0 || n != want && want != 0xfff {
			return fs.ErrInvalid // no name, or object names of another length
		}
		x.add(string(rest[at:at+n]), int(flags>>12&3), rest)
		size := (at + n + 8) &^ 7
		if size > len(rest) {
			return fs.ErrInvalid
		}
		rest = rest[size:]
	}
	x.rest = rest
	return nil
}

func (x *gitIndex) add(name string, stage int, entry []byte) {
	full := x.top + "/" + name
	if x.only != nil && !slices.Contains(x.only, full) {
		return
	}
	if full != x.want && !strings.HasPrefix(full, x.want+"/") && x.want != "" {
		return
	}
	e := indexEntry{stage: stage, sec: binary.BigEndian.Uint32(entry[entryTime:]), nsec: binary.BigEndian.Uint32(entry[entryTime+4:]), size: binary.BigEndian.Uint32(entry[entrySize:]), mode: binary.BigEndian.Uint32(entry[entryMode:])}
	copy(e.sum[:], entry[entrySum:entryFlags])
	x.entries[full] = e
}

// holds says whether the index holds a file, or all files of a directory, as they are.
func (x *gitIndex) holds(path string, info fs.FileInfo) bool {
	if !info.IsDir() {
		return x.same(path, info)
	}
	all := true
	err := filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !all {
			all = false
			return fs.SkipAll
		}
		if d.IsDir() {
			if d.Name() == ".git" {
				all = false
			}
			return nil
		}
		info, err := d.Info()
		all = err == nil && x.same(p, info)
		return nil
	})
	return err == nil && all && x.files > 0
}

// same says whether a file holds what its entry names (gitformat-pack(5), names of blobs).
func (x *gitIndex) same(path string, info fs.FileInfo) bool {
	e, ok := x.entries[path]
	x.files++
	x.bytes += info.Size()
	if !ok || e.stage > 0 || !info.Mode().IsRegular() || x.files > maxKeptFiles || x.bytes > maxKeptBytes {
		return false
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return [sha1.Size]byte(h.Sum(nil)) == e.sum
}
