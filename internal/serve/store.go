package serve

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/protocol"
	"github.com/gbt-policy/gbt/internal/stores"
)

// dbPrefix and the endings say that a store's name is that of a database.
const dbPrefix = "bbolt:"

var dbEndings = [...]string{".bbolt", ".db"}

// OpenStore opens the store that a name stands for: bbolt:FILE, or a file that
// ends in .bbolt or .db, is one bbolt database; everything else is a folder.
func OpenStore(name string) (protocol.Store, func() error, error) {
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
