package logs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
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

// Units walks the input in a fixed order: names sorted, each file once. A
// directory's names are held while it is walked, nothing else.
func (in *Input) Units(ctx context.Context) iter.Seq[*Unit] {
	return func(yield func(*Unit) bool) {
		w := walker{in: in, ctx: ctx, yield: yield, links: map[string]bool{}}
		for _, root := range in.roots {
			if !w.root(root) {
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
	links map[string]bool // real paths of directories reached through links
	last  []string        // roots walked so far, for overlaps
}

func (w *walker) root(root string) bool {
	if root == "-" {
		return w.give(&Unit{Name: root, named: true})
	}
	if root == "" {
		return w.trouble("(empty name)", CodeNoMatch, "an empty name leads nowhere")
	}
	if _, err := os.Lstat(root); err == nil {
		return w.rootPath(root, true)
	}
	matches, err := filepath.Glob(root)
	if err != nil || len(matches) == 0 {
		return w.trouble(root, CodeNoMatch, "there is no such file or directory, and nothing matches it as a pattern")
	}
	slices.SortFunc(matches, comparePaths)
	for _, m := range matches {
		if !w.rootPath(m, false) {
			return false
		}
	}
	return true
}

// rootPath walks one root, unless an earlier one holds it.
func (w *walker) rootPath(path string, named bool) bool {
	for _, r := range w.last {
		if within(path, r) {
			return true
		}
	}
	w.last = append(w.last, path)
	if w.ctx.Err() != nil {
		return false
	}
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return w.trouble(path, CodeUnreadable, "cannot be read: "+reason(err))
	case st.IsDir():
		return w.dir(path)
	}
	return w.give(&Unit{Name: path, named: named})
}

// within says whether path is dir or lies below it, by their names.
func within(path, dir string) bool {
	if dir == "." {
		return !filepath.IsAbs(path) && path != ".." && !strings.HasPrefix(path, ".."+string(filepath.Separator))
	}
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// dir walks a directory; false ends the walk.
func (w *walker) dir(path string) bool {
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
		if w.ctx.Err() != nil || !w.entry(filepath.Join(path, e.name), e.kind) {
			return false
		}
	}
	return true
}

// entry walks one name of a directory. Sockets, pipes and devices are passed
// over.
func (w *walker) entry(path string, kind fs.FileMode) bool {
	switch {
	case kind.IsRegular():
		return w.give(&Unit{Name: path})
	case kind.IsDir():
		return w.dir(path)
	case kind&fs.ModeSymlink != 0:
		return w.link(path)
	}
	return true
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
		return true
	}
	real, err := realPath(path)
	if err != nil {
		return w.trouble(path, CodeUnreadable, "cannot be read: "+reason(err))
	}
	for _, root := range w.in.roots {
		if r, err := realPath(root); err == nil && within(real, r) {
			return true
		}
	}
	if !st.IsDir() {
		return w.give(&Unit{Name: path})
	}
	for seen := range w.links {
		if within(real, seen) {
			return true
		}
	}
	w.links[real] = true
	return w.dir(path)
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
	u.in = w.in
	return w.yield(u)
}

func (w *walker) trouble(path, code, sentence string) bool {
	p := &corpora.Problem{Origin: corpora.Origin{File: path, Index: -1}, Code: code, Sentence: sentence}
	return w.give(&Unit{Name: path, broken: p})
}

// reason is the cause in err without the path, which the problem names itself.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Sprint(err)
}
