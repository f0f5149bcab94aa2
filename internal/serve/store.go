package serve

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/stores"
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
	s, err := stores.OpenDir(name)
	if err != nil {
		return nil, nil, err
	}
	return s, s.Close, nil
}
