package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/keeps"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gitread"
)

// This file remembers which contents of files are the session's own work: what its calls made of
// a file that was as its commit holds it, or of nothing. A content that somebody else had a hand
// in is none of them, and nor is what is made of it. So a discard that takes only such contents
// takes nothing from anybody (worklost.go).

// works is the session's own work.
type works struct {
	Files   []work     `json:",omitempty"` // the ones changed last stand last
	Commits []string   `json:",omitempty"` // that calls of the session made
	Stashes []string   `json:",omitempty"` // that hold the session's work alone
	Open    []openWork `json:",omitempty"`
}

// work is what a file held after calls of the session.
type work struct {
	Path string
	Has  []version
}

// openWork is a call that may be running, with what it started from.
type openWork struct {
	Key     string
	At      int64     // in milliseconds
	Paths   []string  `json:",omitempty"` // files that it changes, and that held nothing of anybody else's
	Gone    []string  `json:",omitempty"` // what it takes away
	From    []string  `json:",omitempty"` // files that it copies or moves, as Paths
	Holds   []version `json:",omitempty"` // what these held
	Dir     string    `json:",omitempty"` // of a run of git that commits or stashes
	Commit  string    `json:",omitempty"` // that was checked out there
	Stashes bool      `json:",omitempty"` // it stashes the session's work alone
	Stash   string    `json:",omitempty"` // the newest stash
}

// Bounds of what is remembered. What is left out is nobody's work, and asks.
const (
	maxWorkFiles    = 300
	maxWorkVersions = 1200 // of all files together
	maxWorkOfFile   = 24
	maxWorkCommits  = 64
	maxWorkOpen     = 16
	maxWorkPaths    = 100 // of one call
)

func (w *works) empty() bool {
	return len(w.Files) == 0 && len(w.Commits) == 0 && len(w.Stashes) == 0 && len(w.Open) == 0
}

// is says whether a content of a file is the session's. A directory that it deleted stands for
// all that was in it.
func (w *works) is(path string, v version) bool {
	if v == "" {
		return false
	}
	for i := range w.Files {
		if f := &w.Files[i]; (f.Path == path || v == gone && mark.Under(path, f.Path)) && slices.Contains(f.Has, v) {
			return true
		}
	}
	return false
}

// add notes a content of a file.
func (w *works) add(path string, v version) {
	if v == "" {
		return
	}
	f := work{Path: path}
	if i := slices.IndexFunc(w.Files, func(f work) bool { return f.Path == path }); i >= 0 {
		f = w.Files[i]
		w.Files = slices.Delete(w.Files, i, i+1)
	}
	f.Has = append(slices.DeleteFunc(f.Has, func(h version) bool { return h == v }), v)
	f.Has = f.Has[max(0, len(f.Has)-maxWorkOfFile):]
	w.Files = append(w.Files, f)
	n := 0
	for i := range w.Files {
		n += len(w.Files[i].Has)
	}
	for len(w.Files) > maxWorkFiles || n > maxWorkVersions {
		n -= len(w.Files[0].Has)
		w.Files = w.Files[1:]
	}
}

// forget drops a file that somebody else changed.
func (w *works) forget(path string) {
	w.Files = slices.DeleteFunc(w.Files, func(f work) bool { return f.Path == path })
}

// trees opens the work trees of paths, each once.
type trees struct {
	open map[string]*tree
	only []string // of openTree
}

func opening(only []string) *trees { return &trees{map[string]*tree{}, only} }

// at is the work tree that a path lies in; nil where there is none that can be read.
func (o *trees) at(path string) *tree {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			t, seen := o.open[dir]
			if !seen {
				t, _ = openTree(dir, o.only)
				o.open[dir] = t
			}
			return t
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

func (o *trees) close() {
	for _, t := range o.open {
		if t != nil {
			t.close()
		}
	}
}

// clean says whether a file holds nothing of anybody but the session: it is as the commit and the
// index have it, nothing is there and neither of them has it, or it holds the session's work.
func (w *works) clean(t *tree, path string) (v version, ok bool) {
	if t == nil || !strings.HasPrefix(path, t.top+"/") || strings.HasPrefix(path, t.top+"/.git/") {
		return "", false
	}
	v = t.now(path)
	if v == "" || strings.HasSuffix(string(v), "l") {
		return "", false
	}
	if w.is(path, v) {
		return v, true
	}
	held, known := t.held(path)
	indexed := gone
	if e, ok := t.index.entries[path]; ok {
		indexed = versionOf(e.sum, e.mode)
		known = known && e.stage == 0
	}
	return v, known && held == v && indexed == v
}

// kept says whether a content of a file is committed, or the session's.
func (w *works) kept(t *tree, path string, v version) bool {
	held, ok := t.held(path)
	return ok && held == v || w.is(path, v)
}

// begin notes what a call that may run from now on starts from.
func (w *works) begin(key string, c *gates.Context, now time.Time) {
	o := openWork{Key: key, At: now.UnixMilli()}
	w.Open = slices.DeleteFunc(w.Open, func(was openWork) bool { return was.Key == key }) // it did not run
	plan := planOf(c)
	open := opening(slices.Concat([]string{""}, plan.changes, plan.gone, plan.from))
	defer open.close()
	for _, p := range plan.gone {
		t := open.at(p)
		if _, ok := w.clean(t, p); !ok && exists(p) && !isDir(p) {
			plan.changes, plan.from = nil, nil // what is taken away may be what is put elsewhere
		}
		if t != nil {
			o.Gone = append(o.Gone, p)
		}
	}
	for _, p := range plan.from {
		v, ok := w.clean(open.at(p), p)
		if !ok {
			plan.changes, o.From, o.Holds = nil, nil, nil // somebody's contents go where nobody follows them
			break
		}
		o.From, o.Holds = append(o.From, p), append(o.Holds, v)
		if e, ok := open.at(p).index.entries[p]; ok { // git mv takes this along
			if x := versionOf(e.sum, e.mode); w.kept(open.at(p), p, x) {
				o.Holds = append(o.Holds, x)
			}
		}
	}
	for _, p := range plan.changes {
		if _, ok := w.clean(open.at(p), p); ok {
			o.Paths = append(o.Paths, p)
		} else {
			w.forget(p)
		}
	}
	if plan.dir != "" {
		whole := opening(nil)
		defer whole.close()
		if t := whole.at(filepath.Join(plan.dir, "x")); t != nil {
			o.Dir, o.Commit, o.Stash = plan.dir, t.commit.String(), t.newestStash()
			if plan.stashes {
				d := w.lost(t, discard{kind: discardHead, all: true, clean: plan.untracked, ignored: plan.ignored, under: []string{t.top}})
				o.Stashes = d.Known && len(d.Others) == 0
			}
		}
	}
	if len(o.Paths)+len(o.Gone)+len(o.From) > 0 || o.Dir != "" {
		w.Open = append(w.Open, o)
		w.Open = w.Open[max(0, len(w.Open)-maxWorkOpen):]
	}
}

// settle forgets the calls of which nobody told before the user spoke again: they did not run.
func (w *works) settle() { w.Open = nil }

// end notes what a call left that has run, or that did not.
func (w *works) end(key string, ran bool, now time.Time) {
	i := slices.IndexFunc(w.Open, func(o openWork) bool { return o.Key == key })
	if i < 0 {
		return
	}
	o := w.Open[i]
	w.Open = slices.Delete(w.Open, i, i+1)
	if took := now.UnixMilli() - o.At; !ran || took < 0 || took > maxBuildTime.Milliseconds() {
		return
	}
	open := opening(slices.Concat([]string{""}, o.From))
	defer open.close()
	for _, p := range o.Gone {
		if _, err := os.Lstat(p); os.IsNotExist(err) {
			w.add(p, gone)
		}
	}
	for _, p := range o.From {
		if t := open.at(p); t != nil {
			if v := t.now(p); v == gone || slices.Contains(o.Holds, v) {
				w.add(p, v)
			}
			if e, ok := t.index.entries[p]; ok && slices.Contains(o.Holds, versionOf(e.sum, e.mode)) {
				w.add(p, versionOf(e.sum, e.mode))
			}
		}
	}
	for _, p := range o.Paths {
		if t := open.at(p); t != nil {
			if v := t.now(p); v != gone && !strings.HasSuffix(string(v), "l") && soon(p, o.At) {
				w.add(p, v)
			}
		}
	}
	if o.Dir == "" {
		return
	}
	t := open.at(filepath.Join(o.Dir, "x"))
	if t == nil {
		return
	}
	if s := t.newestStash(); o.Stashes && now.UnixMilli()-o.At <= firstMoments.Milliseconds() && s != "" && s != o.Stash {
		w.Stashes = append(w.Stashes[max(0, len(w.Stashes)-maxWorkCommits+1):], s)
	}
	w.committed(t, o.Commit)
}

// firstMoments is how long after it begins a call writes what it names. What is written in the midst
// of a long run of tests, or while a host asks about the call, may be the user's.
const firstMoments = 10 * time.Second

// soon says whether a file was written last in that time of a call, or before it, also by what
// sets the time of a file back.
func soon(path string, from int64) bool {
	info, err := os.Lstat(path)
	end := time.UnixMilli(from).Add(firstMoments)
	return err == nil && !info.ModTime().After(end) && sinceUnchanged(info, end.UnixNano())
}

// committed notes the commits that a call made: those between the one that was checked out before
// it and the one that is now, or one in the place of a commit of the session's.
func (w *works) committed(t *tree, before string) {
	id := t.commit
	var made []string
	for range 8 {
		if id.String() == before {
			w.Commits = append(w.Commits, made...)
			w.Commits = w.Commits[max(0, len(w.Commits)-maxWorkCommits):]
			return
		}
		c, err := t.objects.Commit(id)
		if err != nil || len(c.Parents) != 1 {
			return
		}
		made = append(made, id.String())
		if was, ok := gitread.ParseID(before); ok && slices.Contains(w.Commits, before) {
			if old, err := t.objects.Commit(was); err == nil && len(old.Parents) == 1 && old.Parents[0] == c.Parents[0] {
				before = c.Parents[0].String() // amended
			}
		}
		id = c.Parents[0]
	}
}

// newestStash is what refs/stash stands for.
func (t *tree) newestStash() string {
	text, whole := readSome(filepath.Join(t.common, "refs", "stash"), maxConfig)
	if !whole {
		return "?"
	}
	return strings.TrimSpace(text)
}

// plan is what a call changes, as far as its words name it.
type plan struct {
	changes, gone, from []string
	except              []string // what lies there or below counts as no change of the session's
	dir                 string   // of its run of git that commits or stashes
	stashes             bool     // the session may stash, and what of files that git does not hold
	untracked, ignored  bool
}

// planOf follows a call. A call that may bring contents which nobody follows changes nothing that
// counts: what it leaves is not known to be the session's.
func planOf(c *gates.Context) plan {
	if c.Elsewhere != "" || c.Doubt != "" || gates.Later(c) {
		return plan{}
	}
	var p plan
	for i := range c.Effects {
		if !p.effect(c, &c.Effects[i]) {
			return plan{}
		}
	}
	for i := range c.Runs() {
		if !p.run(c, i) {
			return plan{}
		}
	}
	p.changes = slices.DeleteFunc(p.changes, func(path string) bool {
		return slices.ContainsFunc(p.except, func(x string) bool {
			return !filepath.IsAbs(x) || mark.Has(x) || mark.Under(path, strings.TrimSuffix(x, "/unpacked"))
		})
	})
	slices.Sort(p.changes)
	p.changes = slices.Compact(p.changes)
	if len(p.changes)+len(p.gone)+len(p.from) > maxWorkPaths {
		p.changes, p.gone, p.from = nil, nil, nil
	}
	return p
}

// effect notes what an effect changes. It is false where the call may bring contents that nobody follows.
func (p *plan) effect(c *gates.Context, e *gates.Effect) bool {
	named := e.Zone == effect.ZoneWorkspace && !e.Deferred && filepath.IsAbs(e.Resource) && !mark.Has(e.Resource) && !strings.ContainsAny(e.Resource, "…{")
	switch {
	case e.Kind == effect.Opaque, e.Kind == effect.Spawn && (e.Op == effect.OpEscape || e.Op == effect.OpRunUnknown || e.Op == effect.OpInteractive):
		return false
	case e.Kind == effect.Delete && e.Zone == effect.ZoneWorkspace && !e.Deferred:
		p.gone = append(p.gone, filesOf(e)...)
	case e.Kind == effect.Read && e.Program == "cp" && named && !e.Glob:
		p.from = append(p.from, e.Resource)
	case e.Kind != effect.Write || e.Zone == effect.ZoneStream || e.Program == "mkdir":
	case e.Op == effect.OpMove && named && !e.Glob:
		p.from = append(p.from, e.Resource)
		p.except = append(p.except, e.Resource)
	case e.Op == effect.OpMove:
		return false
	case e.Program == "cp" && named && !e.Glob:
		p.from = append(p.from, e.Resource)
	case !named || e.Op != effect.OpCreate && e.Op != effect.OpModify && e.Op != effect.OpChmod || slices.Contains(carriers, e.Program) || e.Program == "patch":
		p.except = append(p.except, e.Resource)
	default:
		for _, path := range filesOf(e) {
			if slices.Contains(textWriters, e.Program) || spelled(c, path) || exists(path) {
				p.changes = append(p.changes, path)
			}
		}
	}
	return true
}

// run notes what the call's run i of git does. It is false where nobody follows a run.
func (p *plan) run(c *gates.Context, i int) bool {
	r := &c.Runs()[i]
	if r.Contained || r.Background {
		return false
	}
	if len(r.Words) == 0 || r.Words[0] != "git" {
		return true
	}
	dir, words, ok := gitWords(r)
	switch {
	case !ok || len(words) == 0:
		return false
	case words[0] == "commit":
		p.dir = dir
	case words[0] == "stash" && stashes(words[1:]):
		p.dir, p.stashes = dir, earlierLook(c, i)
		for _, w := range words[1:] {
			short := strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--")
			p.ignored = p.ignored || strings.HasPrefix(w, "--a") || short && strings.Contains(w, "a")
			p.untracked = p.untracked || p.ignored || strings.HasPrefix(w, "--in") || short && strings.Contains(w, "u")
		}
	case words[0] == "rm":
		for _, n := range r.Effects {
			if e := &c.Effects[n]; e.Kind == effect.Write {
				p.gone = append(p.gone, filesOf(e)...)
			}
		}
	case words[0] == "mv":
		for _, n := range r.Effects {
			if e := &c.Effects[n]; e.Kind == effect.Write && filepath.IsAbs(e.Resource) && !mark.Has(e.Resource) {
				p.from = append(p.from, e.Resource)
			}
		}
	case !keeps.Git(words[0], keeps.GitContents):
		p.changes, p.from = nil, nil // it may bring contents from elsewhere
		p.except = append(p.except, "/")
	}
	return true
}

// spelled says whether a call says what it puts into a file.
func spelled(c *gates.Context, path string) bool {
	return slices.ContainsFunc(c.Written(), func(w effect.Written) bool { return w.Path == path && w.Known })
}

// filesOf are the files that an effect names: those that a pattern finds in one directory.
func filesOf(e *gates.Effect) []string {
	dir := filepath.Dir(e.Resource)
	switch {
	case !filepath.IsAbs(e.Resource) || mark.Has(e.Resource) || strings.ContainsAny(e.Resource, "…{") || strings.Contains(e.Resource, "**") || strings.ContainsAny(dir, "*?["):
		return nil
	case !e.Glob && !strings.ContainsAny(e.Resource, "*?["):
		return []string{e.Resource}
	}
	list, err := filepath.Glob(e.Resource)
	if err != nil || len(list) > maxWorkPaths {
		return nil
	}
	return list
}

// textWriters are the programs that put into a new file what the call says or they compute; none
// is a redirection. What others make of nothing may be somebody's under another name.
var textWriters = []string{"", "awk", "gawk", "jq", "node", "perl", "python", "python3", "ruby", "sed", "tee", "touch"}

// stashes says whether a run of git stash takes changes away.
func stashes(args []string) bool {
	return len(args) == 0 || args[0] == "push" || args[0] == "save" || strings.HasPrefix(args[0], "-")
}
