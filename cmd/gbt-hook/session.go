package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/episode"
	"github.com/gbt-policy/gbt/gates/scope"
	"github.com/gbt-policy/gbt/internal/hosts"
	"github.com/gbt-policy/gbt/internal/receipts/chainfile"
)

// session is what is remembered between the calls of one session: enough for
// rules over several calls, such as reading a secret and sending it later.
type session struct {
	root  string // where the first call was made
	past  episode.Memory
	seen  []seen // the calls that the host may ask about itself (prompt.go)
	ends  ended
	calls calls
	saved calls // the same where the host tells of what succeeded alone: for results that it saved
	works works

	file string // empty: nothing is kept
	name string
	old  []byte
	lock *os.File
}

// stored is the first line of a session's file. The memory follows.
type stored struct {
	Format int
	Root   string
	Seen   []seen `json:",omitempty"`
	Ends   *ended `json:",omitempty"`
	Calls  *calls `json:",omitempty"`
	Told   *calls `json:",omitempty"`
	Works  *works `json:",omitempty"`
}

// Limits of a session's file. maxIndex bounds what it keeps of results: it is read
// before every call, so it is smaller than what the index itself could hold:
// reading this much and asking for one value takes 6 ms of two busy cores, which
// keeps the whole process below eight empty ones (GOGC=off, BenchmarkSources).
const (
	sessionFormat = 3 // 1 and 2 kept the index in a file of its own
	maxSession    = 4 << 20
	maxIndex      = 192 << 10
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
	s := &session{root: in.State.Cwd, past: episode.Memory{Limit: maxIndex, Opens: scope.Opens}, name: sessionName(c.host.Name, in.Session)}
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
		s.calls.First = time.Now().UnixMilli()
		return nil
	}
	if err == nil && len(data) > maxSession {
		err = errors.New("it is too large")
	}
	head, past, _ := bytes.Cut(data, []byte("\n"))
	var in stored
	if err == nil {
		err = json.Unmarshal(head, &in)
	}
	if err == nil && in.Format != sessionFormat {
		err = fmt.Errorf("format %d is not known", in.Format)
	}
	if err == nil {
		err = s.past.UnmarshalBinary(past)
	}
	if err != nil {
		return fmt.Errorf("the session's state %s: %w; end the session and remove the file", s.file, err)
	}
	s.root, s.seen, s.old = in.Root, in.Seen, data
	if in.Ends != nil {
		s.ends = *in.Ends
	}
	if in.Told != nil {
		s.saved = *in.Told
	}
	if in.Calls != nil {
		s.calls = *in.Calls
	}
	if in.Works != nil {
		s.works = *in.Works
	}
	return nil
}

// record notes a call that was let through: as one that waits for word of it
// where the host tells, and else as one that ran.
func (s *session) record(in *hosts.Input, c *gates.Context, d *gates.Decision, reports bool, start time.Time) error {
	now := start.Unix()
	if s.file == "" {
		return nil
	}
	if reports {
		s.calls.begin(callKey(in), doingOf(c, d), start)
		s.works.begin(callKey(in), c, start)
		s.past.Let(callKey(in), in.Agent, c, d, now)
	} else {
		if s.saved.empty() {
			s.saved.First = start.UnixMilli()
		}
		s.saved.begin(callKey(in), doesLook, start)
		s.past.Assumed(c, now)
	}
	return s.save()
}

func (s *session) save() error {
	if s.file == "" {
		return nil
	}
	past, err := s.past.MarshalBinary()
	if err != nil {
		return fmt.Errorf("the session's state: %w", err)
	}
	head := stored{Format: sessionFormat, Root: s.root, Seen: s.seen}
	if !s.ends.empty() {
		head.Ends = &s.ends
	}
	if !s.saved.empty() {
		head.Told = &s.saved
	}
	if !s.calls.empty() {
		head.Calls = &s.calls
	}
	if !s.works.empty() {
		head.Works = &s.works
	}
	data, err := json.Marshal(&head)
	if err != nil {
		return fmt.Errorf("the session's state: %w", err)
	}
	data = append(append(data, '\n'), past...)
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

// sessionName is how a session is called in files.
func sessionName(host, session string) string { return chainfile.Name(host, session) }

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:16])
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
