package workspace

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// keptEntry is an entry on the disk.
type keptEntry struct {
	Mode fs.FileMode `json:"mode"`
	Size int64       `json:"size,omitempty"`
	Time time.Time   `json:"time"`
	Link string      `json:"link,omitempty"`
	Blob string      `json:"blob,omitempty"`
}

// keptMark is a snapshot as it is written: what differs from the one before it, so
// that a call on a large workspace costs what it changed.
type keptMark struct {
	Before string               `json:"before,omitempty"`
	Put    map[string]keptEntry `json:"put,omitempty"`
	Gone   []string             `json:"gone,omitempty"`
}

// Keep writes the present state to the disk and returns its name, by which Reopen finds
// it in another process. Where nothing changed it is the name it had. It needs
// Options.Kept.
func (w *Workspace) Keep() (mark string, err error) {
	if w.opts.Kept == "" || w.now == nil {
		return "", errors.New("this workspace is not kept")
	}
	m := keptMark{Before: w.mark, Put: map[string]keptEntry{}}
	for rel, e := range w.now {
		own := strings.HasPrefix(rel, "meta") // the sandbox writes there for every command
		if old, ok := w.kept[rel]; !ok || !old.same(&e) || !own && !e.mode.IsDir() && !old.time.Equal(e.time) {
			m.Put[rel] = keptEntry{e.mode, e.size, e.time, e.link, e.blob}
		}
	}
	m.Gone = w.kept.those(func(rel string, _ *entry) bool {
		_, ok := w.now[rel]
		return !ok
	})
	if w.mark != "" && len(m.Put)+len(m.Gone) == 0 {
		return w.mark, nil
	}
	mark = rand.Text()
	data, err := json.Marshal(&m)
	if err == nil {
		err = w.writeMark(mark, data)
	}
	if err != nil {
		return "", fmt.Errorf("workspace: %w", err)
	}
	w.kept, w.mark = w.now, mark
	return mark, nil
}

// writeMark writes a snapshot under a name that nothing has yet.
func (w *Workspace) writeMark(mark string, data []byte) error {
	if err := os.MkdirAll(filepath.Join(w.dir, "marks"), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(w.markFile(mark), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

func (w *Workspace) markFile(mark string) string {
	return filepath.Join(w.dir, "marks", filepath.Base(mark)+".json")
}

// Reopen makes the workspace what it was when Keep returned a name, whatever a call
// that nobody saw the end of did to it. It waits for one that is still at work, for no longer
// than a command may take.
func (w *Workspace) Reopen(mark string) error {
	want, err := w.readMark(mark)
	if err == nil && w.box.lock != "" {
		err = alone(w.box.lock, w.box.timeout)
	}
	if err != nil {
		return fmt.Errorf("workspace: %w", err)
	}
	now, err := w.store.scan(w.box.base, nil)
	if err == nil {
		now, err = w.store.restore(w.box.base, now, want)
	}
	if err != nil {
		return fmt.Errorf("workspace: %w", err)
	}
	w.now, w.kept, w.mark, w.marks = now, now, mark, nil
	return nil
}

// maxMarks bounds how many snapshots stand on each other.
const maxMarks = 1 << 16

// chain are the snapshots that a mark stands on, the newest first.
func (w *Workspace) chain(mark string) ([]namedMark, error) {
	var chain []namedMark
	for at := mark; at != ""; {
		data, err := os.ReadFile(w.markFile(at))
		if err != nil {
			return nil, err
		}
		m := namedMark{name: at}
		if err := json.Unmarshal(data, &m.keptMark); err != nil {
			return nil, fmt.Errorf("snapshot %s: %w", at, err)
		}
		if chain = append(chain, m); len(chain) > maxMarks {
			return nil, fmt.Errorf("snapshot %s stands on more than %d others", mark, maxMarks)
		}
		if err := m.local(); err != nil {
			return nil, fmt.Errorf("snapshot %s: %w", at, err)
		}
		at = m.Before
	}
	if len(chain) == 0 {
		return nil, errors.New("no snapshot is named")
	}
	return chain, nil
}

type namedMark struct {
	name string
	keptMark
}

// local refuses names that lead out of the workspace or of the store.
func (m *keptMark) local() error {
	for rel, e := range m.Put {
		if !filepath.IsLocal(rel) || filepath.Base(e.Blob) != e.Blob && e.Blob != "" {
			return errors.New("a name leads out of it")
		}
	}
	return nil
}

func (w *Workspace) readMark(mark string) (manifest, error) {
	chain, err := w.chain(mark)
	if err != nil {
		return nil, err
	}
	out := manifest{}
	for i := len(chain) - 1; i >= 0; i-- {
		for rel, e := range chain[i].Put {
			out[rel] = entry{mode: e.Mode, size: e.Size, time: e.Time, link: e.Link, blob: e.Blob}
		}
		for _, rel := range chain[i].Gone {
			delete(out, rel)
		}
	}
	return out, nil
}
