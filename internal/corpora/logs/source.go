package logs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gbt-policy/gbt/corpora"
)

// Input is what a user named as logs.
type Input struct {
	roots []string
	cwd   string // what relative names are relative to
	opts  Options
	known *classifier
	side  *sideFiles
	pool  sync.Pool
}

// Open prepares the named input: files, directories, patterns, "-". Nothing is
// read yet; a name that leads nowhere becomes a problem when it is walked. The
// order and repetition of names do not matter.
func Open(roots []string, opts Options) *Input {
	in := &Input{opts: opts, known: newClassifier(table()), side: newSideFiles()}
	in.cwd, _ = os.Getwd() // without it, names are taken as they are
	for _, r := range roots {
		if r != "-" && r != "" { // an empty name is a mistake, not the current directory
			r = filepath.Clean(r)
		}
		in.roots = append(in.roots, r)
	}
	slices.SortFunc(in.roots, comparePaths)
	in.roots = slices.Compact(in.roots)
	return in
}

// placeName is the last two parts of the unit's path: enough to tell files
// apart that share a name, and the same however the user named the file and
// wherever the tree lies.
func (in *Input) placeName(u *Unit) string {
	if u.Name == "-" {
		return ""
	}
	path := u.Name
	if !filepath.IsAbs(path) {
		path = filepath.Join(in.cwd, path)
	}
	return filepath.Base(filepath.Dir(path)) + "/" + plainBase(path)
}

// comparePaths orders paths as a walk meets them: part by part.
func comparePaths(a, b string) int {
	sep := string(filepath.Separator)
	return cmp.Compare(strings.ReplaceAll(a, sep, "\x00"), strings.ReplaceAll(b, sep, "\x00"))
}

// Units walks the input in a fixed order: names sorted, each file once, however
// many names lead to it. A directory's names are held while it is walked, and
// what the roots lead to; nothing else.
func (in *Input) Units(ctx context.Context) iter.Seq[*Unit] {
	return func(yield func(*Unit) bool) {
		w := walker{in: in, ctx: ctx, yield: yield, links: map[string]bool{}}
		var all []named
		all, w.roots = in.expand(ctx)
		maps.Copy(w.links, w.roots.files)
		for _, n := range all {
			if !w.root(n) {
				return
			}
		}
	}
}

// walker walks the input once.
type walker struct {
	in    *Input
	ctx   context.Context
	yield func(*Unit) bool
	roots *reach
	links map[string]bool // real paths of what was reached through links, and of the files named
}

// root walks what a root led to.
func (w *walker) root(n named) bool {
	if w.ctx.Err() != nil {
		return false
	}
	switch {
	case n.broken != nil:
		return w.give(&Unit{Name: n.path, broken: n.broken})
	case n.events != nil:
		return w.give(&Unit{Name: n.path, dir: true, events: n.events})
	case n.isDir:
		return w.dir(n.path, "")
	}
	return w.give(&Unit{Name: n.path, named: n.alone || n.path == "-"})
}

// dir walks a directory; false ends the walk. Behind a link real is its path
// without links, where something may have been read already.
func (w *walker) dir(path, real string) bool {
	entries, err := readDir(w.ctx, path)
	if err != nil {
		if w.ctx.Err() != nil {
			return false
		}
		return w.trouble(path, CodeUnreadable, "the directory cannot be read: "+reason(err))
	}
	if isEventDir(entries) {
		return w.give(&Unit{Name: path, dir: true})
	}
	for _, e := range entries {
		at := real
		if at != "" {
			at = filepath.Join(real, e.name)
		}
		if w.ctx.Err() != nil || !w.entry(filepath.Join(path, e.name), at, e.kind) {
			return false
		}
	}
	return true
}

// entry walks one name of a directory.
func (w *walker) entry(path, real string, kind fs.FileMode) bool {
	switch {
	case w.links[real] || w.roots.dirs[real]:
		return true
	case kind.IsRegular():
		return w.give(&Unit{Name: path})
	case kind.IsDir():
		return w.dir(path, real)
	case kind&fs.ModeSymlink != 0:
		return w.link(path)
	}
	return w.pass(path, kind)
}

// pass skips what is no file: reading a pipe, a socket or a device may never
// end. One that the user names is read all the same.
func (w *walker) pass(path string, kind fs.FileMode) bool {
	what := "a device"
	switch {
	case kind&fs.ModeNamedPipe != 0:
		what = "a named pipe"
	case kind&fs.ModeSocket != 0:
		what = "a socket"
	}
	return w.give(&Unit{Name: path, passed: what + ", not a file: read only if it is named itself"})
}

// link follows a symbolic link. What lies inside the input is met anyway, so
// only links that lead out of it are followed, and no directory twice: loops
// end, and nothing is read twice.
func (w *walker) link(path string) bool {
	st, err := os.Stat(path)
	if err != nil {
		return w.trouble(path, CodeUnreadable, "the link leads nowhere: "+reason(err))
	}
	if !st.IsDir() && !st.Mode().IsRegular() {
		return w.pass(path, st.Mode())
	}
	real, err := realPath(path)
	if err != nil {
		return w.trouble(path, CodeUnreadable, "cannot be read: "+reason(err))
	}
	if below(real, w.roots.dirs) || below(real, w.links) {
		return true
	}
	w.links[real] = true
	if !st.IsDir() {
		return w.give(&Unit{Name: path})
	}
	return w.dir(path, real)
}

func realPath(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(real)
}

// dirEntry is one name in a directory; a slice of them is all that is held of
// a directory while it is walked.
type dirEntry struct {
	name string
	kind fs.FileMode // type bits only
}

// readDir lists a directory sorted, a batch at a time so that a very large one
// can be interrupted, and without a look at each file.
func readDir(ctx context.Context, path string) ([]dirEntry, error) {
	d, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	var out []dirEntry
	for ctx.Err() == nil {
		batch, err := d.ReadDir(4096)
		for _, e := range batch {
			out = append(out, dirEntry{e.Name(), e.Type()})
		}
		if err == io.EOF {
			slices.SortFunc(out, func(a, b dirEntry) int { return cmp.Compare(a.name, b.name) })
			return out, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, ctx.Err()
}

func (w *walker) give(u *Unit) bool {
	u.in, u.roots = w.in, w.roots
	if u.broken == nil && u.passed == "" && !u.dir && w.in.opts.Output != "" {
		switch own, temporary := w.roots.own(u.Name); {
		case temporary:
			return true
		case own:
			u.passed = "the file that this run writes"
		}
	}
	return w.yield(u)
}

func (w *walker) trouble(path, code, sentence string) bool {
	return w.give(&Unit{Name: path, broken: troubleAt(path, code, sentence)})
}

func troubleAt(path, code, sentence string) *corpora.Problem {
	return &corpora.Problem{Origin: corpora.Origin{File: path, Index: -1}, Code: code, Sentence: sentence}
}

// reason is the cause in err without the path, which the problem names itself.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Sprint(err)
}
