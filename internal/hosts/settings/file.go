package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/gbt-policy/gbt/internal/hosts"
)

// File is one file of a host's settings and what of ours belongs into it.
type File struct {
	Path string
	Host string

	host     hosts.Host
	elements func([]byte) []hosts.Element
	entries  []entry // in the order they are added
	left     []entry // that are not asked for, and go if they are there
	all      []entry // both, in the order in which a fresh file has them
	comments bool    // the host strips comments before it parses
	skeleton string  // of a file that is not there yet; empty for {}
	whole    []byte  // or the whole file, for what is ours alone
}

// marker is in the first line of every file that is ours alone.
const marker = "written by gbt hook install"

// ErrForeign says that a file that should be ours alone is somebody else's.
var ErrForeign = errors.New("the file was not written by gbt hook install; move it away first")

// ErrLayout says that a file is written in a way that an uninstall could not give
// back byte for byte.
var ErrLayout = errors.New("its comments and line ends stand so that removing the hook later would leave marks; put the last value and its comment on lines of their own, then try again")

// Install returns the file's text with our part in it. old is the text that is
// there; exists is false if there is no file.
func (f *File) Install(old []byte, exists bool) ([]byte, error) {
	if f.whole != nil {
		if exists && !isOurs(old) {
			return nil, ErrForeign
		}
		return f.whole, nil
	}
	if !exists {
		return f.fresh(f.entries)
	}
	if err := f.readable(old); err != nil {
		return nil, err
	}
	text, err := removeAll(old, f.left, f.comments)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(text, old) { // what stands behind would keep an empty list from going
		back, keep, err := f.Uninstall(old)
		if err != nil {
			return nil, err
		}
		if !keep {
			return f.fresh(f.entries)
		}
		text = back
	}
	if text, err = insertAll(text, f.entries, f.comments); err != nil {
		return nil, err
	}
	if err := f.undone(old, text); err != nil {
		return nil, err
	}
	return text, nil
}

// undone says whether an uninstall would give back the file as it was. Where
// something of ours stands in old already there is nothing to compare with.
func (f *File) undone(old, text []byte) error {
	if before, _, err := f.Uninstall(old); err != nil || !bytes.Equal(before, old) {
		return err
	}
	back, keep, err := f.Uninstall(text)
	if err == nil && keep && !bytes.Equal(back, old) {
		err = ErrLayout
	}
	return err
}

// Uninstall returns the file's text without our part. keep is false if nothing
// else is left of what an installation made, and the file should go.
func (f *File) Uninstall(old []byte) (text []byte, keep bool, err error) {
	if f.whole != nil {
		return old, !isOurs(old), nil
	}
	if fresh, err := f.freshLike(old); err == nil && fresh != nil && bytes.Equal(fresh, old) {
		return nil, false, nil
	}
	text, err = removeAll(old, f.all, f.comments)
	return text, true, err
}

// removeAll takes entries out of a text, the last one first.
func removeAll(text []byte, list []entry, comments bool) ([]byte, error) {
	var err error
	for i := len(list) - 1; i >= 0; i-- {
		if text, err = list[i].remove(text, comments); err != nil {
			return nil, err
		}
	}
	return text, nil
}

func isOurs(text []byte) bool {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	return bytes.Contains(first, []byte(marker))
}

func insertAll(text []byte, list []entry, comments bool) ([]byte, error) {
	var err error
	for i := range list {
		if text, err = list[i].insert(text, comments); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// fresh is the text of a file that was not there before.
func (f *File) fresh(list []entry) ([]byte, error) {
	if f.skeleton != "" {
		return insertAll([]byte(f.skeleton), list, f.comments)
	}
	text, err := insertAll([]byte("{}"), list, f.comments)
	if err != nil {
		return nil, err
	}
	return []byte("{\n  " + string(text[1:len(text)-1]) + "\n}\n"), nil
}

// freshLike is the fresh text with the elements of ours that old holds, or nil
// if one is missing.
func (f *File) freshLike(old []byte) ([]byte, error) {
	d, err := parseDoc(old, f.comments)
	if err != nil {
		return nil, err
	}
	var list []entry
	for _, e := range f.all {
		raw, err := e.only(d)
		switch {
		case err != nil:
			return nil, err
		case raw != nil:
			e.value = raw
			list = append(list, e)
		case !slices.ContainsFunc(f.left, func(x entry) bool { return slices.Equal(x.path, e.path) }):
			return nil, nil
		}
	}
	return f.fresh(list)
}

// only is the one element of ours in the entry's list, or nil.
func (e *entry) only(d *doc) (json.RawMessage, error) {
	chain, err := d.locate(e.path)
	if err != nil || len(chain) <= len(e.path) {
		return nil, err
	}
	list := chain[len(chain)-1]
	mine := e.find(d, list)
	if len(mine) != 1 {
		return nil, nil
	}
	return d.json(list.members[mine[0]].value), nil
}

// readable refuses a file without the keys of the skeleton: whatever it is,
// adding to it would not make it one that the host reads.
func (f *File) readable(text []byte) error {
	if f.skeleton == "" {
		return nil
	}
	root, err := scan(text, f.comments)
	if err != nil {
		return err
	}
	must, err := scan([]byte(f.skeleton), f.comments)
	if err != nil {
		return err
	}
	for _, m := range must.members {
		if root.member(m.key) < 0 {
			return &SyntaxError{Line: 1, Msg: f.skeleton[m.start:m.value.end] + " is missing, so " + f.host.Title + " would not read this file"}
		}
	}
	return nil
}
