// Package named opens a stores.Database by a name that a person gave.
//
// What belongs here: which kind of database a name stands for, and the folder that
// belongs to it. What never does: the databases themselves (internal/stores and its
// rooms), flags.
package named

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/stores"
	"github.com/gbt-policy/gbt/internal/stores/sqlite"
)

// Kind is a kind of database.
type Kind string

// The kinds; the empty one is none.
const (
	Bolt   Kind = "bbolt"
	SQLite Kind = "sqlite"
)

var endings = map[Kind][]string{Bolt: {".bbolt", ".db"}, SQLite: {".sqlite", ".sqlite3"}}

// magic begins every SQLite file.
const magic = "SQLite format 3\x00"

// Of says which kind of database a name stands for, and in which file: KIND:FILE, or
// what the file begins with where it is there, or its ending. A folder, and a name of
// another ending, is none.
func Of(name string) (Kind, string) {
	for _, k := range []Kind{Bolt, SQLite} {
		if file, ok := strings.CutPrefix(name, string(k)+":"); ok {
			return k, file
		}
	}
	if st, err := os.Stat(name); err == nil && st.IsDir() {
		return "", name
	}
	for _, k := range []Kind{Bolt, SQLite} {
		if slices.Contains(endings[k], filepath.Ext(name)) {
			if begins(name, magic) {
				return SQLite, name
			}
			return k, name
		}
	}
	return "", name
}

func begins(name, with string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(with))
	_, err = io.ReadFull(f, head)
	return err == nil && bytes.Equal(head, []byte(with))
}

// ErrKind says that a name stands for no kind of database.
var ErrKind = errors.New("neither bbolt:FILE, sqlite:FILE nor a file that ends in .db, .bbolt, .sqlite or .sqlite3")

// Open opens the database of a name, and makes it and its folder if it is not there.
func Open(name string) (stores.Database, error) {
	kind, file := Of(name)
	if kind == "" || file == "" {
		return nil, fmt.Errorf("store %q: %w", name, ErrKind)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if kind == SQLite {
		return sqlite.Open(file)
	}
	return stores.OpenBolt(file)
}

// Exists says whether the database of a name is there already.
func Exists(name string) bool {
	_, file := Of(name)
	_, err := os.Stat(file)
	return err == nil
}

// Default is the database of the user: sessions.db in gbt's folder of the state
// directory (XDG Base Directory Specification).
func Default() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "gbt", "sessions.db"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("no place for sessions: %w; name one with --store FILE", err)
	}
	return filepath.Join(home, ".local", "state", "gbt", "sessions.db"), nil
}
