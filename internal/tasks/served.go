package tasks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"

	"github.com/gbt-policy/gbt/internal/receipts"
	"github.com/gbt-policy/gbt/internal/stores"
)

// Served are the tasks of a server: hosts run them through it, each in its own
// process, and the server keeps where they stand. A book has one server at a time,
// which its caller sees to (stores.Lock): it takes over what an earlier one left.
type Served struct {
	b     *Book
	owner string
}

// Serve returns the tasks of a server.
func (b *Book) Serve(owner string) *Served { return &Served{b, owner} }

// Beat tells that the server lives.
func (s *Served) Beat() error {
	return s.b.db.Update(func(tx stores.Tx) error { return s.b.beat(tx, s.owner) })
}

// Event is one thing that happened to a served task.
type Event struct {
	Draft receipts.Receipt
	// Args are the arguments of a call, as they are: its outcome is found by them.
	Args []byte
	// To is the state that the task is in then; empty to stay.
	To State
}

// Get returns what a task needs to go on. The error wraps fs.ErrNotExist where there
// is none, or none any more.
func (s *Served) Get(id string) (out []byte, err error) {
	err = s.b.db.View(func(tx stores.Tx) error {
		there, err := tx.Get(stores.Tasks, id)
		if err != nil {
			return err
		}
		if there == nil {
			if out, err = tx.Get(stores.Sessions, id); out == nil && err == nil {
				err = fs.ErrNotExist
			}
			return err // a session from before there were tasks is as it is
		}
		t, err := s.b.load(tx, id)
		if err == nil {
			out, err = s.b.data(tx, t)
		}
		if err == nil && out == nil {
			err = fs.ErrNotExist
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("session %.80q: %w", id, err)
	}
	return out, nil
}

// Put writes what a task needs to go on, with the receipts of what happened. A task
// that is not there is made.
func (s *Served) Put(n New, steps int64, events []Event) error {
	return s.b.db.Update(func(tx stores.Tx) error {
		there, err := tx.Get(stores.Tasks, n.ID)
		if err != nil {
			return err
		}
		var t *Task
		if there == nil {
			t, err = s.make(tx, &n)
		} else {
			t, err = s.b.load(tx, n.ID)
		}
		if err != nil {
			return err
		}
		drafts, err := s.apply(t, &n, events)
		if err != nil {
			return err
		}
		if steps > 0 {
			t.Steps = steps
		}
		if err := s.b.putData(tx, t, n.Data); err != nil {
			return err
		}
		if err := s.b.beat(tx, s.owner); err != nil {
			return err
		}
		return s.b.store(tx, t, drafts)
	})
}

func (s *Served) make(tx stores.Tx, n *New) (*Task, error) {
	if err := CheckID(n.ID); err != nil {
		return nil, err
	}
	t := &Task{Version: version, ID: n.ID, Kind: n.Kind, State: Queued, Policy: n.Policy, Created: s.b.now(),
		Title: cut(s.b.clean.text("", n.Title), maxTitle), Stale: s.b.opt.Stale.Milliseconds(), Beat: s.b.opt.Beat.Milliseconds()}
	return t, s.b.create(tx, t, n)
}

// apply makes the receipts of events, and of taking the task over where an earlier
// server had it.
func (s *Served) apply(t *Task, n *New, events []Event) (drafts []receipts.Receipt, err error) {
	add := func(d receipts.Receipt) error {
		d.Tool = s.b.clean.text("", d.Tool)
		drafts = append(drafts, d)
		return note(t, &d, t.Head.Count+int64(len(drafts)))
	}
	change := func(to State, why string) error {
		d, err := turn(t, to, why)
		if err == nil {
			err = add(d)
		}
		return err
	}
	if t.State == Running && t.Owner != s.owner {
		err = change(Zombie, "its server is gone")
	}
	if err == nil && t.State.Resumable() {
		err = change(Running, "")
		t.Owner = s.owner
	}
	if err == nil && n.Policy != "" && t.Policy != n.Policy {
		err = add(receipts.Receipt{Kind: receipts.Policy, From: t.Policy, To: n.Policy})
		t.Policy = n.Policy
	}
	for i := range events {
		if err == nil {
			err = s.event(t, &events[i], add, change)
		}
	}
	return drafts, err
}

// event makes the receipt of one event.
func (s *Served) event(t *Task, e *Event, add func(receipts.Receipt) error, change func(State, string) error) error {
	d := e.Draft
	if e.To != "" {
		if !May(t.State, e.To) {
			return nil // it is over already; what is said of it later changes nothing
		}
		return change(e.To, s.b.clean.text("", d.Reason))
	}
	if d.Kind != receipts.Call && d.Kind != receipts.Outcome {
		return add(d)
	}
	mark := s.mark(d.Tool, e.Args)
	i := slices.IndexFunc(t.Pending, func(p Pending) bool { return p.Call == mark })
	switch {
	case d.Kind == receipts.Outcome && i >= 0:
		d.Of = t.Pending[i].Receipt
		return add(d)
	case d.Kind == receipts.Outcome && d.Fate == receipts.NotRun:
		return nil // it was stopped, and has its receipt
	case d.Kind == receipts.Outcome: // nobody let it pass, and it ran
		c := Call{Tool: d.Tool, Args: e.Args}
		call := c.Draft()
		call.Reason = "it ran without an approval"
		if err := add(call); err != nil {
			return err
		}
		d.Of = t.Pending[len(t.Pending)-1].Receipt
		return add(d)
	case i >= 0:
		return nil // the same call, asked about again before it ran
	}
	if err := add(d); err != nil {
		return err
	}
	t.Pending[len(t.Pending)-1].Call = mark
	return nil
}

// mark names a call without telling anything of it.
func (s *Served) mark(tool string, args []byte) string {
	h := hmac.New(sha256.New, s.b.key.mac)
	fmt.Fprintf(h, "call\x00%s\x00%s", tool, args)
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// Delete ends a task and takes away what it needs to go on. Its receipts stay until it
// is pruned.
func (s *Served) Delete(id string) error {
	return s.b.db.Update(func(tx stores.Tx) error {
		there, err := tx.Get(stores.Tasks, id)
		if err != nil || there == nil {
			if err == nil {
				err = tx.Delete(stores.Sessions, id)
			}
			return err
		}
		t, err := s.b.load(tx, id)
		if err != nil {
			return err
		}
		var drafts []receipts.Receipt
		if t.State == Queued || t.State.Resumable() || t.State == Running {
			d, err := turn(t, Cancelled, "deleted by its host")
			if err != nil {
				return err
			}
			drafts = append(drafts, d)
		}
		t.Sum = sumOf(nil)
		if err := tx.Delete(stores.Sessions, id); err != nil {
			return err
		}
		return s.b.store(tx, t, drafts)
	})
}
