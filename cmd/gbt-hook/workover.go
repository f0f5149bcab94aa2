package main

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gitread"
)

// This file is about files of another commit that are put over those of the work tree, and over
// the index: git checkout TREE -- FILE keeps nothing of what was there (git-checkout(1)).

// overwritten are the files that the index does not hold and that such a commit has otherwise. Of a
// commit that is not read here it is any file.
func (l *loss) overwritten(x discard) {
	id, known := l.t.treeOf(x.rev)
	n := 0
	look := func(p string, d fs.DirEntry, err error) error {
		n++
		switch {
		case err != nil && n == 1: // nothing is there
			return fs.SkipAll
		case err != nil || n > maxTreeFiles:
			return fs.ErrInvalid
		case d.Name() == ".git":
			return skipped(d)
		case d.IsDir() || !x.aims(p):
			return nil
		}
		if _, held := l.t.index.entries[p]; held {
			return nil
		}
		v := l.t.now(p)
		if known {
			has, ok := l.t.heldBy(id, p)
			if ok && (has == gone || has == v) {
				return nil
			}
		}
		l.takes(p, l.w.is(p, v))
		return nil
	}
	from := slices.Clone(x.under)
	for _, b := range x.begins {
		from = append(from, filepath.Dir(b))
	}
	if x.all {
		from = []string{l.t.top}
	}
	for _, dir := range from {
		n = 0
		l.ok = l.ok && filepath.WalkDir(dir, look) == nil
	}
}

func skipped(d fs.DirEntry) error {
	if d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// treeOf is the tree of a commit, by a branch, a tag, HEAD or a whole object name, and steps back
// from it (gitrevisions(7)).
func (t *tree) treeOf(rev string) (id gitread.ID, ok bool) {
	base, steps := rev, 0
	if i := strings.IndexAny(rev, "~^"); i >= 0 {
		base = rev[:i]
		if steps, ok = stepsBack("HEAD" + rev[i:]); !ok || steps > 32 {
			return id, false
		}
	}
	if base == "HEAD" || base == "@" {
		id, ok = t.commit, true
	} else if id, ok = gitread.ParseID(base); !ok {
		for _, kind := range []string{"refs/tags/", "refs/heads/", "refs/remotes/"} {
			if r := refOf(t.top, kind+base, nil); r.At != "" && !ok {
				id, ok = gitread.ParseID(r.At)
			}
		}
	}
	for ; ok; steps-- {
		c, err := t.objects.Commit(id)
		switch {
		case err != nil || steps > 0 && len(c.Parents) == 0:
			return id, false
		case steps == 0:
			return c.Tree, true
		}
		id = c.Parents[0]
	}
	return id, false
}

// stagedOnly says whether the commit that is checked out may not hold a file, or the files of a
// directory, as the index does.
func stagedOnly(top, path string, dir bool) bool {
	only := []string{path}
	if dir {
		only = nil
	}
	t, ok := openTree(top, only)
	if !ok {
		return true
	}
	defer t.close()
	if !dir {
		e := t.index.entries[path]
		v, ok := t.held(path)
		return !ok || v != versionOf(e.sum, e.mode)
	}
	list, ok := t.staged()
	return !ok || slices.ContainsFunc(list, func(p pair) bool { return mark.Under(p.path, path) })
}
