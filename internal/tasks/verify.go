package tasks

import (
	"fmt"
	"strings"

	"github.com/gbt-policy/gbt/internal/receipts"
	"github.com/gbt-policy/gbt/internal/stores"
)

// Receipts goes through the receipts of a task, and checks their chain on the way.
func (b *Book) Receipts(id string, visit func(*receipts.Receipt) error) error {
	return b.db.View(func(tx stores.Tx) error {
		t, err := b.load(tx, id)
		if err != nil {
			return err
		}
		_, err = b.chain(tx, t, visit)
		return err
	})
}

// chain walks the chain of a task to its end.
func (b *Book) chain(tx stores.Tx, t *Task, visit func(*receipts.Receipt) error) (*receipts.Chain, error) {
	c := &receipts.Chain{Session: t.ID}
	err := tx.Scan(stores.Receipts, t.ID+"/", func(key string, data []byte) error {
		if want := part(t.ID, c.Head().Count+1); key != want {
			return fmt.Errorf("receipt %d is missing", c.Head().Count+1)
		}
		r, err := c.Add(data)
		if err != nil {
			return err
		}
		return visit(r)
	})
	if err == nil {
		err = c.End(t.Head)
	}
	if err != nil {
		return c, fmt.Errorf("session %s: %w", t.ID, err)
	}
	return c, nil
}

// Report is what Verify found of a task.
type Report struct {
	ID    string
	Head  receipts.Head
	State State
	Err   error // why it is not what was written; nil where it is
}

// Verify checks every task: that nothing of it was changed, that its chain of receipts
// is whole and ends where it should, that what it needs to go on can be read, and that
// no task is missing. A database that was put back whole to an older copy looks right:
// compare the heads with those exported before.
func (b *Book) Verify() (out []Report, err error) {
	err = b.db.View(func(tx stores.Tx) error {
		var ids []string
		if err := tx.Scan(stores.Tasks, "", func(id string, _ []byte) error {
			ids = append(ids, id)
			return nil
		}); err != nil {
			return err
		}
		for _, id := range ids {
			out = append(out, b.verify(tx, id))
		}
		n, err := b.census(tx)
		if err != nil {
			return err
		}
		if n != int64(len(ids)) {
			return fmt.Errorf("%d sessions were made and not pruned, %d are there: %w", n, len(ids), ErrTampered)
		}
		return b.strays(tx)
	})
	return out, err
}

func (b *Book) verify(tx stores.Tx, id string) Report {
	t, err := b.load(tx, id)
	if err != nil {
		return Report{ID: id, Err: err}
	}
	r := Report{ID: id, Head: t.Head, State: t.State}
	c, err := b.chain(tx, t, func(*receipts.Receipt) error { return nil })
	if err == nil {
		_, err = b.data(tx, t)
	}
	if err == nil && c.Open() != len(t.Pending) {
		err = fmt.Errorf("session %s: %d calls have no outcome, %d should: %w", id, c.Open(), len(t.Pending), ErrTampered)
	}
	r.Err = err
	return r
}

// strays finds receipts that belong to no task.
func (b *Book) strays(tx stores.Tx) error {
	last := ""
	return tx.Scan(stores.Receipts, "", func(key string, _ []byte) error {
		id, _, _ := strings.Cut(key, "/")
		if id == last {
			return nil
		}
		last = id
		there, err := tx.Get(stores.Tasks, id)
		if err == nil && there == nil {
			err = fmt.Errorf("receipts of session %.40q, which is missing: %w", id, ErrTampered)
		}
		return err
	})
}
