package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/hosts"
)

// session is what is remembered between the calls of one session: enough for
// rules over several calls, such as reading a secret and sending it later. It
// holds paths and no contents; those are in the index beside it (sources).
type session struct {
	Format   int
	Root     string // where the first call was made
	History  []gates.Record
	Flow     gates.Flow
	Waiting  []waiting `json:",omitempty"` // let through, and not known to have run
	Reported bool      `json:",omitempty"` // the host has told of a call that ran
	Observed bool      `json:",omitempty"` // there is an index
	Dropped  bool      `json:",omitempty"` // and it does not hold everything

	file string // empty: nothing is kept
	name string
	old  []byte
	lock *os.File
}

// Limits of a session's file. A flow that grows past maxPaths forgets its
// oldest paths; that something sensitive was read is never forgotten.
const (
	sessionFormat = 2 // 1 is as good as a 2 without the fields that came with it
	maxSession    = 4 << 20
	maxPaths      = 4096
	keepSessions  = 30 * 24 * time.Hour
)

// stateDir is the directory of the session files, or empty.
func (c *config) stateDir() (string, error) {
	switch c.state {
	case "", "none":
		return "", nil
	case "auto":
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("the state directory: %w; name one with -state", err)
		}
		return filepath.Join(cache, "gbt", "hook"), nil
	}
	return absolute(c.state)
}

// openSession reads the session's file and holds its lock until close, because
// hosts run hooks of one session side by side. A file that can't be read is an
// error: what it would have said may be what stops this call.
func (c *config) openSession(in *hosts.Input) (*session, error) {
	s := &session{Format: sessionFormat, Root: in.State.Cwd, name: digest(c.host.Name + "\x00" + in.Session)}
	dir, err := c.stateDir()
	if err != nil || dir == "" {
		return s, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the state directory: %w", err)
	}
	s.file = filepath.Join(dir, s.name+".json")
	if s.lock, err = lockFile(s.file+".lock", c.timeout); err != nil {
		return nil, fmt.Errorf("the session's state: %w", err)
	}
	if err := s.read(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *session) read() error {
	data, err := os.ReadFile(s.file)
	if errors.Is(err, fs.ErrNotExist) {
		prune(filepath.Dir(s.file))
		return nil
	}
	if err == nil && len(data) > maxSession {
		err = errors.New("it is too large")
	}
	if err == nil {
		err = json.Unmarshal(data, s)
	}
	if err == nil && s.Format != sessionFormat && s.Format != 1 {
		err = fmt.Errorf("format %d is not known", s.Format)
	}
	if err != nil {
		return fmt.Errorf("the session's state %s: %w; end the session and remove the file", s.file, err)
	}
	s.old, s.Format = data, sessionFormat
	return nil
}

// record notes a call that was let through: as one that waits for word of it
// where the host tells, and else as one that ran.
func (s *session) record(in *hosts.Input, c *gates.Context, reports bool, now int64) error {
	if s.file == "" {
		return nil
	}
	if reports {
		s.wait(in, c, now)
	} else {
		s.add(c.Records(now), c.After())
	}
	return s.save()
}

// add notes a call that ran.
func (s *session) add(records []gates.Record, flow gates.Flow) {
	s.History = append(s.History, records...)
	s.History = s.History[max(0, len(s.History)-gates.HistoryLimit):]
	flow.Derived, flow.Unvetted = newest(flow.Derived), newest(flow.Unvetted)
	s.Flow = flow
}

func (s *session) save() error {
	if s.file == "" {
		return nil
	}
	data, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("the session's state: %w", err)
	}
	if string(data) == string(s.old) {
		return nil
	}
	return replaceFile(s.file, data)
}

// replaceFile writes a file of the session's. The lock is held, so one name for
// the temporary file is enough.
func replaceFile(name string, data []byte) error {
	err := os.WriteFile(name+".tmp", data, 0o600)
	if err == nil {
		err = os.Rename(name+".tmp", name)
	}
	if err != nil {
		return fmt.Errorf("the session's state: %w", err)
	}
	return nil
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:16])
}

// newest drops all but the last of equal paths, and what is over the limit.
func newest(list []string) []string {
	seen := make(map[string]bool, len(list))
	var out []string
	for i := len(list) - 1; i >= 0 && len(out) < maxPaths; i-- {
		if !seen[list[i]] {
			seen[list[i]] = true
			out = append(out, list[i])
		}
	}
	slices.Reverse(out)
	return out
}

func (s *session) close() {
	if s.lock != nil {
		s.lock.Close() // releases the lock
		s.lock = nil
	}
}

// prune removes the files of sessions that ended long ago. It runs when a
// session begins; what can't be removed stays.
func prune(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > keepSessions {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
