package undo

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/vmihailenco/msgpack/v5"
)

// Options says where a journal lies and what it is about. Zero values are the
// defaults.
type Options struct {
	Dir  string // the journal's own directory, outside the workspace
	Root string // the workspace: an absolute path without links
	// MaxFile is the largest file whose content is kept, in bytes (64 MiB). MaxBytes
	// is how much one look takes in (1 GiB), and MaxNames how many names the workspace may
	// have (1,048,576).
	MaxFile, MaxBytes int64
	MaxNames          int
	// Limit ends the keeping of contents within one look; what was not kept by then is
	// looked at the next time, and can't be given back if it changes before. 0: no limit.
	Limit time.Duration
	Now   func() time.Time // time.Now
}

func (o *Options) defaults() {
	if o.MaxFile <= 0 {
		o.MaxFile = 64 << 20
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = 1 << 30
	}
	if o.MaxNames <= 0 {
		o.MaxNames = 1 << 20
	}
	if o.Now == nil {
		o.Now = time.Now
	}
}

// Tier is how the contents of a step were kept (requirement Z2). The zero value
// is the one that promises nothing.
type Tier uint8

// The snapshot tiers.
const (
	AuditOnly Tier = iota
	CopyFS
	COW
)

// String returns the tier's name as requirement Z2 has it.
func (t Tier) String() string {
	switch t {
	case COW:
		return "cow"
	case CopyFS:
		return "copyfs"
	}
	return "audit_only"
}

// Call is a call of an agent that is about to run.
type Call struct {
	Session string
	Agent   string // the host, for people
	What    string // what it does, for people; it must hold no secret
	// Outside says what of it leaves the machine or can't be undone, for people.
	Outside []string
	// Paths are the only names that it changes, where that is known; else everything
	// is looked at.
	Paths []string
	// Silent says that nobody will tell when it has ended.
	Silent bool
}

// Journal is what a workspace held before the calls of agents.
type Journal struct {
	opts  Options
	chain chain
	lock  func() error
	blobs blobs
	repo  repo
	state *state
	tier  Tier // of the last look before a call
}

// Tier is how the last step that was opened can be given back, as far as it is known before
// its call runs.
func (j *Journal) Tier() Tier { return j.tier }

// Open opens the journal of a workspace, and makes one if there is none. It waits for
// another process that holds it, for as long as Options.Limit, or a second.
func Open(o Options) (*Journal, error) {
	o.defaults()
	if !filepath.IsAbs(o.Root) || !filepath.IsAbs(o.Dir) || below(o.Dir, o.Root) || below(o.Root, o.Dir) {
		return nil, fmt.Errorf("undo: the journal %s and the workspace %s must be two directories, by absolute paths", o.Dir, o.Root)
	}
	if err := os.MkdirAll(filepath.Join(o.Dir, "open"), 0o700); err != nil {
		return nil, fmt.Errorf("undo: %w", err)
	}
	j := &Journal{opts: o, blobs: blobs{dir: filepath.Join(o.Dir, "contents")}}
	var err error
	if j.lock, err = lockWait(filepath.Join(o.Dir, "lock"), max(o.Limit, time.Second)); err != nil {
		return nil, fmt.Errorf("undo: the journal is in use: %w", err)
	}
	if err := j.open(); err != nil {
		j.Close()
		return nil, fmt.Errorf("undo: %w", err)
	}
	return j, nil
}

func (j *Journal) open() error {
	if err := j.mine(); err != nil {
		return err
	}
	var err error
	if j.chain.file, err = os.OpenFile(filepath.Join(j.opts.Dir, "journal"), os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return err
	}
	if j.chain.head, err = os.OpenFile(filepath.Join(j.opts.Dir, "head"), os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return err
	}
	if err := j.chain.resume(); err != nil {
		return err
	}
	return j.chain.read(func(*frame) {}) // what was written after the head was
}

// mine makes sure that a directory is the journal of one workspace only.
func (j *Journal) mine() error {
	name := filepath.Join(j.opts.Dir, "workspace")
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return replaceFile(name, []byte(j.opts.Root))
	}
	if err == nil && string(data) != j.opts.Root {
		err = fmt.Errorf("%s is the journal of %s and not of %s", j.opts.Dir, data, j.opts.Root)
	}
	return err
}

// Close gives the journal back.
func (j *Journal) Close() error {
	var errs []error
	for _, f := range []*os.File{j.chain.file, j.chain.head} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	if j.lock != nil {
		errs = append(errs, j.lock())
	}
	return errors.Join(errs...)
}

// Torn says that the end of the journal was cut off by a crash.
func (j *Journal) Torn() bool { return j.chain.torn }

// Before looks at the workspace and opens a step. The call may run once it has
// returned; an error says that it could not be undone.
func (j *Journal) Before(c Call) (id string, err error) {
	s := Step{ID: newID(), Time: j.opts.Now().UnixNano(), Session: c.Session, Agent: c.Agent, What: c.What, Outside: c.Outside, Silent: c.Silent}
	open := openStep{Step: s}
	if len(c.Paths) > 0 {
		open.Paths, open.Held, s.Tier, err = j.hold(c.Paths)
	}
	if err == nil && open.Paths == nil {
		s.Tier, err = j.settle(j.latest(c.Silent))
	}
	if err != nil {
		return "", fmt.Errorf("undo: %w", err)
	}
	j.tier = s.Tier
	if err := j.chain.add(&frame{Time: s.Time, Open: &s}); err != nil {
		return "", fmt.Errorf("undo: %w", err)
	}
	data, err := msgpack.Marshal(&open)
	if err == nil {
		err = replaceFile(j.openFile(s.ID), data)
	}
	if err != nil {
		return "", fmt.Errorf("undo: %w", err)
	}
	return s.ID, nil
}

// After looks at the workspace again and writes down what the step changed.
func (j *Journal) After(id string) error {
	s, err := j.opened(id)
	if err != nil {
		return fmt.Errorf("undo: %w", err)
	}
	if s.Paths == nil {
		_, err = j.settle(s.Step.ID)
	} else {
		err = j.settleHeld(s)
	}
	if err != nil {
		return fmt.Errorf("undo: %w", err)
	}
	return j.done(id)
}

// End ends the steps of a session that nobody ended.
func (j *Journal) End(session string) error {
	items, err := os.ReadDir(filepath.Join(j.opts.Dir, "open"))
	if err != nil {
		return fmt.Errorf("undo: %w", err)
	}
	for _, d := range items {
		s, err := j.opened(d.Name())
		if err != nil || s.Step.Session != session {
			continue
		}
		if err := j.After(s.Step.ID); err != nil {
			return err
		}
	}
	return nil
}

// openStep is what is known of a step until it is done.
type openStep struct {
	Step  Step
	Paths []string
	Held  []Change // what stood at the paths, as Before
}

func (j *Journal) openFile(id string) string { return filepath.Join(j.opts.Dir, "open", id) }

func (j *Journal) opened(id string) (*openStep, error) {
	if len(id) != 2*idSize {
		return nil, fmt.Errorf("%.40q is no step", id)
	}
	data, err := os.ReadFile(j.openFile(id))
	if err != nil {
		return nil, err
	}
	var s openStep
	if err := msgpack.Unmarshal(data, &s); err != nil || s.Step.ID != id {
		return nil, fmt.Errorf("the open step %s can't be read", id)
	}
	return &s, nil
}

func (j *Journal) done(id string) error {
	if err := os.Remove(j.openFile(id)); err != nil {
		return fmt.Errorf("undo: %w", err)
	}
	return nil
}

// latest is the step to which changes are put down that are found before another
// begins: the one that began last, of those that have not ended. Silent ones end here.
func (j *Journal) latest(silent bool) string {
	items, _ := os.ReadDir(filepath.Join(j.opts.Dir, "open"))
	var last *openStep
	for _, d := range items {
		s, err := j.opened(d.Name())
		if err != nil || s.Paths != nil {
			continue
		}
		if last == nil || s.Step.Time > last.Step.Time {
			last = s
		}
		if s.Step.Silent && silent {
			os.Remove(j.openFile(s.Step.ID))
		}
	}
	if last == nil || j.opts.Now().Sub(time.Unix(0, last.Step.Time)) > openFor {
		return ""
	}
	return last.Step.ID
}

// openFor is how long changes are put down to a step of which nobody said that it has
// ended: what changes later is more likely a person's.
const openFor = time.Hour

const idSize = 6

func newID() string {
	var b [idSize]byte
	rand.Read(b[:]) // never fails (crypto/rand)
	return hex.EncodeToString(b[:])
}
