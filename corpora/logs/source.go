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
	for _, r := range roots {
		if r != "-" {
			r = filepath.Clean(r)
		}
		in.roots = append(in.roots, r)
	}
	slices.SortFunc(in.roots, comparePaths)
	in.roots = slices.Compact(in.roots)
	return in
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
		w := walker{in: in, ctx: ctx, yield: yield, dirs: map[string]bool{}}
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
	dirs  map[string]bool // real paths of directories walked: stops link loops
	last  []string        // roots walked so far, for overlaps
}

func (w *walker) root(root string) bool {
	if root == "-" {
		return w.give(&Unit{Name: root, named: true})
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

func (w *walker) rootPath(path string, named bool) bool {
	for _, r := range w.last {
		if r == path || r == "." && !filepath.IsAbs(path) && !strings.HasPrefix(path, "..") ||
			strings.HasPrefix(path, strings.TrimSuffix(r, "/")+string(filepath.Separator)) {
			return true
		}
	}
	w.last = append(w.last, path)
	return w.path(path, named)
}

// path walks one file or directory; false ends the walk.
func (w *walker) path(path string, named bool) bool {
	if w.ctx.Err() != nil {
		return false
	}
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return w.trouble(path, CodeUnreadable, "cannot be read: "+reason(err))
	case st.IsDir():
		return w.dir(path)
	case !st.Mode().IsRegular() && !named:
		return true // sockets, pipes and devices inside a directory
	}
	return w.give(&Unit{Name: path, Size: st.Size(), named: named})
}

func (w *walker) dir(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return w.trouble(path, CodeUnreadable, "cannot be read: "+reason(err))
	}
	if w.dirs[real] {
		return true
	}
	w.dirs[real] = true
	names, err := readNames(w.ctx, path)
	if err != nil {
		return w.trouble(path, CodeUnreadable, "the directory cannot be read: "+reason(err))
	}
	if isEventDir(names) {
		return w.give(&Unit{Name: path, dir: true})
	}
	for _, name := range names {
		if !w.path(filepath.Join(path, name), false) {
			return false
		}
	}
	return true
}

// readNames lists a directory sorted, a batch at a time so that a very large
// one can be interrupted.
func readNames(ctx context.Context, path string) ([]string, error) {
	d, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	var names []string
	for ctx.Err() == nil {
		batch, err := d.Readdirnames(4096)
		names = append(names, batch...)
		if err == io.EOF {
			slices.Sort(names)
			return names, nil
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
