// Package sqlite is a stores.Database in one SQLite file, for those who want to read
// receipts with other programs, or write from several processes at one time: the
// write-ahead log lets readers go on beside a writer.
//
// It is modernc.org/sqlite, SQLite itself translated to Go: releases are built
// without cgo. It stands alone in this package because of its size.
//
// A DB is safe for concurrent use, also by several processes.
//
// What belongs here: tables, transactions and settings of SQLite. What never does:
// what the values say (internal/tasks).
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/gbt-policy/gbt/internal/stores"
)

// DB is a database. Writers share one connection: SQLite has one writer at a time.
type DB struct {
	name        string
	read, write *sql.DB
}

// settings of every connection: wait for other processes, be on the disk when a
// commit returns (FULL), and overwrite what is deleted with zeros.
const settings = "_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=secure_delete(1)"

// Open opens a database and makes it, for its owner alone, if it is not there.
func Open(name string) (*DB, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600) // its mode is that of the log beside it
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	f.Close()
	full, err := filepath.Abs(name)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	at := (&url.URL{Scheme: "file", Path: filepath.ToSlash(full), RawQuery: settings}).String()
	d := &DB{name: name}
	if d.write, err = sql.Open("sqlite", at+"&_txlock=immediate"); err == nil {
		d.write.SetMaxOpenConns(1)
		d.read, err = sql.Open("sqlite", at+"&_pragma=query_only(1)")
	}
	if err == nil {
		err = d.tables()
	}
	if err != nil {
		d.Close()
		return nil, d.failed(err)
	}
	return d, nil
}

func (d *DB) tables() error {
	for _, t := range stores.Tables() {
		_, err := d.write.Exec(`CREATE TABLE IF NOT EXISTS "` + string(t) + `" (key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID`)
		if err != nil {
			return err
		}
	}
	return nil
}

// Path implements stores.Database.
func (d *DB) Path() string { return d.name }

// failed says what went wrong in the words of package stores.
func (d *DB) failed(err error) error {
	var e *driver.Error
	if errors.As(err, &e) {
		switch e.Code() & 0xff { // extended codes have the plain one below
		case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
			err = fmt.Errorf("%w: %w", stores.ErrBusy, err)
		case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB:
			err = fmt.Errorf("%w: %w", stores.ErrDamaged, err)
		}
	}
	return fmt.Errorf("store %s: %w", d.name, err)
}

// errDo marks the error of a transaction's function, which is handed out as it is.
type errDo struct{ error }

func (d *DB) within(on *sql.DB, do func(stores.Tx) error) error {
	err := func() error {
		x, err := on.BeginTx(context.Background(), nil)
		if err != nil {
			return err
		}
		defer x.Rollback() // does nothing after a commit
		if err := do(tx{x}); err != nil {
			return errDo{err}
		}
		return x.Commit()
	}()
	var own errDo
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own):
		var e *driver.Error
		if !errors.As(own.error, &e) {
			return own.error
		}
		return d.failed(own.error)
	}
	return d.failed(err)
}

// View implements stores.Database.
func (d *DB) View(do func(stores.Tx) error) error { return d.within(d.read, do) }

// Update implements stores.Database.
func (d *DB) Update(do func(stores.Tx) error) error { return d.within(d.write, do) }

// Close implements stores.Database.
func (d *DB) Close() error {
	var errs []error
	for _, x := range []*sql.DB{d.read, d.write} {
		if x != nil {
			errs = append(errs, x.Close())
		}
	}
	return errors.Join(errs...)
}

type tx struct{ *sql.Tx }

func (t tx) Get(table stores.Table, key string) (value []byte, err error) {
	err = t.QueryRow(`SELECT value FROM "`+string(table)+`" WHERE key = ?`, key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return value, err
}

// Put writes what is JSON as text, so that SQLite's own functions read it.
func (t tx) Put(table stores.Table, key string, value []byte) error {
	v := any(string(value))
	if table == stores.Sessions {
		v = append([]byte{}, value...) // never NULL
	}
	_, err := t.Exec(`INSERT INTO "`+string(table)+`" (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, v)
	return err
}

func (t tx) Delete(table stores.Table, key string) error {
	_, err := t.Exec(`DELETE FROM "`+string(table)+`" WHERE key = ?`, key)
	return err
}

func (t tx) Scan(table stores.Table, prefix string, visit func(key string, value []byte) error) error {
	query, args := `SELECT key, value FROM "`+string(table)+`" WHERE key >= ?`, []any{prefix}
	if end := after(prefix); end != "" {
		query, args = query+` AND key < ?`, append(args, end)
	}
	rows, err := t.Query(query+` ORDER BY key`, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var key string
		var value []byte
		if err := rows.Scan(&key, &value); err != nil {
			return err
		}
		if err := visit(key, value); err != nil {
			return err
		}
	}
	return rows.Err()
}

// after is the first key behind all those with a prefix, or empty for none.
func after(prefix string) string {
	b := []byte(prefix)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] < 0x7f { // keys are ASCII
			b[i]++
			return string(b[:i+1])
		}
	}
	return ""
}
