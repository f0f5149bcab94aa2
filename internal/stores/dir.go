package stores

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Dir is a store of one file for each session, replaced atomically: written
// beside it, synced, renamed over it. A folder has one Dir at a time, in one
// process; on Unix a lock sees to that.
type Dir struct {
	name   string
	mu     sync.Mutex
	unlock func() error
}

// OpenDir opens a folder as a store and makes it, for its owner alone, if it is
// not there. It refuses one that somebody has, in this process or in another: both
// would find the revision that they know, and both would save.
func OpenDir(name string) (*Dir, error) {
	if err := os.MkdirAll(name, 0o700); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	unlock, err := lock(filepath.Join(name, ".lock"))
	if err != nil {
		return nil, fmt.Errorf("store: %s: another server or handle has it: %w", name, err)
	}
	return &Dir{name: name, unlock: unlock}, nil
}

const suffix = ".session"

// path is a session's file. Ids may hold anything, so the name is their hex.
func (d *Dir) path(id string) string {
	return filepath.Join(d.name, hex.EncodeToString([]byte(id))+suffix)
}

// Load implements Store.
func (d *Dir) Load(id string) ([]byte, string, error) {
	if err := checkID(id); err != nil {
		return nil, "", err
	}
	data, err := os.ReadFile(d.path(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", ErrNotFound
	}
	if err != nil {
		return nil, "", fmt.Errorf("store: %w", err)
	}
	return data, revision(data), nil
}

// Save implements Store.
func (d *Dir) Save(id string, data []byte, old string) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, now, err := d.Load(id)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return "", err
	}
	if now != old {
		return "", ErrChanged
	}
	if err := replace(d.path(id), data); err != nil {
		return "", fmt.Errorf("store: %w", err)
	}
	return revision(data), nil
}

// Get reads a session for one that has the whole folder to itself, as a server
// has. The error wraps fs.ErrNotExist where there is none.
func (d *Dir) Get(id string) ([]byte, error) { return os.ReadFile(d.path(id)) }

// Put writes a session without looking at what was there: the caller keeps two
// writers of one session apart.
func (d *Dir) Put(id string, data []byte) error {
	if err := checkID(id); err != nil {
		return err
	}
	return replace(d.path(id), data)
}

// replace writes a file whole or not at all, and survives a power failure.
func replace(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".saving-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once it is renamed
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return err
	}
	return syncDir(filepath.Dir(name))
}

// syncDir makes a rename durable. Systems that cannot sync a folder say so.
func syncDir(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}

// Delete implements Store.
func (d *Dir) Delete(id string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := os.Remove(d.path(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// List implements Store.
func (d *Dir) List() ([]string, error) {
	entries, err := os.ReadDir(d.name)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	var out []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), suffix); ok {
			if id, err := hex.DecodeString(name); err == nil {
				out = append(out, string(id))
			}
		}
	}
	slices.Sort(out)
	return out, nil
}

// Close lets another have the folder. A Dir that is closed is not used again.
func (d *Dir) Close() error {
	if err := d.unlock(); err != nil && !errors.Is(err, fs.ErrClosed) {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}
