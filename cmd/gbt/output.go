package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/urfave/cli/v2"
)

// writeFile replaces a file atomically: readers see the old content or the new
// one, and a failed or interrupted run leaves what was there.
func writeFile(name string, data []byte, perm fs.FileMode) error {
	return writeFiles([]newFile{{name, data, perm}})
}

// newFile is a file to be written.
type newFile struct {
	name string
	data []byte
	perm fs.FileMode
}

// writeFiles writes all the files or none: they take their names once the last
// of them is whole on the disk. Contexts wait beside their place until the policy
// that pins them has its name: a run that is killed in between leaves the old pair
// or the new one.
func writeFiles(files []newFile) error {
	var ready []*atomicFile
	for _, f := range files {
		a, err := createAtomic(f.name)
		if err != nil {
			return cannotWrite(f.name, err)
		}
		defer a.discard()
		if _, err := a.f.Write(f.data); err != nil {
			return cannotWrite(f.name, err)
		}
		if err := a.finish(f.perm); err != nil {
			return cannotWrite(f.name, err)
		}
		ready = append(ready, a)
	}
	slices.SortStableFunc(ready, func(a, b *atomicFile) int { return cmp.Compare(b.waits(), a.waits()) })
	for _, step := range []func(*atomicFile) error{(*atomicFile).rename, (*atomicFile).arrive} {
		for _, a := range ready {
			if err := step(a); err != nil {
				return cannotWrite(a.name, err)
			}
		}
	}
	return nil
}

// cannotWrite says so with the cause, and without the name of a temporary file
// that nobody asked for.
func cannotWrite(name string, err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		err = pe.Err
	case errors.As(err, &le):
		err = le.Err
	}
	return fail(exitInput, "cannot write %s: %v", name, err)
}

// writable says early, before minutes of work, that an output has nowhere to
// go.
func writable(name string) error {
	if name == "" {
		return nil
	}
	st, err := os.Stat(filepath.Dir(name))
	if err == nil && !st.IsDir() {
		err = syscall.ENOTDIR
	}
	if err != nil {
		return cannotWrite(name, err)
	}
	if st, err := os.Stat(name); err == nil && st.IsDir() {
		return cannotWrite(name, syscall.EISDIR)
	}
	return nil
}

// atomicFile is a file that takes its name only when it is whole. A device or
// a pipe cannot be replaced, only written to: then it is that.
type atomicFile struct {
	f      *os.File
	name   string // where a link leads to, if name is one
	device bool
	next   bool // it waits, under the name of nextName
	done   bool
}

func createAtomic(name string) (*atomicFile, error) {
	if st, err := os.Stat(name); err == nil && !st.Mode().IsRegular() && !st.IsDir() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &atomicFile{f: f, name: name, device: true}, nil
	}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".tmp-*")
	if err != nil {
		return nil, err
	}
	return &atomicFile{f: f, name: name}, nil
}

// commit ends writing and gives the file its name.
func (a *atomicFile) commit(perm fs.FileMode) error {
	if err := a.finish(perm); err != nil {
		return err
	}
	return errors.Join(a.rename(), a.arrive())
}

// finish ends writing: what was written is on the disk.
func (a *atomicFile) finish(perm fs.FileMode) error {
	if a.device {
		return a.f.Close()
	}
	return errors.Join(a.f.Chmod(perm), a.f.Sync(), a.f.Close())
}

// waits is 1 for a file that takes its name after all others, and else 0.
func (a *atomicFile) waits() int {
	if !a.device && strings.HasSuffix(a.name, contextsEnd) {
		return 1
	}
	return 0
}

// rename gives the finished file its name, or the one under which it waits.
func (a *atomicFile) rename() error {
	name := a.name
	if a.waits() > 0 {
		name = nextName(name)
	}
	if !a.device {
		if err := os.Rename(a.f.Name(), name); err != nil {
			return err
		}
	}
	a.next = name != a.name
	a.done = !a.next
	return nil
}

// arrive gives a file that waits its name.
func (a *atomicFile) arrive() error {
	if !a.next {
		return nil
	}
	a.done = true // even if it stays where it is: the policy that pins it has its name
	return os.Rename(nextName(a.name), a.name)
}

// discard removes the file unless it has its name.
func (a *atomicFile) discard() {
	switch {
	case a.device:
		a.f.Close() // may be closed already
	case a.next && !a.done:
		_ = os.Remove(nextName(a.name)) // nothing to be done about a file that stays
	case !a.done:
		_ = removeTemp(a.f) // the same
	}
}

func removeTemp(f *os.File) error {
	f.Close() // may be closed already; the file is removed either way
	if err := os.Remove(f.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// printJSON prints one value as indented JSON on standard output.
func printJSON(e *env, v any) error {
	enc := json.NewEncoder(e.stdout)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return stdoutError(enc.Encode(v))
}

// stdoutError is the end of a run whose result did not reach standard output.
func stdoutError(err error) error {
	if err == nil {
		return nil
	}
	return cannotWrite("standard output", err)
}

func jobsFlag() cli.Flag {
	return &cli.IntFlag{
		Name: "jobs", Aliases: []string{"j"}, Usage: "run on `N` workers (default: all processors)",
		Action: func(_ *cli.Context, n int) error {
			if n < 1 {
				return fail(exitUsage, "-j %d: give at least one worker, or leave -j out for all processors", n)
			}
			return nil
		},
	}
}

// jobs is the number of workers that -j asks for.
func jobs(c *cli.Context) int {
	if n := c.Int("jobs"); n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// results is standard output. It keeps the first error: results that did not
// arrive end the program with an error, whichever command wrote them.
type results struct {
	to  io.Writer
	mu  sync.Mutex
	err error
}

func (r *results) Write(b []byte) (int, error) {
	n, err := r.to.Write(b)
	if err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.err = cmp.Or(r.err, err)
	}
	return n, err
}

func (r *results) failed() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}
