package gates

import (
	"path"
)

// walk goes through the names that the host sees in a directory and below it, each directory's
// in the host's order and what a directory holds right behind its name. A directory that the
// host lists nothing of ends there, be it empty, unreadable or not there: that is no error. A
// link is a name like a file's, as the host puts a slash behind directories alone, so a walk
// follows none and comes to an end. How deep it goes nothing bounds but how many names it looks at.
type walk struct {
	list func(dir string) []string
	// left is how many names are still looked at: of this walk, and of what shares the bound.
	left *int
	// whole says that a directory counts with all its names before the first of them is looked
	// at. Else each counts when it is its turn, so that the first ones are looked at in any case.
	whole bool
	// past says that the bound ends nothing: the visitor sees by left that it is reached, and
	// goes only where it has to from there on.
	past bool
	// visit looks at a name in a directory; deep says that it is a directory's.
	visit func(dir, base string, deep bool) course
}

// course is what a visitor wants next.
type course int

const (
	next  course = iota // the name that follows
	into                // what the directory of this name holds
	found               // nothing more: it has its answer
)

// below walks what a directory holds. hit says that the visitor found what it looks for, over
// that there are more names than are looked at: what a caller makes of that is the strict answer.
func (w *walk) below(dir string) (hit, over bool) {
	listed := w.list(dir)
	if w.whole && !w.takes(len(listed)) {
		return false, true
	}
	for _, name := range listed {
		if !w.whole && !w.takes(1) {
			return false, true
		}
		base, deep := cutSuffix(name, "/")
		switch w.visit(dir, base, deep) {
		case found:
			return true, false
		case into:
			if hit, over = w.below(path.Join(dir, base)); hit || over {
				return hit, over
			}
		}
	}
	return false, false
}

// takes counts names, and says whether they are looked at.
func (w *walk) takes(names int) bool {
	*w.left -= names
	return *w.left >= 0 || w.past
}

// apart says whether a directory is one of git's, of a Python environment or of installed packages:
// nothing there is the workspace's own.
func apart(dir, base string) bool {
	return base == ".git" || base == ".venv" || installedUnder(path.Join(dir, base)+"/")
}
