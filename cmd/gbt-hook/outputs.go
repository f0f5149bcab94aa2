package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about outputs: directories that a build or a test run of the session made, which
// it may delete again. Whose work a file is no file system tells, and editors save by putting
// a new file in the place of an old one. So all of it has to be born in the time of one call
// that built or tested, with the directory itself, which no editor makes anew; the directory
// has a name that outputs have, and git leaves it to itself.

// outputWords are the parts of names that directories have which tools fill (the tools' manuals,
// and what github.com/github/gitignore has for them). Names that people keep things of their own
// under are not among them: data, models, results, tmp, notes, backup.
var outputWords = []string{"allure", "bin", "build", "cache", "cov", "cover", "coverage", "debug", "dist", "generated", "lcov", "obj", "out", "output", "playwright", "release", "reports", "surefire", "test"}

// outputNamed says whether a directory has the name of an output: all parts of it are such words,
// or "report" and "results" behind one.
func outputNamed(name string) bool {
	parts := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '-' || r == '_' || r == '.' })
	for i, p := range parts {
		if !slices.Contains(outputWords, p) && !(i > 0 && (p == "report" || p == "results")) {
			return false
		}
	}
	return len(parts) > 0 && (len(parts) > 1 || parts[0] != "test")
}

// doingOf says what a call does. What it makes may be outputs if it passed unasked and runs a build
// or tests, and nothing else of it may bring files of somebody's: it reads, runs programs that
// bring none, deletes, and writes what it says itself.
func doingOf(c *gates.Context, d *gates.Decision) doing {
	does := doesLook
	for i := range c.Effects {
		switch e := &c.Effects[i]; {
		case slices.Contains(carriers, e.Program):
			return doesMore
		case e.Kind == effect.Spawn && e.Op == effect.OpBuild:
			does = doesBuild
		case e.Kind == effect.Read, e.Kind == effect.List, e.Kind == effect.Delete, e.Kind == effect.Spawn && e.Op == effect.OpRun, e.Kind == effect.Write && (e.Program == "" || e.Program == "tee" || e.Program == "mkdir"):
		default:
			return doesMore
		}
	}
	if d.Disposition != gates.Approved || c.Elsewhere != "" {
		return doesMore
	}
	return does
}

// carriers are programs that bring files from elsewhere.
var carriers = []string{"bsdtar", "cp", "cpio", "curl", "docker", "git", "install", "ln", "mv", "rsync", "scp", "tar", "unzip", "wget"}

// outputs looks at what deletions take away.
type outputs struct {
	calls *calls
	roots []string
	born  func(path string) int64
}

// made is a gates.State.Output.
func (o *outputs) made(c *gates.Context, e *gates.Effect) bool {
	full := e.Resource
	if e.Kind != effect.Delete || e.Op != effect.OpRemove && e.Op != effect.OpRemoveTree || e.Glob || e.Deferred || e.Sensitive || e.Protected || !filepath.IsAbs(full) || mark.Has(full) || strings.ContainsAny(full, "…*?[{") || c.Elsewhere != "" || gates.Later(c) {
		return false
	}
	if e.Zone == effect.ZoneTemp {
		return !slices.ContainsFunc(c.Runs(), func(r effect.Run) bool { return r.Contained }) && o.duringCalls(full)
	}
	for i := range c.Effects { // what the line brings there before it deletes is not seen
		w := &c.Effects[i]
		if w == e {
			break
		}
		if w.Kind != effect.Delete && !gates.Passes(c, w) && w.Kind != effect.Read || w.Program == "git" {
			return false
		}
	}
	if slices.ContainsFunc(c.Runs(), func(r effect.Run) bool { return r.Contained || r.Given || r.Background }) {
		return false
	}
	i := slices.IndexFunc(o.roots, func(root string) bool { return strings.HasPrefix(full, root+"/") })
	if i < 0 || o.calls.First == 0 {
		return false
	}
	top, ok := o.topOf(o.roots[i], full)
	return ok && leftToItself(full) && o.all(top, full)
}

// duringCalls says whether all at a path was born while calls of the session ran, and written by
// nobody since the last of them.
func (o *outputs) duringCalls(full string) bool {
	n := 0
	err := filepath.WalkDir(full, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if n++; err != nil || n > maxLooked || !o.calls.ran(o.born(p)) || !o.calls.ran(info.ModTime().UnixMilli()) {
			return fs.ErrInvalid
		}
		return nil
	})
	return err == nil
}

// topOf is the output that a path is or lies in: the first directory on it that has the name of
// one. ok is false where a link is on the way.
func (o *outputs) topOf(root, full string) (top string, ok bool) {
	if real, err := filepath.EvalSymlinks(filepath.Dir(full)); err != nil || real != filepath.Dir(full) {
		return "", false
	}
	at := root
	for elem := range strings.SplitSeq(full[len(root)+1:], "/") {
		if at = path.Join(at, elem); outputNamed(elem) && isDir(at) {
			return at, true
		}
	}
	return "", false
}

// all says whether an output and all at a path in it was made in the time of one call, nobody
// wrote to it after that, and nothing of it is more than a file of the user's own.
func (o *outputs) all(top, full string) bool {
	window, ok := o.calls.built(o.born(top))
	if !ok {
		return false
	}
	for at := filepath.Dir(full); len(at) > len(top); at = filepath.Dir(at) {
		if !within(window, o.born(at)) {
			return false
		}
	}
	info, err := os.Lstat(top)
	if err != nil {
		return false
	}
	l := litter{user: os.Getuid()}
	if l.disk, _, err = placeOf(info); err != nil || mountedBelow(full) {
		return false
	}
	secrets := looker{places: effect.Places{}.Normal()}
	good, n := true, 0
	err = filepath.WalkDir(full, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		n++
		if err != nil || n > maxLooked || !l.plain(p, info) || secrets.secret(p) || !within(window, o.born(p)) ||
			!d.IsDir() && info.ModTime().UnixMilli() > o.born(p) && !within(window, info.ModTime().UnixMilli()) {
			good = false
			return fs.SkipAll
		}
		return nil
	})
	return good && err == nil && n > 0
}

// leftToItself says whether git leaves what is at a path to itself: it holds nothing of it, and a
// list of the repository's names it, as git holds that list.
func leftToItself(full string) bool {
	top, index, err := indexAbove(full)
	x := gitIndex{top: top, want: full, entries: map[string]indexEntry{}}
	if err != nil || x.read(index) != nil || len(x.entries) > 0 {
		return false
	}
	named := false
	for dir := filepath.Dir(full); len(dir) >= len(top); dir = filepath.Dir(dir) {
		list := filepath.Join(dir, ".gitignore")
		text, whole := readSome(list, maxRecord)
		if !whole || strings.Contains("\n"+text, "\n!") {
			return false
		}
		for line := range strings.Lines(text) {
			named = named || ignores(strings.TrimRight(line, " \t\r\n"), full[len(dir)+1:]) && (found(list) == gates.FoundKept || found(list) == gates.FoundStaged)
		}
	}
	return named
}

// ignores says whether a line of such a list names a path below its directory, or a directory
// on it (gitignore(5)). Lines with signs beyond stars are not read.
func ignores(line, rel string) bool {
	line = strings.TrimSuffix(line, "/")
	if line == "" || strings.ContainsAny(line, "#\\[?") || strings.Contains(line, "**") {
		return false
	}
	here := strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	for ; rel != "."; rel = path.Dir(rel) {
		name := path.Base(rel)
		if here {
			name = rel
		}
		if ok, err := path.Match(line, name); ok && err == nil {
			return true
		}
	}
	return false
}
