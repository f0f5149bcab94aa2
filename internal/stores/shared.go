package stores

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	dberrors "go.etcd.io/bbolt/errors"
)

// Bolt is a Database in one bbolt file. bbolt locks its file for as long as it is
// open, so it is open for the length of a transaction only: other processes, as
// `gbt sessions` beside `gbt run`, get their turn in between.
type Bolt struct {
	name string
	wait time.Duration

	mu    sync.Mutex
	db    *bbolt.DB
	users int
}

// boltWait is how long a transaction waits for another process.
const boltWait = 10 * time.Second

// OpenBolt makes the database if it is not there.
func OpenBolt(name string) (*Bolt, error) {
	b := &Bolt{name: name, wait: boltWait}
	err := b.Update(func(Tx) error { return nil })
	if err != nil {
		return nil, err
	}
	return b, nil
}

// Path implements Database.
func (b *Bolt) Path() string { return b.name }

// take opens the file, or joins those who have it open.
func (b *Bolt) take() (*bbolt.DB, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.db == nil {
		db, err := bbolt.Open(b.name, 0o600, &bbolt.Options{Timeout: b.wait, FreelistType: bbolt.FreelistMapType})
		if err != nil {
			return nil, b.failed(err)
		}
		if err := tables(db); err != nil {
			db.Close()
			return nil, b.failed(err)
		}
		b.db = db
	}
	b.users++
	return b.db, nil
}

// tables makes those that are missing. Looking is cheaper than writing.
func tables(db *bbolt.DB) error {
	missing := false
	err := db.View(func(tx *bbolt.Tx) error {
		for _, t := range Tables() {
			missing = missing || tx.Bucket([]byte(t)) == nil
		}
		return nil
	})
	if err != nil || !missing {
		return err
	}
	return db.Update(func(tx *bbolt.Tx) error {
		for _, t := range Tables() {
			if _, err := tx.CreateBucketIfNotExists([]byte(t)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (b *Bolt) give() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.users--; b.users > 0 {
		return nil
	}
	db := b.db
	b.db = nil
	return db.Close()
}

func (b *Bolt) failed(err error) error {
	switch {
	case errors.Is(err, dberrors.ErrTimeout):
		err = ErrBusy
	case errors.Is(err, dberrors.ErrInvalid), errors.Is(err, dberrors.ErrChecksum), errors.Is(err, dberrors.ErrVersionMismatch):
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return fmt.Errorf("store %s: %w", b.name, err)
}

// View implements Database.
func (b *Bolt) View(do func(Tx) error) error { return b.within(do, false) }

// Update implements Database. Updates that come at the same time each have a
// transaction of their own: a batch would run one that failed a second time.
func (b *Bolt) Update(do func(Tx) error) error { return b.within(do, true) }

func (b *Bolt) within(do func(Tx) error, write bool) (err error) {
	return guarded(b.name, func() error {
		db, err := b.take()
		if err != nil {
			return err
		}
		defer func() {
			if e := b.give(); err == nil && e != nil {
				err = b.failed(e)
			}
		}()
		if !write {
			return db.View(func(tx *bbolt.Tx) error { return do(boltTx{tx}) })
		}
		return db.Update(func(tx *bbolt.Tx) error { return do(boltTx{tx}) })
	})
}

// Close implements Database. A transaction under way closes the file itself.
func (b *Bolt) Close() error { return nil }

type boltTx struct{ tx *bbolt.Tx }

func (t boltTx) bucket(name Table) (*bbolt.Bucket, error) {
	if b := t.tx.Bucket([]byte(name)); b != nil {
		return b, nil
	}
	return nil, fmt.Errorf("store: no table %s", name)
}

func (t boltTx) Get(table Table, key string) ([]byte, error) {
	b, err := t.bucket(table)
	if err != nil {
		return nil, err
	}
	return bytes.Clone(b.Get([]byte(key))), nil // its memory belongs to the transaction
}

func (t boltTx) Put(table Table, key string, value []byte) error {
	b, err := t.bucket(table)
	if err != nil {
		return err
	}
	if table == Receipts {
		b.FillPercent = 0.9 // chains grow at their end
	}
	return b.Put([]byte(key), value)
}

func (t boltTx) Delete(table Table, key string) error {
	b, err := t.bucket(table)
	if err != nil {
		return err
	}
	return b.Delete([]byte(key))
}

func (t boltTx) Scan(table Table, prefix string, visit func(key string, value []byte) error) error {
	b, err := t.bucket(table)
	if err != nil {
		return err
	}
	c := b.Cursor()
	for k, v := c.Seek([]byte(prefix)); k != nil && bytes.HasPrefix(k, []byte(prefix)); k, v = c.Next() {
		if err := visit(string(k), bytes.Clone(v)); err != nil {
			return err
		}
	}
	return nil
}

// Lock keeps other processes from opening a name as its only user until it is
// given back or the process ends.
func Lock(name string) (unlock func() error, err error) {
	unlock, err = lock(name)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, ErrBusy)
	}
	return unlock, nil
}
