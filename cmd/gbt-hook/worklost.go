package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gitread"
)

// This file finds out what a discard takes away: which files, and which of them hold something
// that is neither committed nor the session's own work (work.go).

// discards looks at what calls throw away.
type discards struct {
	work  *works
	guard *gates.Guardrail
	seen  map[string]gates.Discards
}

// of is a gates.State.Discards.
func (d *discards) of(c *gates.Context, e *gates.Effect) gates.Discards {
	if c.Elsewhere != "" || gates.Later(c) || runsAgain(c.Command) || e.Deferred || e.Glob && e.Program != "git" {
		return gates.Discards{}
	}
	at := -1
	for i := range c.Effects {
		if &c.Effects[i] == e {
			at = i
		}
	}
	out, n := gates.Discards{Known: true}, 0
	for k := range c.Runs() { // equal effects are one: each run that has it counts
		r := &c.Runs()[k]
		if !slices.Contains(r.Effects, at) {
			continue
		}
		if n++; len(r.Words) == 0 || r.Given || r.Contained || r.Background || slices.ContainsFunc(r.Effects, func(i int) bool { return c.Effects[i].Parent != "" }) {
			return gates.Discards{}
		}
		key := strings.Join(r.Words, "\x00") + "\x00\x00" + r.Cwd + "\x00" + strconv.Itoa(k)
		if r.Words[0] != "git" {
			key += "\x00" + e.Resource
		}
		one, seen := d.seen[key]
		if !seen {
			one = d.looked(c, e, k)
			d.seen[key] = one
		}
		out.Known = out.Known && one.Known
		out.Changes, out.Others = append(out.Changes, one.Changes...), append(out.Others, one.Others...)
	}
	out.Known = out.Known && n > 0
	out.Guarded = d.guard.Guards(c, out.Changes)
	return out
}

// runsAgain says whether a line may run a part of itself again, later.
func runsAgain(line string) bool {
	return strings.Contains(line, "()") || slices.ContainsFunc(strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\n;&|(){}`!", r) }), func(w string) bool {
		return slices.Contains([]string{"for", "while", "until", "select", "function", "coproc", "xargs", "parallel", "watch"}, w)
	})
}

func (d *discards) looked(c *gates.Context, e *gates.Effect, k int) (none gates.Discards) {
	r := &c.Runs()[k]
	if !earlierLook(c, k) {
		return none
	}
	var x discard
	var dir string
	switch r.Words[0] {
	case "git":
		var words []string
		var ok bool
		if dir, words, ok = gitWords(r); ok {
			x, ok = discardOf(dir, words)
		}
		if !ok {
			return none
		}
	case "rm":
		if e.Glob || mark.Has(e.Resource) || strings.ContainsAny(e.Resource, "*?[…") || !exists(e.Resource) {
			return none
		}
		dir, x = filepath.Dir(e.Resource), discard{kind: discardFiles, under: []string{e.Resource}}
	default:
		return none
	}
	t := opening(nil)
	defer t.close()
	w := t.at(filepath.Join(dir, "x"))
	if w == nil {
		return none
	}
	real, err := filepath.EvalSymlinks(dir)
	if own, common := gitDirsAbove(dir); err != nil || real != dir || own != w.own || common != w.common {
		return none // git finds another repository
	}
	for i := range k { // a discard before it on the line
		if before, words, ok := gitWords(&c.Runs()[i]); ok && len(words) > 0 {
			if _, ok := discardOf(before, words); ok || words[0] == "reset" {
				x.after = true
			}
		}
	}
	x.after = x.after || slices.ContainsFunc(c.Effects, func(e gates.Effect) bool { // maybe a list of what is ignored
		return x.kind == discardClean && e.Kind == effect.Write && e.Program != "git" && e.Zone != effect.ZoneStream
	})
	return d.work.lost(w, x)
}

// lost says what a discard takes in a work tree.
func (w *works) lost(t *tree, x discard) gates.Discards {
	l := loss{w: w, t: t, ok: true}
	if !x.all && slices.ContainsFunc(append(slices.Clone(x.under), x.begins...), func(u string) bool { return !mark.Under(u, t.top) }) {
		return gates.Discards{}
	}
	switch x.kind {
	case discardIndex, discardHead, discardTree:
		if x.after || x.kind == discardTree {
			x.kind = discardHead
		}
		l.files(x)
		if x.over {
			l.overwritten(x)
		}
		if x.clean {
			l.untracked(x)
		}
	case discardBack:
		x.all = true
		l.files(x)
		l.back(x.rev)
	case discardClean:
		if x.after {
			x.ignored = true // the lists of what is ignored may be other ones then
		}
		l.untracked(x)
	case discardStash:
		l.stash(x.stash)
	case discardFiles:
		l.walked(x.under[0], x.after)
	default:
		l.ok = false
	}
	if !l.ok || x.over && len(l.out.Others) == 0 { // what the other commit brings is not looked at
		return gates.Discards{}
	}
	slices.Sort(l.out.Changes)
	slices.Sort(l.out.Others)
	l.out.Known = true
	return l.out
}

// loss collects what a discard takes.
type loss struct {
	w   *works
	t   *tree
	out gates.Discards
	ok  bool
}

// takes notes that a path loses a content.
func (l *loss) takes(path string, own bool) {
	if !slices.Contains(l.out.Changes, path) {
		l.out.Changes = append(l.out.Changes, path)
	}
	if !own && !slices.Contains(l.out.Others, path) {
		l.out.Others = append(l.out.Others, path)
	}
	l.ok = l.ok && len(l.out.Changes) <= maxChanges
}

// maxChanges bounds the files that one discard may change.
const maxChanges = 300

// files are the changes of files that git holds: those since the index, or those since the commit
// that is checked out, staged ones among them.
func (l *loss) files(x discard) {
	info, err := os.Stat(filepath.Join(l.t.own, "index"))
	if err != nil || len(l.t.index.entries) > maxTreeFiles {
		l.ok = false
		return
	}
	written := info.ModTime().UnixNano()
	odd := map[string]version{} // what the commit has where the index has something else
	if x.kind != discardIndex {
		list, ok := l.t.staged()
		l.ok = l.ok && ok
		for _, p := range list {
			if !x.aims(p.path) {
				continue
			}
			odd[p.path] = p.from
			if p.to != gone || l.w.is(p.path, gone) {
				l.takes(p.path, l.w.is(p.path, p.to))
				continue
			}
			l.takes(p.path, false) // somebody took it out of the index
		}
	}
	for path := range l.t.index.entries {
		e := l.t.index.entries[path]
		if !l.ok || !x.aims(path) || e.mode == 0o160000 {
			continue
		}
		if e.stage > 0 {
			l.ok = false // in conflict
			return
		}
		v, differs := l.t.changed(path, &e, written)
		if !differs {
			continue
		}
		if v == "" {
			l.ok = false
			return
		}
		if held, staged := odd[path]; staged && held == v {
			continue // as it is committed
		}
		l.takes(path, l.w.is(path, v) || v == gone && slices.Contains(x.under, path)) // who names a file that is gone wants it back
	}
	for path, held := range odd {
		if _, there := l.t.index.entries[path]; !there { // git puts it back over what lies there
			if v := l.t.now(path); v != gone && v != held {
				l.takes(path, l.w.is(path, v))
			}
		}
	}
}

// back is what goes where a branch is set back to an earlier commit: commits that nothing else
// names, and files without a place in the index that the earlier commit has.
func (l *loss) back(to string) {
	if to == "" {
		return
	}
	id := l.t.commit
	var c gitread.Commit
	var err error
	steps, named := stepsBack(to)
	if r := refOf(l.t.top, "refs/heads/"+to, nil); !named && (r.Repo == "" || r.At != "" || refOf(l.t.top, "refs/tags/"+to, nil).At != "") {
		l.ok = false // a branch that is called like a commit
		return
	}
	for n := 0; ; n++ {
		if named && n == steps || !named && len(to) >= 7 && strings.HasPrefix(id.String(), to) {
			return
		}
		if n >= 32 || !slices.Contains(l.w.Commits, id.String()) {
			l.ok = false // a commit of somebody else's would go
			return
		}
		if c, err = l.t.objects.Commit(id); err != nil || len(c.Parents) != 1 {
			l.ok = false
			return
		}
		parent, err := l.t.objects.Commit(c.Parents[0])
		list, ok := l.t.differences(parent.Tree, c.Tree)
		if err != nil || !ok {
			l.ok = false
			return
		}
		for _, p := range list {
			l.takes(p.path, p.to == gone || l.w.is(p.path, p.to))
			if _, there := l.t.index.entries[p.path]; there || p.from == gone {
				continue
			}
			if v := l.t.now(p.path); v != gone && v != p.from {
				l.takes(p.path, l.w.is(p.path, v))
			}
		}
		id = c.Parents[0]
	}
}

// untracked are the files that git clean deletes: those that the index does not hold and no list
// names, or that a list names, too.
func (l *loss) untracked(x discard) {
	lists, n := ignoreLists{}, 0
	unstaged := map[string]bool{}
	if x.after { // what stands before it on the line may take files out of the index
		list, ok := l.t.staged()
		l.ok = l.ok && ok
		for _, p := range list {
			unstaged[p.path] = p.from == gone
		}
	}
	for _, under := range x.under {
		if !mark.Under(under, l.t.top) {
			l.ok = false
			return
		}
		err := filepath.WalkDir(under, func(p string, d fs.DirEntry, err error) error {
			n++
			switch {
			case err != nil && p == under && os.IsNotExist(err):
				return nil
			case err != nil || n > maxTreeFiles:
				return fs.ErrInvalid
			case p == l.t.top+"/.git":
				if d.IsDir() {
					return fs.SkipDir
				}
				return nil
			case d.Name() == ".git" || d.IsDir() && p != l.t.top && bare(p):
				return fs.ErrInvalid // another repository
			}
			if !x.ignored && p != under && lists.ignore(l.t.top, p, d.IsDir()) {
				if d.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
			if _, held := l.t.index.entries[p]; held && !unstaged[p] || d.IsDir() {
				return nil
			}
			l.takes(p, l.w.is(p, l.t.now(p)))
			return nil
		})
		l.ok = l.ok && err == nil
	}
}

// stash is the stash that goes: one by its place, or all of them.
func (l *loss) stash(n int) {
	all := moves(filepath.Join(l.t.common, "logs", "refs", "stash"))
	if len(all) == 0 || n >= len(all) || l.t.newestStash() != all[len(all)-1].to {
		l.ok = false
		return
	}
	if n >= 0 {
		all = all[len(all)-1-n : len(all)-n]
	}
	l.ok = !slices.ContainsFunc(all, func(m move) bool { return !slices.Contains(l.w.Stashes, m.to) })
}

// walked are the files that rm deletes: the index gives back what it holds as it is, or the commit
// where the line changes the index before.
func (l *loss) walked(under string, after bool) {
	n := 0
	err := filepath.WalkDir(under, func(p string, d fs.DirEntry, err error) error {
		n++
		switch {
		case err != nil || n > maxTreeFiles || d.Name() == ".git" || d.IsDir() && bare(p):
			return fs.ErrInvalid
		case d.IsDir():
			return nil
		}
		v := l.t.now(p)
		if e, ok := l.t.index.entries[p]; ok && e.stage == 0 && v != "" && v == versionOf(e.sum, e.mode) {
			if held, ok := l.t.held(p); !after || ok && held == v {
				return nil
			}
		}
		l.takes(p, l.w.is(p, v))
		return nil
	})
	if real, err := filepath.EvalSymlinks(filepath.Dir(under)); err != nil || real != filepath.Dir(under) {
		l.ok = false
	}
	l.ok = l.ok && err == nil
}

// ignoreLists are the lists of what git leaves to itself, by their directories.
type ignoreLists map[string][]string

// ignore says whether the lists of a work tree surely name a path (gitignore(5)): the last line
// that may be about it counts. A line that is not read here names nothing, and one that takes back
// what others name does so for all.
func (l ignoreLists) ignore(top, path string, isDir bool) bool {
	for dir := filepath.Dir(path); len(dir) >= len(top); dir = filepath.Dir(dir) {
		lines, read := l[dir]
		if !read {
			name := filepath.Join(dir, ".gitignore")
			info, err := os.Lstat(name) // git reads no list through a link
			var text string
			whole := err != nil && os.IsNotExist(err)
			if err == nil && info.Mode().IsRegular() {
				text, whole = readSome(name, maxRecord)
			}
			if !whole {
				text = "!*"
			}
			lines = strings.Split(text, "\n")
			l[dir] = lines
		}
		for _, line := range slices.Backward(lines) {
			line = strings.TrimRight(strings.TrimSuffix(line, "\r"), " ")
			not, back := strings.CutPrefix(line, "!")
			switch {
			case back && (strings.ContainsAny(not, "\\[?") || strings.Contains(not, "**") || ignoresPath(strings.TrimSuffix(not, "/"), path[len(dir)+1:])):
				return false
			case back:
			case ignoresPath(strings.TrimSuffix(line, "/"), path[len(dir)+1:]) && (isDir || !strings.HasSuffix(line, "/")):
				return true
			}
		}
	}
	return false
}

// ignoresPath says whether a line names this path itself. What lies below a directory that is
// named is never looked at.
func ignoresPath(line, rel string) bool {
	if line == "" || strings.ContainsAny(line, "#\\[?") || strings.Contains(line, "**") {
		return false
	}
	name := filepath.Base(rel)
	if strings.Contains(line, "/") {
		name = rel
	}
	ok, err := filepath.Match(strings.TrimPrefix(line, "/"), name)
	return ok && err == nil
}
