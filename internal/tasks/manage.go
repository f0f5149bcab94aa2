package tasks

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gbt-policy/gbt/internal/receipts"
	"github.com/gbt-policy/gbt/internal/stores"
)

// owner is what a process says of itself.
type owner struct {
	Beat int64 `json:"beat"` // when it said last that it lives
}

func (b *Book) beat(tx stores.Tx, name string) error {
	data, err := json.Marshal(owner{b.now()})
	if err != nil {
		return err
	}
	return tx.Put(stores.Owners, name, data)
}

// lives says whether the owner of a running task spoke lately. One who was never
// heard of does not.
func (b *Book) lives(tx stores.Tx, t *Task) (bool, error) {
	data, err := tx.Get(stores.Owners, t.Owner)
	if err != nil || data == nil {
		return false, err
	}
	var o owner
	if err := json.Unmarshal(data, &o); err != nil {
		return false, fmt.Errorf("owner of %s: %w", t.ID, ErrTampered)
	}
	return b.now()-o.Beat <= t.Stale, nil
}

// Reap makes zombies of running tasks whose process said nothing for too long, and
// returns their ids. What is damaged is left to Verify.
func (b *Book) Reap() (out []string, err error) {
	var stale []string
	err = b.db.View(func(tx stores.Tx) error {
		return tx.Scan(stores.Tasks, "", func(id string, data []byte) error {
			t, err := decodeTask(data)
			if err != nil || t.State != Running {
				return nil
			}
			lives, err := b.lives(tx, t)
			if err == nil && !lives {
				stale = append(stale, id)
			}
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	for _, id := range stale {
		switch _, err := b.change(id, b.bury); {
		case err == nil:
			out = append(out, id)
		case errors.Is(err, ErrOwned), errors.Is(err, ErrTransition), errors.Is(err, ErrTampered), errors.Is(err, ErrNotFound):
		default:
			return out, err
		}
	}
	return out, nil
}

// bury makes a zombie, unless its owner spoke meanwhile.
func (b *Book) bury(tx stores.Tx, t *Task) ([]receipts.Receipt, error) {
	lives, err := b.lives(tx, t)
	if err != nil {
		return nil, err
	}
	if lives {
		return nil, ErrOwned
	}
	gone := t.Owner
	d, err := turn(t, Zombie, fmt.Sprintf("no heartbeat for %d s", t.Stale/1000))
	if err != nil {
		return nil, err
	}
	return []receipts.Receipt{d}, tx.Delete(stores.Owners, gone)
}

// Get returns a task.
func (b *Book) Get(id string) (t *Task, err error) {
	err = b.db.View(func(tx stores.Tx) (err error) {
		t, err = b.load(tx, id)
		return err
	})
	return t, err
}

// List returns all tasks by their ids. A damaged one does not hide the others: bad
// has the errors.
func (b *Book) List() (out []*Task, bad []error, err error) {
	err = b.db.View(func(tx stores.Tx) error {
		return tx.Scan(stores.Tasks, "", func(id string, data []byte) error {
			t, err := decodeTask(data)
			if err == nil {
				err = b.key.check(t)
			}
			if err != nil {
				bad = append(bad, fmt.Errorf("session %s: %w", id, err))
				return nil
			}
			out = append(out, t)
			return nil
		})
	})
	return out, bad, err
}

// data is what a task needs to go on.
func (b *Book) data(tx stores.Tx, t *Task) ([]byte, error) {
	data, err := tx.Get(stores.Sessions, t.ID)
	if err != nil {
		return nil, err
	}
	if data == nil && t.Sum == sumOf(nil) {
		return nil, nil // it was taken away
	}
	if sumOf(data) != t.Sum {
		return nil, fmt.Errorf("session %s: what it needs to go on: %w", t.ID, ErrTampered)
	}
	if data, err = b.key.open(t.ID, data); err != nil {
		return nil, fmt.Errorf("session %s: what it needs to go on: %w", t.ID, err)
	}
	return data, nil
}

// Data returns what a task needs to go on.
func (b *Book) Data(id string) (out []byte, err error) {
	err = b.db.View(func(tx stores.Tx) error {
		t, err := b.load(tx, id)
		if err == nil {
			out, err = b.data(tx, t)
		}
		return err
	})
	return out, err
}

// Parts returns what was added to a task piece by piece.
func (b *Book) Parts(id string) (out [][]byte, err error) {
	err = b.db.View(func(tx stores.Tx) error {
		t, err := b.load(tx, id)
		if err != nil {
			return err
		}
		for n := int64(1); n <= t.Parts; n++ {
			data, err := tx.Get(stores.Sessions, part(id, n))
			if err == nil {
				data, err = b.key.open(part(id, n), data)
			}
			if err != nil {
				return fmt.Errorf("session %s: part %d: %w", id, n, err)
			}
			out = append(out, data)
		}
		return nil
	})
	return out, err
}

// changeIdle changes a task that no live process runs.
func (b *Book) changeIdle(id string, do func(*Task) ([]receipts.Receipt, error)) (*Task, error) {
	return b.change(id, func(tx stores.Tx, t *Task) ([]receipts.Receipt, error) {
		if t.State == Running {
			if lives, err := b.lives(tx, t); err != nil || lives {
				return nil, errors.Join(err, fmt.Errorf("session %s: %w", id, ErrOwned))
			}
		}
		return do(t)
	})
}

// Cancel ends a task. The process that runs it is told by its next commit, before
// it can dispatch anything more.
func (b *Book) Cancel(id, by string) (*Task, error) {
	return b.change(id, func(_ stores.Tx, t *Task) ([]receipts.Receipt, error) {
		d, err := turn(t, Cancelled, "cancelled by "+by)
		return []receipts.Receipt{d}, err
	})
}

// Add puts receipts of something that was done about a task later, as undoing a call,
// at the end of its chain.
func (b *Book) Add(id string, drafts []receipts.Receipt) (*Task, error) {
	return b.changeIdle(id, func(t *Task) ([]receipts.Receipt, error) { return drafts, later(id, drafts) })
}

// later says whether receipts are of kinds that are added later.
func later(id string, drafts []receipts.Receipt) error {
	for i := range drafts {
		if k := drafts[i].Kind; k != receipts.Undo && k != receipts.Consent {
			return fmt.Errorf("session %s: a receipt of kind %q is not added later", id, k)
		}
	}
	return nil
}

// Amend is Add for a task that can be resumed and needs something else to go on then,
// because what it did was undone. It is refused with ErrChanged where the task is not the
// one of a revision any more.
func (b *Book) Amend(id string, rev int64, data []byte, drafts []receipts.Receipt) (*Task, error) {
	return b.change(id, func(tx stores.Tx, t *Task) ([]receipts.Receipt, error) {
		if t.Rev != rev || !t.State.Resumable() {
			return nil, fmt.Errorf("session %s is %s: %w", id, t.State, ErrChanged)
		}
		if err := later(id, drafts); err != nil {
			return nil, err
		}
		return drafts, b.putData(tx, t, data)
	})
}

// Remove takes a task that is over away, with its receipts. What else belongs to it
// is the caller's.
func (b *Book) Remove(id string) error {
	return b.db.Update(func(tx stores.Tx) error {
		t, err := b.load(tx, id)
		if err != nil {
			return err
		}
		if !t.State.Ended() {
			return fmt.Errorf("session %s is %s: cancel it first", id, t.State)
		}
		for n := int64(1); n <= t.Head.Count; n++ {
			if err := tx.Delete(stores.Receipts, part(id, n)); err != nil {
				return err
			}
		}
		for n := int64(1); n <= t.Parts; n++ {
			if err := tx.Delete(stores.Sessions, part(id, n)); err != nil {
				return err
			}
		}
		if err := errors.Join(tx.Delete(stores.Sessions, id), tx.Delete(stores.Tasks, id)); err != nil {
			return err
		}
		return b.count(tx, -1)
	})
}
