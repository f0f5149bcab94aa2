package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/replay"
)

// Options say what the workspace holds and how commands run.
type Options struct {
	// Snapshot returns the directory whose copy is the workspace before an
	// episode's first call; nil or an empty name for an empty one.
	Snapshot func(ep *corpora.Episode) (dir string, err error)
	// Mount is where the workspace appears to commands and in paths of file
	// tools; empty for /workspace.
	Mount string
	// ReadOnly are further directories of the host that commands may read,
	// toolchains for example.
	ReadOnly []string
	Bwrap    string        // the sandbox program; empty for bwrap
	Timeout  time.Duration // of one command; 0 for a minute
	Output   int           // bytes kept of a command's output; 0 for 1 MiB
	Dir      string        // where copies are kept; empty for a temporary directory
	// Kept is the directory of a workspace that outlives this process (Keep, Reopen); it
	// and what is in it stay when the workspace is closed.
	Kept string
}

// Workspace is an environment. It is also a replay.Observer.
type Workspace struct {
	opts  Options
	dir   string
	box   sandbox
	store store
	now   manifest
	marks []manifest
	kept  manifest // as Keep wrote it last
	mark  string   // its name
}

// New prepares a workspace. It fails with ErrNoSandbox where commands cannot be
// confined.
func New(ctx context.Context, opts Options) (*Workspace, error) {
	if opts.Mount == "" {
		opts.Mount = "/workspace"
	}
	if opts.Mount = path.Clean(opts.Mount); !path.IsAbs(opts.Mount) || reserved(opts.Mount) {
		return nil, fmt.Errorf("the workspace cannot be mounted at %s", opts.Mount)
	}
	dir, err := opts.place()
	if err != nil {
		return nil, err
	}
	w := &Workspace{opts: opts, dir: dir, store: store{filepath.Join(dir, "store")}}
	w.box = sandbox{bwrap: opts.Bwrap, base: filepath.Join(dir, "base"), lock: filepath.Join(dir, "lock"), mount: opts.Mount, extra: opts.ReadOnly, timeout: opts.Timeout, limit: opts.Output}
	if w.box.bwrap == "" {
		w.box.bwrap = "bwrap"
	}
	if w.box.timeout == 0 {
		w.box.timeout = time.Minute
	}
	if w.box.limit == 0 {
		w.box.limit = 1 << 20
	}
	if opts.Kept != "" { // what is there stays until Reset or Reopen
		err = w.folders()
	} else {
		err = w.empty()
	}
	if err == nil {
		err = w.box.probe(ctx)
	}
	if err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// place is the directory of the copies.
func (o *Options) place() (string, error) {
	if o.Kept == "" {
		return os.MkdirTemp(o.Dir, "gbt-workspace-")
	}
	return o.Kept, os.MkdirAll(o.Kept, 0o700)
}

// reserved says whether the sandbox itself lives in the directory.
func reserved(dir string) bool {
	for _, taken := range []string{"/", "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/proc", "/dev", "/tmp", "/run", homeDir} {
		if dir == taken {
			return true
		}
	}
	return false
}

// empty lays out the trees that commands see, without anything in them.
func (w *Workspace) empty() error {
	if err := removeAll(w.box.base); err != nil {
		return err
	}
	return w.folders()
}

func (w *Workspace) folders() error {
	for _, d := range []string{w.store.dir, filepath.Join(w.box.base, "work"), filepath.Join(w.box.base, "home"), filepath.Join(w.box.base, "tmp"), filepath.Join(w.box.base, "meta")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	return nil
}

// removeAll removes a tree whose directories may be closed to writing.
func removeAll(dir string) error {
	filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			os.Chmod(name, 0o700) // RemoveAll reports what stays closed
		}
		return nil
	})
	return os.RemoveAll(dir)
}

// Reset makes a fresh copy of the episode's snapshot.
func (w *Workspace) Reset(_ context.Context, ep *corpora.Episode) error {
	w.marks = nil
	if err := w.empty(); err != nil {
		return err
	}
	if w.opts.Snapshot != nil {
		from, err := w.opts.Snapshot(ep)
		if err != nil {
			return err
		}
		if from != "" {
			if err := w.fill(from); err != nil {
				return fmt.Errorf("copy the snapshot: %w", err)
			}
		}
	}
	var err error
	w.now, err = w.store.scan(w.box.base, nil)
	return err
}

// fill copies a directory into the workspace.
func (w *Workspace) fill(from string) error {
	m, err := w.store.scan(from, nil)
	if err != nil {
		return err
	}
	_, err = w.store.restore(filepath.Join(w.box.base, "work"), nil, m)
	return err
}

// Execute runs one call of a shell or file tool.
func (w *Workspace) Execute(ctx context.Context, c replay.Call) (replay.Result, error) {
	if w.now == nil {
		return replay.Result{}, errors.New("no episode: call Reset first")
	}
	var res replay.Result
	var err error
	class := call.Classify(c.Tool)
	switch {
	case class.Family == call.FamilyShell:
		res, err = w.shell(ctx, c)
	case class.Family == call.FamilyFile:
		res = w.file(c)
	case class.Family == call.FamilyAgent: // thinking, finishing: nothing happens
		res = replay.Result{Own: true}
	default:
		err = fmt.Errorf("a workspace runs shell and file tools, not %s", c.Tool)
	}
	if err != nil {
		return res, err
	}
	before := w.now
	if w.now, err = w.store.scan(w.box.base, before); err != nil {
		return res, err
	}
	res.Deltas = append(res.Deltas, w.store.deltas(before, w.now, w.outside)...)
	res.Cwd = w.cwd()
	return res, nil
}

func (w *Workspace) shell(ctx context.Context, c replay.Call) (replay.Result, error) {
	command, ok := call.CommandOf(c.Tool, []byte(c.Args))
	if !ok {
		return replay.Result{Error: "no command line in the arguments", Own: true}, nil
	}
	out, code, timedOut, err := w.box.run(ctx, command)
	res := replay.Result{Text: out, ExitCode: code, HasExit: true}
	if timedOut {
		res.Error = fmt.Sprintf("killed after %v", w.box.timeout)
	}
	res.Deltas = []corpora.Delta{{Kind: corpora.DeltaSpawn, Observed: true}}
	return res, err
}

// Examine runs a command line that judges the run: in the workspace as it is, but in a
// shell of its own, at its root, without variables that earlier commands left and with
// an empty home. What a run does to its shell and its home directory reaches no
// completion check.
func (w *Workspace) Examine(ctx context.Context, command string) (replay.Result, error) {
	if w.now == nil {
		return replay.Result{}, errors.New("no episode: call Reset first")
	}
	aside := filepath.Join(w.dir, "aside")
	defer removeAll(aside)
	for _, d := range []string{"home", "meta"} {
		if err := os.MkdirAll(filepath.Join(aside, d), 0o755); err != nil {
			return replay.Result{}, err
		}
	}
	box := w.box
	box.aside = aside
	out, code, timedOut, err := box.run(ctx, command)
	res := replay.Result{Text: out, ExitCode: code, HasExit: true}
	if timedOut {
		res.Error = fmt.Sprintf("killed after %v", box.timeout)
	}
	if err != nil {
		return res, err
	}
	before := w.now
	if w.now, err = w.store.scan(w.box.base, before); err != nil {
		return res, err
	}
	res.Deltas = w.store.deltas(before, w.now, w.outside)
	return res, nil
}

// Digests are the SHA-256 of what the files below the workspace's root hold, by their
// paths from there. A link has the digest of where it leads.
func (w *Workspace) Digests() map[string]string {
	out := map[string]string{}
	for rel, e := range w.now {
		tree, rest, _ := strings.Cut(filepath.ToSlash(rel), "/")
		switch {
		case tree != "work" || rest == "":
		case e.link != "":
			sum := sha256.Sum256([]byte("link\x00" + e.link))
			out[rest] = hex.EncodeToString(sum[:])
		case e.mode.IsRegular():
			out[rest] = e.blob
		}
	}
	return out
}

// outside is the path of a file as commands see it, empty for the sandbox's own.
func (w *Workspace) outside(rel string) string {
	tree, rest, _ := strings.Cut(filepath.ToSlash(rel), "/")
	switch tree {
	case "work":
		return path.Join(w.opts.Mount, rest)
	case "home":
		return path.Join(homeDir, rest)
	case "tmp":
		return path.Join("/tmp", rest)
	}
	return ""
}

func (w *Workspace) cwd() string {
	data, err := os.ReadFile(filepath.Join(w.box.base, "meta", "cwd"))
	if err != nil {
		return w.opts.Mount
	}
	return strings.TrimSuffix(string(data), "\n")
}

// State is where the next call runs, with the symbolic links that are there.
func (w *Workspace) State() gates.State {
	st := gates.State{Cwd: w.cwd(), Home: homeDir, Roots: []string{w.opts.Mount}, UID: 1000, GID: 1000}
	for _, rel := range w.now.those(func(_ string, e *entry) bool { return e.link != "" }) {
		e := w.now[rel]
		from := w.outside(rel)
		if from == "" {
			continue
		}
		to := e.link
		if !path.IsAbs(to) {
			to = path.Join(path.Dir(from), to)
		}
		st.Links = append(st.Links, gates.Link{From: from, To: to})
	}
	return st
}

// Checkpoint keeps the present state.
func (w *Workspace) Checkpoint(context.Context) (replay.Mark, error) {
	if w.now == nil {
		return "", errors.New("no episode: call Reset first")
	}
	w.marks = append(w.marks, w.now)
	return replay.Mark(strconv.Itoa(len(w.marks) - 1)), nil
}

// Restore returns to a kept state.
func (w *Workspace) Restore(_ context.Context, m replay.Mark) error {
	n, err := strconv.Atoi(string(m))
	if err != nil || n < 0 || n >= len(w.marks) {
		return fmt.Errorf("unknown mark %q", m)
	}
	w.now, err = w.store.restore(w.box.base, w.now, w.marks[n])
	return err
}

// Close removes all copies, unless they are to be kept.
func (w *Workspace) Close() error {
	if w.opts.Kept != "" {
		return nil
	}
	return removeAll(w.dir)
}
