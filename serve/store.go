package serve

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/stores"
)

// Store keeps sessions by their ids, which are names of files that any file
// system takes. Put replaces atomically: after a kill Get finds the old bytes or
// the new ones. Get of what is not there is an error that wraps fs.ErrNotExist;
// Delete of it is none. A Store is used from many goroutines, never from two for
// the same id.
type Store interface {
	Get(id string) ([]byte, error)
	Put(id string, data []byte) error
	Delete(id string) error
}

// dbPrefix and the endings say that a store's name is that of a database.
const dbPrefix = "bbolt:"

var dbEndings = [...]string{".bbolt", ".db"}

// OpenStore opens the store that a name stands for: bbolt:FILE, or a file that
// ends in .bbolt or .db, is one bbolt database; everything else is a folder.
func OpenStore(name string) (Store, func() error, error) {
	file, db := strings.CutPrefix(name, dbPrefix)
	if st, err := os.Stat(file); !db && (err != nil || !st.IsDir()) {
		db = slices.Contains(dbEndings[:], filepath.Ext(file))
	}
	if db {
		s, err := stores.OpenDB(file)
		if err != nil {
			return nil, nil, err
		}
		return s, s.Close, nil
	}
	s, err := OpenDir(name)
	if err != nil {
		return nil, nil, err
	}
	return s, s.Close, nil
}

// Dir is a Store of one file for each session in a folder. One process has it at
// a time.
type Dir struct {
	dir    string
	unlock func()
}

// suffix ends the names of sessions in a Dir, so that nothing else in the folder
// is taken for one.
const suffix = ".session"

// OpenDir makes the folder if it is not there, for its owner alone.
func OpenDir(name string) (*Dir, error) {
	if err := os.MkdirAll(name, 0o700); err != nil {
		return nil, err
	}
	unlock, err := lock(filepath.Join(name, ".lock"))
	if err != nil {
		return nil, fmt.Errorf("%s: another server has it: %w", name, err)
	}
	return &Dir{name, unlock}, nil
}

// Close lets another process have the folder.
func (d *Dir) Close() error {
	d.unlock()
	return nil
}

func (d *Dir) name(id string) string { return filepath.Join(d.dir, id+suffix) }

// Get reads a session.
func (d *Dir) Get(id string) ([]byte, error) { return os.ReadFile(d.name(id)) }

// Put writes a session. The bytes are on the disk before they get the name.
func (d *Dir) Put(id string, data []byte) error {
	f, err := os.CreateTemp(d.dir, ".session-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), d.name(id))
	}
	if err != nil {
		os.Remove(f.Name()) // nothing to be done about a file that stays
	}
	return err
}

// Delete removes a session.
func (d *Dir) Delete(id string) error {
	err := os.Remove(d.name(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
