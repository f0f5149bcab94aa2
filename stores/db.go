package stores

import (
	"bytes"
	"fmt"
	"time"

	"go.etcd.io/bbolt"
)

// DB is a store in one bbolt file, locked for one process at a time.
type DB struct{ db *bbolt.DB }

// bucket holds the sessions.
var bucket = []byte("sessions")

// lockWait is how long OpenDB waits for another process to let go of the file.
const lockWait = 2 * time.Second

// OpenDB opens a database as a store and makes it if it is not there.
func OpenDB(name string) (*DB, error) {
	db, err := bbolt.Open(name, 0o600, &bbolt.Options{Timeout: lockWait})
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", name, err)
	}
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
