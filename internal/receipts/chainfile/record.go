package chainfile

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// This file is about chains that are gone whole. Which ones there are stands in one file
// beside the directory, authenticated by the key in it: it is written when a chain begins and
// when one is removed on purpose. So a chain's file that somebody took away is missed, and so
// is the whole directory.

// recordEnding is behind the directory's name.
const recordEnding = ".chains"

// listed is a chain that there must be.
type listed struct {
	Name  string `json:"name"`
	Since int64  `json:"since"` // milliseconds since 1970
	// Begins says that its first receipts are being written: it may not be there yet.
	Begins bool `json:"begins,omitempty"`
	// Lost says that it stood in a record that another key had written.
	Lost bool `json:"lost,omitempty"`
}

// record is the file of all chains, the names sorted.
type record struct {
	Chains []listed `json:"chains"`
	Mac    string   `json:"mac"`
}

// errNoRecord says that there is no record.
var errNoRecord = errors.New("the record of chains is gone: nobody can say whether one of them is")

func (l *Log) recordFile() string { return filepath.Clean(l.Dir) + recordEnding }

// Files are what a log writes: its directory, and the record beside it.
func (l *Log) Files() []string { return []string{l.Dir, l.recordFile()} }

// sum authenticates the list of chains.
func (r *record) sum(key []byte) (string, error) {
	data, err := json.Marshal(r.Chains)
	if err != nil {
		return "", err
	}
	h := hmac.New(sha256.New, key)
	h.Write([]byte("gbt chains 1\x00"))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// readRecord reads the record. good is false for one that was changed, or written with
// another key: its names are then no more than what somebody says.
func (l *Log) readRecord(key []byte) (r record, good bool, err error) {
	data, err := os.ReadFile(l.recordFile())
	if errors.Is(err, fs.ErrNotExist) {
		return r, false, errNoRecord
	}
	if err != nil {
		return r, false, err
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return record{}, false, nil
	}
	sum, err := r.sum(key)
	return r, err == nil && hmac.Equal([]byte(sum), []byte(r.Mac)), err
}

// change rewrites the record under a lock of its own. What another key had written is kept as
// lost; chains that are there and stand in no record are taken in.
func (l *Log) change(key []byte, by func(list []listed) []listed) error {
	lock, err := os.OpenFile(filepath.Join(l.Dir, ".lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := lockFile(lock, l.wait()); err != nil {
		return fmt.Errorf("another process has the record of chains: %w", err)
	}
	r, good, err := l.readRecord(key)
	if err != nil && !errors.Is(err, errNoRecord) {
		return err
	}
	if !good {
		for i := range r.Chains {
			r.Chains[i].Lost = true
		}
		if r.Chains, err = l.found(r.Chains); err != nil {
			return err
		}
	}
	r.Chains = by(r.Chains)
	slices.SortFunc(r.Chains, func(a, b listed) int { return strings.Compare(a.Name, b.Name) })
	if r.Mac, err = r.sum(key); err != nil {
		return err
	}
	data, err := json.Marshal(&r)
	if err != nil {
		return err
	}
	return l.replace(l.recordFile(), append(data, '\n'))
}

// found takes in chains that are there and stand in no record.
func (l *Log) found(list []listed) ([]listed, error) {
	names, err := l.Sessions()
	for _, n := range names {
		i := at(list, n)
		switch {
		case l.empty(n):
		case i < 0:
			list = append(list, listed{Name: n, Since: time.Now().UnixMilli()})
		default:
			list[i].Lost = false
		}
	}
	return list, err
}

// empty says whether nothing is there of a chain: a file without a line is none.
func (l *Log) empty(session string) bool {
	info, err := os.Lstat(l.file(session))
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0
}

// at is where a chain stands in a list, or -1.
func at(list []listed, name string) int {
	return slices.IndexFunc(list, func(x listed) bool { return x.Name == name })
}

// begin notes a chain before its first receipts are written. One that is known already, and
// not there, is gone.
func (l *Log) begin(key []byte, session string) error {
	var gone bool
	err := l.change(key, func(list []listed) []listed {
		i := at(list, session)
		switch {
		case i < 0:
			return append(list, listed{Name: session, Since: time.Now().UnixMilli(), Begins: true})
		case !list[i].Begins:
			gone = true
		}
		return list
	})
	if err == nil && gone {
		err = fmt.Errorf("%w: the whole file is gone", ErrTampered)
	}
	return err
}

// begun notes that a chain is there.
func (l *Log) begun(key []byte, session string) error {
	r, good, err := l.readRecord(key)
	if i := at(r.Chains, session); err == nil && good && i >= 0 && !r.Chains[i].Begins {
		return nil
	}
	return l.change(key, func(list []listed) []listed {
		if i := at(list, session); i >= 0 {
			list[i].Begins, list[i].Lost = false, false
			return list
		}
		return append(list, listed{Name: session, Since: time.Now().UnixMilli()})
	})
}

// forget notes that a chain is removed on purpose.
func (l *Log) forget(session string) error {
	key, err := l.readKey()
	if err != nil {
		return err
	}
	return l.change(key, func(list []listed) []listed {
		return slices.DeleteFunc(list, func(x listed) bool { return x.Name == session })
	})
}

// Gone is a chain of which nothing is left.
type Gone struct {
	Session string
	Since   time.Time // when it began
}

// Gone lists chains that were written and that nobody removed on purpose, and that are not
// there. The error says where that can't be told for all of them.
func (l *Log) Gone() ([]Gone, error) {
	key, err := os.ReadFile(filepath.Join(l.Dir, keyName))
	raw, bad := decodeKey(key)
	r, good, readErr := l.readRecord(raw)
	switch {
	case errors.Is(readErr, errNoRecord):
		names, err := l.Sessions()
		if slices.ContainsFunc(names, func(n string) bool { return !l.empty(n) }) {
			return nil, fmt.Errorf("%w: %w", ErrTampered, errNoRecord)
		}
		return nil, err
	case readErr != nil:
		return nil, readErr
	}
	var out []Gone
	for _, x := range r.Chains {
		if checkName(x.Name) == nil && l.empty(x.Name) && !x.Begins {
			out = append(out, Gone{x.Name, time.UnixMilli(x.Since).UTC()})
		}
	}
	if err != nil || bad != nil || !good {
		return out, fmt.Errorf("%w: the record of chains was changed, or its key is gone", ErrTampered)
	}
	return out, nil
}
