package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about directories for temporary files that programs make where a call tells them to:
// cargo new /tmp/x, OUT=/tmp/x make dist, ./setup.sh --dir /tmp/x. What a call names, where nothing
// was before it and a directory is after it, the session made, whatever the program is.

// seenFree stands in Flow.Own before a path where nothing was before a call, as long as nobody has
// seen what the call left.
const seenFree = "newdir:"

// maxFree bounds the paths that one call is asked about.
const maxFree = 8

// NewDirs adds the directories that a call makes so to what the session made, and is State.NewDirs of
// hosts that look. ours says whether a directory was made while a call of the session ran.
func NewDirs(c *Context, own []string, ours func(dir string) bool) []string {
	out := slices.DeleteFunc(slices.Clone(own), func(o string) bool { return strings.HasPrefix(o, seenFree) })
	if c.exists == nil || c.Elsewhere != "" || c.bringsHere() || !c.after && c.Command != "" && c.awaits() {
		return out
	}
	if c.after {
		for _, o := range own {
			if dir, ok := cutPrefix(o, seenFree); ok && ours(dir) {
				out = with(out, dir+"/")
			}
		}
		return out
	}
	n := 0
	for i := range c.written { // with the directories that a tool makes for its file
		dir := path.Dir(c.written[i].Path)
		if c.Command != "" || !c.isNew(dir) {
			continue
		}
		dir = c.topmost(dir)
		if below := effect.Temporary(dir); below != "" && visible(below) {
			out = with(out, seenFree+dir)
		}
	}
	for k := range c.runs {
		r := &c.runs[k]
		if r.Contained || len(r.Words) == 0 || Looks(r) || isAmong([]string{"[", "cd", "test"}, r.Words[0]) {
			continue // it makes none, so who does is somebody else
		}
		for _, w := range append(slices.Clone(r.Words[1:]), r.Values...) {
			if _, value, ok := cutAt(w, "="); ok {
				w = value
			}
			if w == "" || w[0] == '-' || mark.Has(w) || strings.Contains(w, ":") {
				continue
			}
			dir := c.places.Resolve(r.Cwd, w)
			if below := effect.Temporary(dir); below != "" && visible(below) && c.isNew(dir) && n < maxFree {
				n++
				out = with(out, seenFree+c.topmost(dir))
			}
		}
	}
	return out
}

// awaits says whether a line may wait for what others make.
func (c *Context) awaits() bool {
	return GoesOn(c.Command) || slices.ContainsFunc(c.runs, func(r effect.Run) bool {
		return len(r.Words) > 0 && isAmong([]string{"inotifywait", "read", "sleep", "tail", "wait", "watch"}, path.Base(r.Words[0]))
	})
}

// topmost is the first directory above a path where nothing is.
func (c *Context) topmost(dir string) string {
	for above := path.Dir(dir); effect.Temporary(above) != "" && c.isNew(above); above = path.Dir(dir) {
		dir = above
	}
	return dir
}

// bringsHere says whether a call may bring something to a path that somebody else made.
func (c *Context) bringsHere() bool {
	return slices.ContainsFunc(c.Effects, func(e Effect) bool {
		return e.Op == effect.OpMove || e.Op == effect.OpLink || e.Op == effect.OpRunUnknown || e.Op == effect.OpMount
	}) || slices.ContainsFunc(c.runs, func(r effect.Run) bool {
		return len(r.Words) == 0 || isAmong([]string{"bindfs", "ln", "mount", "mv", "rename"}, path.Base(r.Words[0])) || isAmong(r.Words, "worktree")
	})
}
