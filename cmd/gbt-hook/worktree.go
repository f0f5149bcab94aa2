package main

import (
	"bytes"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/internal/gitread"
)

// This file reads a work tree of git: what its index holds, what the commit that is checked out
// holds, and how the files differ from both. Whatever is kept in a form that is not read here
// makes all of it unknown.

// Bounds of what one call reads of a work tree: files and bytes that are compared, and trees.
const (
	maxTreeFiles = 20000
	maxTreeBytes = 32 << 20
	maxTreeReads = 5000
	maxWorkFile  = 1 << 20
)

// version names what a file holds, so that it can be told from everything else: the name of its
// blob, with a letter where it is a program or a link. gone stands for no file.
type version string

const gone version = "-"

// Modes of entries (gitformat-index(5)).
const (
	modeFile    = 0o100644
	modeProgram = 0o100755
	modeLink    = 0o120000
	modeTree    = 0o40000
)

// versionOf is how an entry's contents are called; empty for what is no file.
func versionOf(sum gitread.ID, mode uint32) version {
	name := base64.RawURLEncoding.EncodeToString(sum[:15])
	switch mode {
	case modeFile, 0o100664: // an old one, which means the same
		return version(name)
	case modeProgram:
		return version(name + "x")
	case modeLink:
		return version(name + "l")
	}
	return ""
}

// tree is a work tree as it is now.
type tree struct {
	top, own, common string
	index            gitIndex
	objects          *gitread.Store
	commit           gitread.ID            // that is checked out
	root             gitread.ID            // its tree
	known            map[string]gitread.ID // directories of which the index says that they are such a tree, by their path in it
	dirs             map[gitread.ID][]gitread.Entry
	places           map[string]dirState
	bytes            int64
}

// openTree reads the work tree in which a directory lies; of its index, where only is not nil, the
// entries of these paths. ok is false where there is none, and where something may hold that is
// not read here.
func openTree(dir string, only []string) (t *tree, ok bool) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil || real != dir || os.Getenv("GIT_INDEX_FILE") != "" || os.Getenv("GIT_OBJECT_DIRECTORY") != "" {
		return nil, false
	}
	if repo, ok := repositoryOf(dir); !ok || repo.Widens { // a discard may go on into submodules
		return nil, false
	}
	top, index, err := indexAbove(filepath.Join(dir, "x"))
	if err != nil {
		return nil, false
	}
	t = &tree{top: top, dirs: map[gitread.ID][]gitread.Entry{}, places: map[string]dirState{}}
	t.own, t.common = gitDirs(filepath.Join(top, ".git"))
	t.index = gitIndex{top: top, only: only, entries: map[string]indexEntry{}}
	if t.common == "" || t.index.read(index) != nil || !t.extensions() {
		return nil, false
	}
	packed, whole := readSome(filepath.Join(t.common, "packed-refs"), maxPacked)
	if !whole || exists(filepath.Join(t.common, "reftable")) || exists(filepath.Join(t.common, "info", "grafts")) || strings.Contains(packed, " refs/replace/") {
		return nil, false
	}
	if list, err := os.ReadDir(filepath.Join(t.common, "refs", "replace")); err == nil && len(list) > 0 {
		return nil, false
	}
	t.objects = gitread.Open(t.common)
	if t.commit, ok = t.headCommit(packed); !ok {
		t.close()
		return nil, false
	}
	c, err := t.objects.Commit(t.commit)
	if err != nil {
		t.close()
		return nil, false
	}
	t.root = c.Tree
	return t, true
}

func (t *tree) close() { t.objects.Close() }

// headCommit is the commit that is checked out.
func (t *tree) headCommit(packed string) (id gitread.ID, ok bool) {
	head, whole := readSome(filepath.Join(t.own, "HEAD"), maxConfig)
	name, symbolic := strings.CutPrefix(strings.TrimSpace(head), "ref: ")
	switch {
	case !whole:
		return id, false
	case !symbolic:
		return gitread.ParseID(name)
	case !strings.HasPrefix(name, "refs/heads/") || strings.Contains(name, ".."):
		return id, false
	}
	if text, whole := readSome(filepath.Join(t.common, name), maxConfig); whole && text != "" {
		return gitread.ParseID(strings.TrimSpace(text))
	}
	i := strings.Index("\n"+packed, " "+name+"\n")
	if i < 40 {
		return id, false
	}
	return gitread.ParseID(packed[i-41 : i-1])
}

// extensions reads what stands behind the entries of the index. An extension whose name begins
// with a small letter has to be understood by whoever reads the entries (gitformat-index(5)).
func (t *tree) extensions() bool {
	t.known = map[string]gitread.ID{}
	rest := t.index.rest
	for len(rest) > sha1.Size {
		if len(rest) < 8 {
			return false
		}
		name, size := string(rest[:4]), int64(binary.BigEndian.Uint32(rest[4:]))
		if size > int64(len(rest)-8-sha1.Size) || name[0] < 'A' || name[0] > 'Z' {
			return false
		}
		if name == "TREE" && !t.cachedTree(rest[8:8+size]) {
			return false
		}
		rest = rest[8+size:]
	}
	return true
}

// cachedTree reads of which directories the index knows that they are as a tree has them.
func (t *tree) cachedTree(data []byte) bool {
	type open struct {
		path string
		left int
	}
	var above []open
	for len(data) > 0 {
		name, rest, ok := bytes.Cut(data, []byte{0})
		line, rest, ended := bytes.Cut(rest, []byte{'\n'})
		count, below, two := strings.Cut(string(line), " ")
		n, err := strconv.Atoi(count)
		m, err2 := strconv.Atoi(below)
		if !ok || !ended || !two || err != nil || err2 != nil {
			return false
		}
		for len(above) > 0 && above[len(above)-1].left == 0 {
			above = above[:len(above)-1]
		}
		path := t.top
		if len(above) > 0 {
			above[len(above)-1].left--
			path = above[len(above)-1].path + "/" + string(name)
		}
		if n >= 0 {
			var id gitread.ID
			if len(rest) < len(id) {
				return false
			}
			copy(id[:], rest)
			t.known[path], rest = id, rest[len(id):]
		}
		above, data = append(above, open{path, m}), rest
	}
	return true
}

// list reads a tree.
func (t *tree) list(id gitread.ID) ([]gitread.Entry, bool) {
	if list, ok := t.dirs[id]; ok {
		return list, true
	}
	if len(t.dirs) >= maxTreeReads {
		return nil, false
	}
	list, err := t.objects.Tree(id)
	t.dirs[id] = list
	return list, err == nil
}

// held is what the commit that is checked out holds at a path; gone for nothing.
func (t *tree) held(path string) (v version, ok bool) { return t.heldBy(t.root, path) }

// heldBy is what a tree holds at a path.
func (t *tree) heldBy(id gitread.ID, path string) (v version, ok bool) {
	rest, below := strings.CutPrefix(path, t.top+"/")
	if !below {
		return "", false
	}
	at := t.top
	for {
		name, more, deep := strings.Cut(rest, "/")
		if t.known[at] == id { // all below is as the index has it
			if e, ok := t.index.entries[path]; ok {
				return versionOf(e.sum, e.mode), true
			}
			return gone, true
		}
		list, ok := t.list(id)
		if !ok {
			return "", false
		}
		found := false
		for _, e := range list {
			if e.Name != name {
				continue
			}
			if !deep {
				return versionOf(e.ID, e.Mode), true
			}
			found = e.Mode == modeTree
			id = e.ID
		}
		if !found {
			return gone, true
		}
		at, rest = at+"/"+name, more
	}
}

// pair is how a path is held by two sides.
type pair struct {
	path     string
	from, to version
}

// staged are the paths that the index holds otherwise than the commit that is checked out.
func (t *tree) staged() (out []pair, ok bool) {
	same, held, n := map[string]bool{}, map[string]version{}, 0
	var walk func(dir string, id gitread.ID) bool
	walk = func(dir string, id gitread.ID) bool {
		if t.known[dir] == id && id != (gitread.ID{}) {
			same[dir] = true
			return true
		}
		n++
		list, ok := t.list(id)
		ok = ok && n <= maxTreeReads
		for _, e := range list {
			if e.Mode == modeTree {
				ok = ok && walk(dir+"/"+e.Name, e.ID)
				continue
			}
			held[dir+"/"+e.Name] = versionOf(e.ID, e.Mode)
		}
		return ok && len(held) <= maxTreeFiles
	}
	if !walk(t.top, t.root) {
		return nil, false
	}
	for path, e := range t.index.entries {
		if t.sameAbove(same, path) {
			continue
		}
		was, there := held[path]
		if !there {
			was = gone
		}
		delete(held, path)
		if now := versionOf(e.sum, e.mode); now != was {
			out = append(out, pair{path, was, now})
		}
	}
	for path, was := range held {
		out = append(out, pair{path, was, gone})
	}
	return out, true
}

func (t *tree) sameAbove(same map[string]bool, path string) bool {
	for dir := filepath.Dir(path); len(dir) >= len(t.top); dir = filepath.Dir(dir) {
		if same[dir] {
			return true
		}
	}
	return false
}

// differences are the paths that two trees hold otherwise.
func (t *tree) differences(a, b gitread.ID) (out []pair, ok bool) {
	n := 0
	var walk func(dir string, a, b gitread.ID) bool
	walk = func(dir string, a, b gitread.ID) bool {
		if a == b {
			return true
		}
		if n++; n > maxTreeReads {
			return false
		}
		var lists [2][]gitread.Entry
		for i, id := range []gitread.ID{a, b} {
			if id == (gitread.ID{}) {
				continue
			}
			if lists[i], ok = t.list(id); !ok {
				return false
			}
		}
		names, subs := map[string][2]version{}, map[string][2]gitread.ID{}
		for i, list := range lists {
			for _, e := range list {
				full := dir + "/" + e.Name
				if e.Mode == modeTree {
					p := subs[full]
					p[i] = e.ID
					subs[full] = p
					continue
				}
				p := names[full]
				p[i] = versionOf(e.ID, e.Mode) + "."
				names[full] = p
			}
		}
		for path, p := range names {
			for i, v := range p {
				if p[i] = version(strings.TrimSuffix(string(v), ".")); v == "" {
					p[i] = gone
				}
			}
			if p[0] != p[1] {
				out = append(out, pair{path, p[0], p[1]})
			}
		}
		for path, p := range subs {
			if !walk(path, p[0], p[1]) {
				return false
			}
		}
		return len(out) <= maxTreeFiles
	}
	return out, walk(t.top, a, b)
}

// now is what lies at a path; empty for what is neither a file nor a link, and for what is too
// large to be looked at.
func (t *tree) now(path string) version {
	info, err := os.Lstat(path)
	switch place := t.place(filepath.Dir(path)); {
	case place == dirMissing, place == dirPlain && os.IsNotExist(err):
		return gone
	case place != dirPlain || err != nil:
		return ""
	}
	return t.read(path, info)
}

// dirState is what a directory of a work tree is.
type dirState uint8

const (
	dirOdd dirState = iota // a link or a file is there, or on the way to it
	dirMissing
	dirPlain
)

// place says what a directory is, each once.
func (t *tree) place(dir string) dirState {
	if dir == t.top {
		return dirPlain
	}
	state, seen := t.places[dir]
	if seen || len(dir) < len(t.top) {
		return state
	}
	if state = t.place(filepath.Dir(dir)); state == dirPlain {
		info, err := os.Lstat(dir)
		switch {
		case os.IsNotExist(err):
			state = dirMissing
		case err != nil || !info.IsDir():
			state = dirOdd
		}
	}
	t.places[dir] = state
	return state
}

func (t *tree) read(path string, info fs.FileInfo) version {
	var data []byte
	var err error
	mode := uint32(modeFile)
	switch info.Mode().Type() {
	case 0:
		t.bytes += info.Size()
		if info.Size() > maxWorkFile || t.bytes > maxTreeBytes {
			return ""
		}
		data, err = os.ReadFile(path)
		if info.Mode()&0o100 != 0 {
			mode = modeProgram
		}
	case fs.ModeSymlink:
		var to string
		to, err = os.Readlink(path)
		data, mode = []byte(to), modeLink
	default:
		return ""
	}
	if err != nil {
		return ""
	}
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return versionOf(gitread.ID(h.Sum(nil)), mode)
}

// changed says what lies at the path of an entry, where it is not what the index holds. As git
// does, a file is taken for unchanged that has the time, the size and the kind that git saw
// (git-update-index(1)), if that was before the index was written: what is written in the same
// moment may be another text of the same length.
func (t *tree) changed(path string, e *indexEntry, written int64) (v version, differs bool) {
	info, err := os.Lstat(path)
	if err == nil && t.place(filepath.Dir(path)) == dirPlain && info.Mode().IsRegular() && e.mode&^0o111 == modeFile&^0o111 && e.unchanged(info) && info.ModTime().UnixNano() < written && (e.mode == modeProgram) == (info.Mode()&0o100 != 0) && sinceUnchanged(info, written) {
		return "", false
	}
	v = t.now(path)
	return v, v != versionOf(e.sum, e.mode)
}
