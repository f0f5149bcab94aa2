package approvals

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Dir is a queue in a directory, which it makes when something is asked.
type Dir string

var _ Queue = Dir("")

// DefaultDir is where hooks and gbt approvals look unless they are told otherwise.
func DefaultDir() (Dir, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("the directory of approvals: %w", err)
	}
	return Dir(filepath.Join(cache, "gbt", "approvals")), nil
}

// record is the text of a file. The file's name says its state, because a rename is
// what makes an answer whole and a yes usable once.
type record struct {
	Format  int             `json:"format"`
	Digest  string          `json:"digest"`
	Door    string          `json:"door"`
	Tool    string          `json:"tool"`
	Args    json.RawMessage `json:"args"`
	Cwd     string          `json:"cwd"`
	Asks    []string        `json:"asks"`
	Says    string          `json:"says,omitempty"`
	Asked   time.Time       `json:"asked"`
	Expires time.Time       `json:"expires"`
}

const recordFormat = 1

// maxFile is what a record may have in bytes: longer ones are nobody's of ours.
const maxFile = maxArgs + 128<<10

var endings = map[State]string{Pending: ".ask", Approved: ".yes", Denied: ".no"}

// Ask implements Queue.
func (d Dir) Ask(r Request, now time.Time) (Entry, error) {
	sum, err := r.digest()
	if err == nil {
		err = r.check()
	}
	if err != nil {
		return Entry{}, err
	}
	id := sum[:idLen]
	for _, s := range []State{Denied, Pending} {
		if e, ok := d.read(id, s, now); ok && e.sum == sum && covers(e.Asks, r.Asks) {
			return e.Entry, nil
		}
	}
	if err := os.MkdirAll(string(d), 0o700); err != nil {
		return Entry{}, err
	}
	if d.prune(now) >= maxPending {
		return Entry{}, ErrFull
	}
	rec := record{recordFormat, sum, r.Door, r.Tool, r.Args, r.Cwd, r.Asks, r.Says, now.UTC(), now.Add(KeepAsked).UTC()}
	if err := d.write(id+endings[Pending], &rec); err != nil {
		return Entry{}, err
	}
	e := rec.entry(id, Pending)
	return e, d.audit("asked", &e, now)
}

// Take implements Queue. The rename is what one process of several succeeds in.
func (d Dir) Take(r Request, now time.Time) (bool, error) {
	sum, err := r.digest()
	if err != nil {
		return false, err
	}
	id := sum[:idLen]
	e, ok := d.read(id, Approved, now)
	if !ok || e.sum != sum || !covers(e.Asks, r.Asks) {
		return false, nil
	}
	used := d.file(fmt.Sprintf("%s.used-%d-%d", id, os.Getpid(), now.UnixNano()))
	switch err := os.Rename(d.file(id+endings[Approved]), used); {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	}
	if err := d.audit("used", &e.Entry, now); err != nil {
		return false, err // a yes that leaves no trace is none
	}
	os.Remove(used) // what stays is no yes, and goes with the next question
	return true, nil
}

// Approve implements Queue.
func (d Dir) Approve(id string, hold time.Duration, now time.Time) (Entry, error) {
	if hold <= 0 || hold > MaxHold {
		return Entry{}, fmt.Errorf("a yes holds for more than nothing and at most %v", MaxHold)
	}
	return d.answer(id, Approved, now.Add(hold), now)
}

// Deny implements Queue.
func (d Dir) Deny(id string, now time.Time) (Entry, error) {
	return d.answer(id, Denied, now.Add(KeepAsked), now)
}

// answer moves a pending request to another state.
func (d Dir) answer(id string, to State, until, now time.Time) (Entry, error) {
	found, err := d.Find(id, now)
	if err != nil {
		return Entry{}, err
	}
	e, ok := d.read(found.ID, found.State, now)
	switch {
	case !ok:
		return Entry{}, ErrUnknown
	case found.State != Pending:
		return Entry{}, fmt.Errorf("%s is %s already", found.ID, found.State)
	}
	rec := e.record
	rec.Expires = until.UTC()
	out := rec.entry(found.ID, to)
	if err := d.audit(string(to), &out, now); err != nil {
		return Entry{}, err
	}
	if err := d.write(found.ID+endings[to], &rec); err != nil {
		return Entry{}, err
	}
	return out, os.Remove(d.file(found.ID + endings[Pending]))
}

// List implements Queue.
func (d Dir) List(now time.Time) ([]Entry, error) {
	files, err := os.ReadDir(string(d))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var out []Entry
	for _, f := range files {
		for s, end := range endings {
			if id, ok := strings.CutSuffix(f.Name(), end); ok {
				if e, ok := d.read(id, s, now); ok {
					out = append(out, e.Entry)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b Entry) int {
		return cmp.Or(a.Asked.Compare(b.Asked), strings.Compare(a.ID, b.ID), strings.Compare(string(a.State), string(b.State)))
	})
	return out, nil
}

// Find implements Queue.
func (d Dir) Find(id string, now time.Time) (Entry, error) {
	all, err := d.List(now)
	if err != nil {
		return Entry{}, err
	}
	var found []Entry
	for _, e := range all {
		if len(id) >= 4 && strings.HasPrefix(e.ID, id) {
			found = append(found, e)
		}
	}
	if i := slices.IndexFunc(found, func(e Entry) bool { return e.State == Pending }); i >= 0 && sameID(found) {
		return found[i], nil
	}
	switch {
	case len(found) == 0:
		return Entry{}, ErrUnknown
	case !sameID(found):
		return Entry{}, fmt.Errorf("%q begins more than one request", id)
	}
	return found[0], nil
}

func sameID(list []Entry) bool {
	return !slices.ContainsFunc(list, func(e Entry) bool { return e.ID != list[0].ID })
}
