// Package gitread reads commits and trees out of a repository of git, without git.
//
// Open takes the directory of a repository (gitrepository-layout(5)); Commit and Tree read
// an object, loose or out of a pack (gitformat-pack(5)). It reads SHA-1 repositories, packs
// with an index of version 2 and objects up to MaxObject. What it does not know is an error:
// whoever asks then knows nothing. A Store may not be used by two goroutines at once.
//
// What belongs here: the formats of objects and packs. What never does: work trees, indexes,
// settings and refs, and what follows from an object for a call (cmd/gbt-hook).
package gitread

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// ID is the name of an object.
type ID [20]byte

// ParseID reads 40 hexadecimal digits.
func ParseID(s string) (id ID, ok bool) {
	if len(s) != 2*len(id) {
		return ID{}, false
	}
	_, err := hex.Decode(id[:], []byte(s))
	return id, err == nil
}

func (id ID) String() string { return hex.EncodeToString(id[:]) }

// Commit is what a commit is made of.
type Commit struct {
	Tree    ID
	Parents []ID
}

// Entry is one name in a tree; Mode is octal as git writes it: 0o40000 is a tree, 0o160000 a
// commit of another repository.
type Entry struct {
	Mode uint32
	Name string
	ID   ID
}

// Limits: bytes of one object, how deep deltas go, and how many packs and alternates are read.
const (
	MaxObject    = 8 << 20
	maxDeltas    = 64
	maxPacks     = 200
	maxAlternate = 8
	maxDirs      = 16
	maxInflated  = 256 << 20 // bytes of all objects together, bases of deltas among them
)

var errFormat = errors.New("gitread: not known")

// Store are the objects of a repository.
type Store struct {
	dirs  []string
	packs []*pack // nil until one is looked for
	read  bool
	spent int64 // of maxInflated
}

// Open opens the objects of a repository's common directory. Close it.
func Open(common string) *Store {
	s := &Store{}
	s.add(filepath.Join(common, "objects"), 0)
	return s
}

// add takes in a directory of objects and those that it borrows from.
func (s *Store) add(dir string, depth int) {
	if slices.Contains(s.dirs, dir) || len(s.dirs) >= maxDirs {
		return
	}
	s.dirs = append(s.dirs, dir)
	f, err := openPlain(filepath.Join(dir, "info", "alternates"))
	if err != nil || depth >= maxAlternate {
		return
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, 1<<16))
	if err != nil {
		return
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		if !filepath.IsAbs(line) {
			line = filepath.Join(dir, line)
		}
		s.add(line, depth+1)
	}
}

// openPlain opens a file that is one: a pipe would keep whoever opens it waiting.
func openPlain(name string) (*os.File, error) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return nil, errFormat
	}
	return os.Open(name)
}

// Close closes what was opened.
func (s *Store) Close() {
	for _, p := range s.packs {
		p.idx.Close()
		if p.data != nil {
			p.data.Close()
		}
	}
	s.packs, s.read = nil, false
}

// Commit reads a commit.
func (s *Store) Commit(id ID) (Commit, error) {
	kind, data, err := s.object(id, 0)
	if err != nil || kind != "commit" {
		return Commit{}, notThat(id, err)
	}
	var c Commit
	for line := range strings.Lines(string(data)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		of, ok := ParseID(value)
		switch {
		case key == "tree" && ok:
			c.Tree = of
		case key == "parent" && ok:
			c.Parents = append(c.Parents, of)
		default:
			if c.Tree == (ID{}) {
				return Commit{}, notThat(id, errFormat)
			}
			return c, nil
		}
	}
	return Commit{}, notThat(id, errFormat)
}

// Tree reads a tree.
func (s *Store) Tree(id ID) ([]Entry, error) {
	kind, data, err := s.object(id, 0)
	if err != nil || kind != "tree" {
		return nil, notThat(id, err)
	}
	var out []Entry
	for len(data) > 0 {
		head, rest, ok := bytes.Cut(data, []byte{0})
		mode, name, named := strings.Cut(string(head), " ")
		n, err := strconv.ParseUint(mode, 8, 32)
		if !ok || !named || err != nil || name == "" || len(rest) < len(ID{}) {
			return nil, notThat(id, errFormat)
		}
		e := Entry{Mode: uint32(n), Name: name}
		copy(e.ID[:], rest)
		out, data = append(out, e), rest[len(e.ID):]
	}
	return out, nil
}

func notThat(id ID, err error) error {
	if err == nil {
		err = errFormat
	}
	return fmt.Errorf("object %s: %w", id, err)
}

// object finds an object and says which kind it is.
func (s *Store) object(id ID, depth int) (kind string, data []byte, err error) {
	if depth > maxDeltas {
		return "", nil, errFormat
	}
	name := id.String()
	for _, dir := range s.dirs {
		f, err := openPlain(filepath.Join(dir, name[:2], name[2:]))
		if err != nil {
			continue
		}
		defer f.Close()
		return s.loose(f)
	}
	if !s.read {
		s.read = true
		s.openPacks()
	}
	for _, p := range s.packs {
		if at, ok := p.find(id); ok {
			return s.packed(p, at, depth)
		}
	}
	return "", nil, os.ErrNotExist
}

// loose reads an object of its own file: its kind and size stand before it.
func (s *Store) loose(f io.Reader) (kind string, data []byte, err error) {
	data, err = s.inflate(f, MaxObject)
	if err != nil {
		return "", nil, err
	}
	head, rest, ok := bytes.Cut(data, []byte{0})
	kind, size, sized := strings.Cut(string(head), " ")
	if !ok || !sized || size != strconv.Itoa(len(rest)) {
		return "", nil, errFormat
	}
	return kind, rest, nil
}

// inflate reads what zlib packed, up to a bound.
func (s *Store) inflate(r io.Reader, most int64) ([]byte, error) {
	if s.spent > maxInflated {
		return nil, errFormat
	}
	z, err := zlib.NewReader(r)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	data, err := io.ReadAll(io.LimitReader(z, most+1))
	s.spent += int64(len(data))
	if err == nil && int64(len(data)) > most {
		err = errFormat
	}
	return data, err
}
