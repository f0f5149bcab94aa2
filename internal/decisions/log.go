package decisions

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Log is the directory of a log. Its bounds are those below where they are zero.
type Log struct {
	Dir      string
	MaxBytes int64         // of the file that is written; a larger one is set aside
	MaxAge   time.Duration // of its first line
	Keep     int           // files set aside
	KeepAge  time.Duration // of files set aside, by their last line
}

// The bounds. A line of a question has some 500 bytes, and a busy day some thousand calls:
// this is about a quarter of a year, and 20 MiB at most.
const (
	maxBytes = 4 << 20
	maxAge   = 30 * 24 * time.Hour
	keep     = 4
	keepAge  = 90 * 24 * time.Hour
)

// maxLine bounds a line: texts are bounded, and so are the lists that are here.
const maxLine = 16 << 10

const (
	current = "decisions.jsonl"
	aside   = "decisions-"
)

// DefaultDir is where a user's log lies: in the directory for the state of programs
// (XDG Base Directory Specification: state is "actions history (logs, history, ...)" that
// persists and is not important enough for the data directory). On Windows, which has none,
// it is the local application data. A cache would be the wrong place: what cleans caches
// would take the history with it.
func DefaultDir() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "gbt", "log"), nil
	}
	if runtime.GOOS == "windows" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		return filepath.Join(dir, "gbt", "log"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("%w; name its place with XDG_STATE_HOME, or turn it off with -log off", err)
	}
	return filepath.Join(home, ".local", "state", "gbt", "log"), nil
}

// Add appends a decision.
func (l *Log) Add(e *Entry) error { return l.append(e) }

// Answer appends what became of a call, if the log has a question about it that is not
// long ago.
func (l *Log) Answer(e *Entry) error {
	if e.Answer != AnswerRest && !l.asked(e) {
		return nil
	}
	return l.append(e)
}

// append writes one line at the end of the file, in one piece: lines of processes that
// run side by side do not mix.
func (l *Log) append(e *Entry) error {
	line := Line(e)
	if len(line) > maxLine {
		return fmt.Errorf("a line of %d bytes", len(line))
	}
	f, err := l.open(e.Time)
	if err != nil {
		return err
	}
	_, err = f.Write(line)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// open opens the file for appending and sets one aside that is too large or too old.
func (l *Log) open(now time.Time) (*os.File, error) {
	if err := private(l.Dir); err != nil {
		return nil, err
	}
	name := filepath.Join(l.Dir, current)
	for range 2 {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil || !l.full(f, now) {
			return f, err
		}
		f.Close()
		l.rotate(name, now)
	}
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
}

// private makes the directory, or takes others' rights to it away.
func private(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(dir)
	if err != nil || runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
		return err
	}
	return os.Chmod(dir, 0o700)
}

// full says whether a file is to be set aside before the next line.
func (l *Log) full(f *os.File, now time.Time) bool {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	if info.Size() >= or(l.MaxBytes, maxBytes) {
		return true
	}
	var head [64]byte
	n, _ := f.ReadAt(head[:], 0)
	first, ok := timeOf(head[:n])
	return ok && now.Sub(first) > or(l.MaxAge, maxAge)
}

// timeOf is the time that a line begins with.
func timeOf(line []byte) (time.Time, bool) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"time":"`))
	end := bytes.IndexByte(rest, '"')
	if !ok || end < 0 {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339Nano, string(rest[:end]))
	return t, err == nil
}

// rotate sets the file aside under a name that no other process uses, so that none can
// overwrite what another one set aside. One that is no longer there was set aside by
// somebody else, and whoever has it open still writes to it.
func (l *Log) rotate(name string, now time.Time) {
	to, err := os.CreateTemp(l.Dir, fmt.Sprintf("%s%020d-*.jsonl", aside, now.UnixNano()))
	if err != nil {
		return
	}
	to.Close()
	if os.Rename(name, to.Name()) != nil {
		os.Remove(to.Name())
		return
	}
	l.prune(now)
}

// prune removes files that were set aside long ago.
func (l *Log) prune(now time.Time) {
	old := l.aside()
	for i, name := range old {
		info, err := os.Stat(name)
		if i < len(old)-or(l.Keep, keep) || err == nil && now.Sub(info.ModTime()) > or(l.KeepAge, keepAge) {
			os.Remove(name)
		}
	}
}

// aside are the files that were set aside, the oldest first.
func (l *Log) aside() []string {
	names, err := filepath.Glob(filepath.Join(l.Dir, aside+"*.jsonl"))
	if err != nil {
		return nil
	}
	slices.Sort(names)
	return names
}

// maxTail is how far back the question of an answer is looked for, in bytes.
const maxTail = 128 << 10

// asked says whether the end of the log has a question about a call.
func (l *Log) asked(e *Entry) bool {
	f, err := os.Open(filepath.Join(l.Dir, current))
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false
	}
	from := max(info.Size()-maxTail, 0)
	tail := make([]byte, info.Size()-from)
	n, err := f.ReadAt(tail, from)
	if err != nil && n == 0 {
		return false
	}
	call := []byte(`"call":` + strconv.Quote(e.Call))
	for line := range bytes.Lines(tail[:n]) {
		var q Entry
		if bytes.Contains(line, call) && json.Unmarshal(line, &q) == nil && q.Asks() && q.Session == e.Session {
			return true
		}
	}
	return false
}

// ErrNone says that there is no log yet.
var ErrNone = errors.New("there is no decision log yet")

// Read returns the entries of all files, the oldest first, and how many lines could not be
// read.
func (l *Log) Read() (list []Entry, unreadable int, err error) {
	names := append(l.aside(), filepath.Join(l.Dir, current))
	found := false
	for _, name := range names {
		data, err := os.ReadFile(name)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, 0, fmt.Errorf("the decision log: %w", err)
		}
		found = true
		for line := range strings.Lines(string(data)) {
			var e Entry
			if json.Unmarshal([]byte(line), &e) != nil || e.Time.IsZero() {
				unreadable++
				continue
			}
			list = append(list, e)
		}
	}
	if !found {
		return nil, 0, ErrNone
	}
	slices.SortStableFunc(list, func(a, b Entry) int { return a.Time.Compare(b.Time) })
	return list, unreadable, nil
}

// File is the file that is written.
func (l *Log) File() string { return filepath.Join(l.Dir, current) }

func or[T int | int64 | time.Duration](v, without T) T {
	if v != 0 {
		return v
	}
	return without
}
