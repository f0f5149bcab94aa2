package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// maxLooked bounds the entries of directories that are looked at to find out whether
// something that is read as a whole holds secrets: what has more counts as holding some.
const maxLooked = 10000

// others are directories of what belongs to a version control or to other projects.
var others = map[string]bool{".git": true, ".venv": true, "node_modules": true, "site-packages": true}

// holds says whether a directory with all below it, or the files of a pattern, hold one
// with the name of a secret. Where git tracks files there it may be asked of those alone.
func holds(path string, tracked bool) bool {
	if tracked && !strings.ContainsAny(path, "*?[") {
		if found, ok := tracksSecret(path); ok {
			return found
		}
	}
	l := looker{places: effect.Places{}.Normal()}
	dir, base, deep := strings.Cut(path, "/**/")
	switch {
	case deep:
		l.base = base
		return l.below(dir)
	case !strings.ContainsAny(path, "*?["):
		return l.below(path)
	}
	list, err := filepath.Glob(path)
	if err != nil {
		return true
	}
	for _, p := range list {
		if hidden(p) && !hidden(path) {
			continue // no star stands for a dot that a name begins with
		}
		if l.below(p) {
			return true
		}
	}
	return false
}

func hidden(path string) bool { return strings.HasPrefix(filepath.Base(path), ".") }

// tracksSecret says whether the repository that a path lies in tracks a file with the name
// of a secret there. ok is false where there is none, or none whose index can be read.
func tracksSecret(path string) (found, ok bool) {
	top, index, err := indexAbove(filepath.Join(path, "x"))
	if err != nil {
		return false, false
	}
	x := gitIndex{top: top, want: path, entries: map[string]indexEntry{}}
	if path == top {
		x.want = ""
	}
	if err := x.read(index); err != nil {
		return false, false
	}
	l := looker{places: effect.Places{}.Normal()}
	for name := range x.entries {
		if l.secret(name) {
			return true, true
		}
	}
	return false, true
}

// tracked says whether the index of its repository holds a file. Where there is no repository, or
// none whose index can be read, no index says that it does not.
func tracked(path string) bool {
	top, index, err := indexAbove(path)
	x := gitIndex{top: top, want: path, entries: map[string]indexEntry{}}
	if err != nil || x.read(index) != nil {
		return true
	}
	_, ok := x.entries[path]
	return ok
}

// looker looks for files with the names of secrets.
type looker struct {
	places effect.Places
	base   string // a pattern that names have to match, empty for all
	looked int
	led    int // how many links led here
}

func (l *looker) secret(path string) bool {
	_, sensitive, _ := l.places.Where(path)
	return sensitive
}

// below looks at a file, or at a directory and all below it.
func (l *looker) below(root string) bool {
	found := false
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		l.looked++
		switch {
		case os.IsNotExist(err) && p == root:
			return nil // who reads that reads nothing
		case err != nil || l.looked > maxLooked:
			found = true
			return fs.SkipAll
		case d.IsDir() && others[d.Name()] && p != root:
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		if ok, err := filepath.Match(l.base, d.Name()); l.base != "" && err == nil && !ok && d.Type()&fs.ModeSymlink == 0 {
			return nil
		}
		if found = l.secret(p) || d.Type()&fs.ModeSymlink != 0 && l.leads(root, p); found {
			return fs.SkipAll
		}
		return nil
	})
	return found || err != nil
}

// maxLed bounds the links behind which links are followed.
const maxLed = 3

// leads says whether a link below a directory leads to a secret, or to another directory that holds one:
// who reads all files there, or follows links, reads it.
func (l *looker) leads(root, link string) bool {
	real, err := filepath.EvalSymlinks(link)
	if err != nil {
		return false // it leads to nothing
	}
	if l.secret(real) || l.led >= maxLed {
		return true
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() || real == root || strings.HasPrefix(real, strings.TrimSuffix(root, "/")+"/") {
		return err != nil
	}
	l.led++
	defer func() { l.led-- }()
	return l.below(real)
}
