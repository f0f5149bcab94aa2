package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// temporary says whether what is at a path is nothing but temporary files: it lies in a
// directory of the system for them, all of it belongs to the user, and no repository is in
// it or above it, no socket or device, no other directory for temporary files (those of
// systemd's services have the sticky bit), and nothing is mounted. What has more entries
// than the hook looks at is not known to be that.
func temporary(path string) bool {
	below := effect.Temporary(path)
	if below == "" {
		return false
	}
	top := strings.TrimSuffix(path, "/"+below)
	l := litter{user: os.Getuid()}
	info, err := os.Stat(top)
	if err != nil {
		return false
	}
	if l.disk, _, err = placeOf(info); err != nil || mountedBelow(path) {
		return false
	}
	for dir := filepath.Dir(path); dir != top; dir = filepath.Dir(dir) {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() || !l.plain(dir, info) {
			return false
		}
	}
	return l.below(path)
}

// litter looks at temporary files.
type litter struct {
	user   int
	disk   uint64
	looked int
}

// below says whether a file, or a directory with all below it, is plain.
func (l *litter) below(root string) bool {
	plain := true
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if l.looked++; err != nil || l.looked > maxLooked || !l.plain(p, info) || p == root && info.Mode()&fs.ModeSymlink != 0 {
			plain = false
			return fs.SkipAll
		}
		return nil
	})
	return plain && err == nil
}

// plain says whether one entry is a file, a link or a directory of the user's own that
// belongs to no version control.
func (l *litter) plain(path string, info fs.FileInfo) bool {
	disk, owner, err := placeOf(info)
	if err != nil || disk != l.disk || owner != l.user || controlled[filepath.Base(path)] {
		return false
	}
	switch info.Mode().Type() {
	case 0, fs.ModeSymlink:
		return true
	case fs.ModeDir:
		return info.Mode()&fs.ModeSticky == 0 && !bare(path)
	}
	return false
}

// controlled are names under which version controls keep what they hold of a directory
// (the manuals of git, Mercurial, Subversion, Jujutsu, Bazaar, Fossil and darcs).
var controlled = map[string]bool{".git": true, ".hg": true, ".svn": true, ".jj": true, ".bzr": true, ".fslckout": true, "_FOSSIL_": true, "_darcs": true}

// bare says whether a directory is a repository of git without a work tree
// (gitrepository-layout(5)).
func bare(dir string) bool {
	_, head := os.Lstat(filepath.Join(dir, "HEAD"))
	if head != nil {
		return false
	}
	_, objects := os.Lstat(filepath.Join(dir, "objects"))
	return objects == nil
}
