package undo

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// DirFor is where the journal of a workspace lies below a directory for all of them.
func DirFor(base, root string) string {
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(base, hex.EncodeToString(sum[:16]))
}

// DefaultBase is the user's directory for all journals: that of caches, since what it
// holds may be lost without harm to anything but undoing.
func DefaultBase() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("undo: no directory for journals: %w", err)
	}
	return filepath.Join(cache, "gbt", "undo"), nil
}

// Find returns the workspace with a journal that dir lies in.
func Find(base, dir string) (root string, ok bool) {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(filepath.Join(DirFor(base, d), "workspace")); err == nil {
			return d, true
		}
		if d == filepath.Dir(d) {
			return "", false
		}
	}
}

// Forget removes a journal and the contents it kept. Only a directory that is one is
// removed.
func Forget(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "workspace")); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("undo: %s is not a journal", dir)
	} else if err != nil {
		return fmt.Errorf("undo: %w", err)
	}
	return os.RemoveAll(dir)
}
