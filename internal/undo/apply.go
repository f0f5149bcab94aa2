package undo

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func dirOf(path string) string {
	if d := filepath.Dir(path); d != path {
		return d
	}
	return ""
}

// Report is what an undo did.
type Report struct {
	ID      string // the undo's own step, which can be undone
	Done    []string
	Left    []Left
	Outside []string
}

// Apply takes back what a plan says, as far as allow lets it: it is asked about every
// name with what would stand there, and an error leaves the name alone. What was done
// is a step of its own. An error says that the undo could not be tried.
func (j *Journal) Apply(p *Plan, allow func(c Change) error) (*Report, error) {
	r := &Report{Outside: p.Outside, Left: slices.Clone(p.Left)}
	steps := make([]string, len(p.Steps))
	for i := range p.Steps {
		steps[i] = p.Steps[i].ID
	}
	s := Step{ID: newID(), Time: j.opts.Now().UnixNano(), Undo: true, What: "undo of " + strings.Join(steps, ", ")}
	if err := j.chain.add(&frame{Time: s.Time, Open: &s}); err != nil {
		return nil, fmt.Errorf("undo: %w", err)
	}
	r.ID = s.ID
	w := writer{j: j, report: r, roots: map[string]*os.Root{}, failed: map[string]bool{}}
	defer w.close()
	before := p.now
	w.do(p.allowed(r, allow))
	j.repo.giveBack()
	return r, j.finish(&s, r, p, steps, before)
}

func (p *Plan) allowed(r *Report, allow func(c Change) error) []Change {
	var out []Change
	for _, c := range p.Changes {
		if err := allow(c); err != nil {
			r.Left = append(r.Left, Left{c.Path, err.Error(), true})
			continue
		}
		out = append(out, c)
	}
	return out
}

// finish looks at what the undo did, and believes only that.
func (j *Journal) finish(s *Step, r *Report, p *Plan, steps []string, before manifest) error {
	j.repo.read()
	l := j.looking(before)
	now, err := l.scan(append([]string{j.opts.Root}, j.repo.outside()...)...)
	if err != nil {
		return fmt.Errorf("undo: %w", err)
	}
	left := map[string]bool{}
	for _, x := range r.Left {
		left[x.Path] = true
	}
	for _, c := range p.Changes {
		switch {
		case left[c.Path]:
		case now[c.Path].same(c.After):
			r.Done = append(r.Done, c.Path)
		default:
			r.Left = append(r.Left, Left{c.Path, "is not what it was: " + now[c.Path].Kind.String(), true})
		}
	}
	slices.SortFunc(r.Left, func(a, b Left) int { return strings.Compare(a.Path, b.Path) })
	j.state.set(now)
	n := &note{Step: s.ID, Done: true, Tier: j.tierOf(l), Changes: changes(before, now), Lost: l.lost}
	if len(r.Done) > 0 || len(p.Changes) == 0 {
		n.Reversed = steps
	}
	if err := j.chain.add(&frame{Time: j.opts.Now().UnixNano(), Note: n}); err != nil {
		return fmt.Errorf("undo: %w", err)
	}
	return j.save()
}

// writer changes files. It goes through os.Root, so that no link in the workspace leads
// it out.
type writer struct {
	j      *Journal
	report *Report
	roots  map[string]*os.Root
	failed map[string]bool
}

func (w *writer) close() {
	for _, r := range w.roots {
		r.Close()
	}
}

// at is the root that a path lies below, and its name there.
func (w *writer) at(path string) (*os.Root, string, error) {
	for _, dir := range append([]string{w.j.opts.Root}, w.j.repo.outside()...) {
		if !below(path, dir) {
			continue
		}
		if w.roots[dir] == nil {
			r, err := os.OpenRoot(dir)
			if err != nil {
				return nil, "", err
			}
			w.roots[dir] = r
		}
		if path == dir {
			return w.roots[dir], ".", nil
		}
		return w.roots[dir], path[len(dir)+1:], nil
	}
	return nil, "", errors.New("is not below the workspace")
}

// do first takes away what would be in the way, children before their directories, then
// puts back, directories before their children, and then the modes of directories.
func (w *writer) do(changes []Change) {
	for _, c := range slices.Backward(changes) {
		if c.Before.Kind != Absent && c.Before.Kind != c.After.Kind {
			w.each(c, w.remove)
		}
	}
	for _, first := range []bool{true, false} { // names of one file need the first of them
		for _, c := range changes {
			if c.After.Kind != Absent && (c.After.Twin == "") == first {
				w.each(c, w.put)
			}
		}
	}
	for _, c := range slices.Backward(changes) {
		if c.After.Kind == Dir {
			w.each(c, func(r *os.Root, name string, c Change) error { return r.Chmod(name, fs.FileMode(c.After.Mode)) })
		}
	}
}

func (w *writer) each(c Change, do func(r *os.Root, name string, c Change) error) {
	if w.failed[c.Path] {
		return
	}
	r, name, err := w.at(c.Path)
	if err == nil {
		err = do(r, name, c)
	}
	if err != nil {
		w.failed[c.Path] = true
		w.report.Left = append(w.report.Left, Left{c.Path, err.Error(), true})
	}
}

func (w *writer) remove(r *os.Root, name string, _ Change) error {
	err := r.Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (w *writer) put(r *os.Root, name string, c Change) error {
	e := &c.After
	switch e.Kind {
	case Dir:
		if c.Before.Kind == Dir {
			return nil // only its mode, which comes last
		}
		return r.Mkdir(name, 0o700)
	case Link:
		return replace(r, name, func(new string) error { return r.Symlink(e.To, new) })
	}
	if e.Twin != "" {
		first, other, err := w.at(e.Twin)
		if err != nil || first != r {
			return errors.New("the other name of the file lies elsewhere")
		}
		return replace(r, name, func(new string) error { return r.Link(other, new) })
	}
	if c.Before.Kind == File && c.Before.Ref == e.Ref && e.Ref != "" && c.Before.Twin == "" {
		return r.Chmod(name, fs.FileMode(e.Mode))
	}
	return replace(r, name, func(new string) error { return w.write(r, new, e) })
}

// replace makes a file beside the old one and puts it in its place at once. A link to a
// file that the name is already is made by taking the name away first: rename(2) does
// nothing there.
func replace(r *os.Root, name string, make func(new string) error) error {
	new := name + ".gbt-undo-" + newID()
	if err := make(new); err != nil {
		r.Remove(new)
		return err
	}
	if a, err := r.Lstat(name); err == nil {
		if b, err := r.Lstat(new); err == nil && os.SameFile(a, b) {
			return r.Remove(new)
		}
	}
	if err := r.Rename(new, name); err != nil {
		r.Remove(new)
		return err
	}
	return nil
}

func (w *writer) write(r *os.Root, name string, e *Entry) error {
	in, err := w.content(e.Ref)
	if err != nil {
		return fmt.Errorf("its content is lost: %w", err)
	}
	defer in.Close()
	out, err := r.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	n, err := copyInto(out, in)
	if err == nil && n != e.Size {
		err = fmt.Errorf("its content is %d bytes, not %d", n, e.Size)
	}
	if err := errors.Join(err, out.Chmod(fs.FileMode(e.Mode)), out.Close()); err != nil {
		return err
	}
	return r.Chtimes(name, time.Time{}, time.Unix(0, e.Time))
}

func copyInto(out *os.File, in io.Reader) (int64, error) {
	if f, ok := in.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Size() > 0 && reflink(out, f) {
			return info.Size(), nil
		}
	}
	return io.Copy(out, in)
}

func (w *writer) content(ref string) (io.ReadCloser, error) {
	if ref == "" {
		return nil, errors.New("it was not kept")
	}
	if ref[0] == 'g' {
		return w.j.repo.object(ref[1:])
	}
	return w.j.blobs.open(ref[1:])
}
