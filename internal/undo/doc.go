// Package undo remembers what a directory held before each call of an agent, so
// that a person can have it back.
//
// A Journal belongs to one workspace. Before a call it looks at the files, keeps
// the contents that nothing else keeps, and opens a Step; After the call it looks
// again and writes down what changed. Select picks steps, Plan says what undoing
// them would do and what it could not, and Apply does it:
//
//	j, err := undo.Open(undo.Options{Dir: dir, Root: workspace})
//	id, err := j.Before(undo.Call{Session: s, Tool: "bash"})
//	// the call runs
//	err = j.After(id)
//	p, err := j.Plan(steps)
//	report, err := j.Apply(p, allow)
//
// What is covered: files, directories, symbolic and hard links, their modes and
// the times of files, below the workspace; of a git repository also the index,
// branches, stashes, notes and settings, wherever its directory lies. Owners and
// extended attributes are not, nor anything that left the machine, nor processes:
// the residual report of an undo names what stays.
//
// Contents are kept once, by a reflink where the file system can (requirement Z2:
// tier cow), else by a copy (copyfs). Files that git can give back are not copied:
// its objects are linked, so that git gc does not take them away. What is larger
// than the bounds is audit_only: its change is seen and said, and can't be undone.
//
// The journal is a chain of frames, each with the SHA-256 of the one before and
// itself: a frame that was changed, moved or taken out is found. A frame that a
// crash cut off is left away, and nothing was promised for it.
//
// A Journal holds a lock from Open to Close and belongs to one goroutine.
//
// What belongs here: what a workspace held, and giving it back. What never does:
// whether a call, or an undo's own write, may run (package gates; Apply asks its
// caller), and sessions of the traverser (internal/stores).
package undo
