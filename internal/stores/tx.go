package stores

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// Table names one of the lists of a Database.
type Table string

// The tables. Numbers and names of tables that are gone are not used again.
const (
	Sessions Table = "sessions" // bytes of sessions, by id
	Tasks    Table = "tasks"    // where each task stands, by id
	Receipts Table = "receipts" // chains of receipts, by id and number
	Owners   Table = "owners"   // processes that run tasks
	Meta     Table = "meta"     // what is said of the database itself
)

// Tables are all of them.
func Tables() []Table { return []Table{Sessions, Tasks, Receipts, Owners, Meta} }

// Tx is one transaction. Keys of a table are sorted by their bytes. What Get and
// Scan hand out belongs to the caller.
type Tx interface {
	// Get returns nil where there is nothing.
	Get(t Table, key string) ([]byte, error)
	Put(t Table, key string, value []byte) error
	Delete(t Table, key string) error
	// Scan goes through the keys with a prefix, in order, until visit fails.
	Scan(t Table, prefix string, visit func(key string, value []byte) error) error
}

// Database is what durable tasks are kept in: all that happens in one Update is on
// the disk when it returns, or nothing of it ever is. It is safe for concurrent use,
// also by several processes, where ErrBusy is what came of waiting too long.
type Database interface {
	View(func(Tx) error) error
	Update(func(Tx) error) error
	// Path is the file's name.
	Path() string
	Close() error
}

// ErrBusy says that another process had the file for longer than one waits.
var ErrBusy = errors.New("another process has it")

// ErrDamaged says that a file holds no database, or a damaged one.
var ErrDamaged = errors.New("it is damaged or no database of this kind")

// guarded turns a panic about damaged pages into an error. A file that is shorter
// than it says is mapped into memory all the same, and reading it faults.
func guarded(name string, do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("store %s: %w: %v", name, ErrDamaged, p)
		}
	}()
	return do()
}
