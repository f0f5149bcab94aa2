package logs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/corpora"
)

// named is what a root led to: a file, a directory, trouble, or some events of
// a conversation.
type named struct {
	path   string // as the user gave it
	real   string // without links; the path made absolute where that fails
	isDir  bool
	alone  bool     // the only root, and no pattern
	events []string // the event files named one by one, of the directory at path
	broken *corpora.Problem
}

// expand gives what the roots lead to, sorted by path, each thing once: what
// lies in a directory among them is met in its walk, by whatever name. Event
// files named one by one are one run, as they are in the walk.
func (in *Input) expand(ctx context.Context) (kept []named, to *reach) {
	var all []named
	for _, root := range in.roots {
		if ctx.Err() != nil {
			break
		}
		all = append(all, in.lead(ctx, root)...)
	}
	slices.SortStableFunc(all, func(a, b named) int { return comparePaths(a.path, b.path) })
	to = &reach{dirs: map[string]bool{}, files: map[string]bool{}}
	to.writes(in.opts.Output)
	for _, n := range all {
		if n.isDir {
			to.dirs[n.real] = true
		}
	}
	seen := map[string]bool{}
	kept = all[:0]
	for _, n := range all {
		if n.real != "" && (seen[n.real] || below(filepath.Dir(n.real), to.dirs) && filepath.Dir(n.real) != n.real) {
			continue
		}
		seen[n.real] = n.real != ""
		kept = append(kept, n)
	}
	kept = gatherEvents(kept)
	for _, n := range kept {
		if n.real != "" && !n.isDir {
			to.files[n.real] = true
		}
	}
	return kept, to
}

// reach is what the roots lead to, by paths without links.
type reach struct {
	dirs, files map[string]bool
	output      string      // the file that the run writes
	written     os.FileInfo // the same, if it is there already
}

// own says whether path is the file that the run writes, or the temporary file
// that it is written to.
func (r *reach) own(path string) (output, temporary bool) {
	if r.written != nil {
		if st, err := os.Stat(path); err == nil && os.SameFile(st, r.written) {
			return true, false
		}
	}
	if !strings.HasPrefix(filepath.Base(path), "."+filepath.Base(r.output)+".tmp-") {
		return false, false
	}
	dir, err := realPath(filepath.Dir(path))
	return false, err == nil && dir == filepath.Dir(r.output)
}

// writes sets the file that the run writes.
func (r *reach) writes(name string) {
	if name == "" {
		return
	}
	if st, err := os.Stat(name); err == nil && st.Mode().IsRegular() {
		r.written = st
	}
	real, err := realPath(name) // the file behind a link is replaced
	if err != nil {
		dir, err := realPath(filepath.Dir(name))
		if err != nil {
			return
		}
		real = filepath.Join(dir, filepath.Base(name))
	}
	r.output = real
}

// has says whether the file or directory at path is there and is read.
func (r *reach) has(path string) bool {
	real, err := realPath(path)
	return err == nil && (r.files[real] || below(real, r.dirs))
}

// meets says whether the log that an episode in the unit was read from is read
// in this run itself. Its path is taken from the working directory, and then
// from the unit's own, where a part of it may be missing at the front because
// the tree was moved or is walked from elsewhere; of a path that had directories
// one of them has to agree.
func (u *Unit) meets(origin string) bool {
	if u.roots == nil || origin == "" || origin == "-" {
		return false
	}
	path := filepath.Clean(filepath.FromSlash(origin))
	if u.roots.has(path) {
		return true
	}
	here, err := realPath(filepath.Dir(u.Name))
	if err != nil {
		return false
	}
	parts := strings.Split(strings.Trim(path, string(filepath.Separator)), string(filepath.Separator))
	for i := range parts {
		agrees := i+1 < len(parts) || len(parts) == 1 || filepath.Base(here) == parts[i-1]
		if agrees && u.roots.has(filepath.Join(append([]string{here}, parts[i:]...)...)) {
			return true
		}
	}
	return false
}

// below says whether path is in set, or a directory above it is.
func below(path string, set map[string]bool) bool {
	for {
		if set[path] {
			return true
		}
		up := filepath.Dir(path)
		if up == path {
			return false
		}
		path = up
	}
}

// lead gives what one root leads to. A name that is there is taken as it is;
// only another is a pattern.
func (in *Input) lead(ctx context.Context, root string) []named {
	switch root {
	case "-":
		return []named{{path: root}}
	case "":
		return []named{{path: "(empty name)", broken: troubleAt("(empty name)", CodeNoMatch, "an empty name leads nowhere")}}
	}
	if _, err := os.Lstat(root); err == nil {
		return []named{lookAt(root, len(in.roots) == 1)}
	}
	matches, err := glob(ctx, root)
	if err != nil || len(matches) == 0 {
		return []named{{path: root, broken: troubleAt(root, CodeNoMatch, "there is no such file or directory, and nothing matches it as a pattern")}}
	}
	var out []named
	for _, m := range matches {
		out = append(out, lookAt(m, false))
	}
	return out
}

func lookAt(path string, alone bool) named {
	st, err := os.Stat(path)
	if err != nil {
		return named{path: path, broken: troubleAt(path, CodeUnreadable, "cannot be read: "+reason(err))}
	}
	real, err := realPath(path)
	if err != nil { // a pipe of the shell has no path
		if real, err = filepath.Abs(path); err != nil {
			real = path
		}
	}
	return named{path: path, real: real, isDir: st.IsDir(), alone: alone}
}

// gatherEvents puts event files of one directory together, where the first of
// them stands. A conversation is not judged by a part of it, so all the events
// of the directory have to be there for the labels to count.
func gatherEvents(all []named) []named {
	at := map[string]int{}
	out := all[:0]
	for _, n := range all {
		base := filepath.Base(n.path)
		if n.isDir || n.broken != nil || !eventFileRE.MatchString(base) {
			out = append(out, n)
			continue
		}
		dir := filepath.Dir(n.path)
		real, err := realPath(dir)
		if err != nil {
			real = dir
		}
		if i, ok := at[real]; ok {
			out[i].events = append(out[i].events, base)
			continue
		}
		at[real] = len(out)
		out = append(out, named{path: dir, real: real, events: []string{base}})
	}
	for _, i := range at {
		slices.Sort(out[i].events)
	}
	return out
}

// glob is filepath.Glob in which a part "**" stands for any number of
// directories, none included, as in a shell with globstar: links to directories
// are not followed.
func glob(ctx context.Context, pattern string) ([]string, error) {
	sep := string(filepath.Separator)
	parts := strings.Split(pattern, sep)
	i := slices.Index(parts, "**")
	if i < 0 {
		return filepath.Glob(pattern)
	}
	bases := []string{"."}
	if i > 0 {
		var err error
		if bases, err = filepath.Glob(cmp.Or(strings.Join(parts[:i], sep), sep)); err != nil {
			return nil, err
		}
	}
	rest := strings.Join(parts[i+1:], sep)
	if rest == "" {
		rest = "*"
	}
	if _, err := filepath.Match(rest, ""); err != nil {
		return nil, fmt.Errorf("%s: %w", pattern, err)
	}
	var out []string
	for _, base := range bases {
		// With the separator a link to a directory is one.
		err := filepath.WalkDir(base+sep, func(path string, d fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return fs.SkipAll
			case err != nil && d != nil && d.IsDir():
				return fs.SkipDir // as filepath.Glob passes over what cannot be read
			case err != nil || !d.IsDir():
				return nil
			}
			matches, err := glob(ctx, filepath.Join(quoteMeta(path), rest))
			out = append(out, matches...)
			return err
		})
		if err != nil && !errors.Is(err, fs.SkipAll) {
			return nil, err
		}
	}
	slices.SortFunc(out, comparePaths)
	return slices.Compact(out), nil
}

// quoteMeta is a path as a pattern that matches only itself.
func quoteMeta(path string) string {
	if filepath.Separator == '\\' { // there is no escape there
		return path
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
