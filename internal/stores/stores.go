// Package stores keeps sessions between processes: each in one file of a folder (Dir),
// or in a Database with transactions, of which Bolt, one bbolt file, is the one here and
// package sqlite has another. What is written is written whole or not at all, so a
// process killed anywhere leaves what was there before.
//
// All are safe for concurrent use by goroutines, a Database by processes too. Save of a
// Dir compares before it sets: a session that somebody else saved meanwhile is not
// overwritten.
//
// What belongs here: places for bytes under a name, with the version that was
// read, and transactions over them. What never does: what the bytes say (packages
// traverse, tasks and protocol), and when they are saved.
package stores

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
)

// Store keeps the bytes of sessions by id.
type Store interface {
	// Load returns a session's bytes and their revision. The error is
	// ErrNotFound where there is none.
	Load(id string) (data []byte, revision string, err error)
	// Save replaces the bytes of a session that Load returned with a revision;
	// the empty revision is that of a session that is not there yet. It returns
	// the new revision, or ErrChanged if the session is not what it was.
	Save(id string, data []byte, revision string) (string, error)
	// Delete removes a session, if there is one.
	Delete(id string) error
	// List returns the ids, sorted.
	List() ([]string, error)
	Close() error
}

var (
	// ErrNotFound says that there is no session of an id.
	ErrNotFound = errors.New("no such session")
	// ErrChanged says that a session was saved by somebody else meanwhile.
	ErrChanged = errors.New("the session was changed meanwhile")
)

// maxID bounds an id, so that its file's name is one everywhere.
const maxID = 100

// checkID refuses ids that cannot be stored.
func checkID(id string) error {
	if id == "" || len(id) > maxID {
		return fmt.Errorf("session id of %d bytes: give 1 to %d", len(id), maxID)
	}
	return nil
}

// revision names bytes.
func revision(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}
