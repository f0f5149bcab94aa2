package stores

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"go.etcd.io/bbolt"
	dberrors "go.etcd.io/bbolt/errors"
)

// DB is a store in one bbolt file, locked for one process at a time.
type DB struct{ db *bbolt.DB }

// bucket holds the sessions.
var bucket = []byte("sessions")

// lockWait is how long OpenDB waits for another process to let go of the file.
const lockWait = 2 * time.Second

// batchWait is how long a Put waits for others to share its transaction with: less
// than what syncing takes, so that a single writer hardly notices.
const batchWait = time.Millisecond

// OpenDB opens a database as a store and makes it if it is not there.
func OpenDB(name string) (*DB, error) {
	db, err := bbolt.Open(name, 0o600, &bbolt.Options{Timeout: lockWait})
	if errors.Is(err, dberrors.ErrTimeout) {
		return nil, fmt.Errorf("store %s: another process has it: %w", name, err)
	}
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", name, err)
	}
	db.MaxBatchDelay = batchWait
	err = db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(bucket)
		return err
	})
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("store %s: %w", name, err)
	}
	return &DB{db}, nil
}

// Load implements Store.
func (d *DB) Load(id string) (data []byte, rev string, err error) {
	if err := checkID(id); err != nil {
		return nil, "", err
	}
	err = d.db.View(func(tx *bbolt.Tx) error {
		found := tx.Bucket(bucket).Get([]byte(id))
		if found == nil {
			return ErrNotFound
		}
		data = bytes.Clone(found) // its memory belongs to the transaction
		return nil
	})
	if err != nil {
		return nil, "", err
	}
	return data, revision(data), nil
}

// Save implements Store.
func (d *DB) Save(id string, data []byte, old string) (string, error) {
	if err := checkID(id); err != nil {
		return "", err
	}
	err := d.db.Update(func(tx *bbolt.Tx) error {
		b, now := tx.Bucket(bucket), ""
		if found := b.Get([]byte(id)); found != nil {
			now = revision(found)
		}
		if now != old {
			return ErrChanged
		}
		return b.Put([]byte(id), data)
	})
	if err != nil {
		return "", err
	}
	return revision(data), nil
}

// Get reads a session for one that has the whole database to itself, as a server
// has. The error wraps fs.ErrNotExist where there is none.
func (d *DB) Get(id string) (data []byte, err error) {
	err = d.db.View(func(tx *bbolt.Tx) error {
		found := tx.Bucket(bucket).Get([]byte(id))
		if found == nil {
			return fmt.Errorf("session %.80q: %w", id, fs.ErrNotExist)
		}
		data = bytes.Clone(found)
		return nil
	})
	return data, err
}

// Put writes a session without looking at what was there: the caller keeps two
// writers of one session apart. It is on the disk when Put returns; writers of
// other sessions that come at the same time share the transaction.
func (d *DB) Put(id string, data []byte) error {
	if id == "" {
		return errors.New("a session without an id")
	}
	return d.db.Batch(func(tx *bbolt.Tx) error { return tx.Bucket(bucket).Put([]byte(id), data) })
}

// Delete implements Store.
func (d *DB) Delete(id string) error {
	return d.db.Update(func(tx *bbolt.Tx) error { return tx.Bucket(bucket).Delete([]byte(id)) })
}

// List implements Store. bbolt keeps keys sorted.
func (d *DB) List() (out []string, err error) {
	err = d.db.View(func(tx *bbolt.Tx) error {
		return tx.Bucket(bucket).ForEach(func(k, _ []byte) error {
			out = append(out, string(k))
			return nil
		})
	})
	return out, err
}

// Close implements Store.
func (d *DB) Close() error { return d.db.Close() }
