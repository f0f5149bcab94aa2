// Package chainfile keeps chains of receipts in files of lines, one file for each session of a
// front end that lives for one call and can open no database: the hook (requirement Z2).
//
// Log.Append adds receipts under a lock, whole lines in one write. Before and after it writes
// down where the chain ends, authenticated by a key that lies beside the files for its owner
// alone. So a line that was changed, moved, taken out or put in is found, and so is one that
// was cut off at the end. A record beside the directory says which chains there are, so that
// one that is gone whole is missed (Log.Gone), and so is the directory; who puts an older record
// back together with the older chains is not found. What a crash left of a last line is cut off:
// the call that it was about had not been let through. Append returns when its receipts are on
// the disk: neither a killed process nor a power failure loses one (but see Log.NoSync). Who has
// the key can forge everything.
//
// A Log is safe for concurrent use by processes.
//
// What belongs here: files of receipts. What never does: what a receipt says
// (internal/receipts), and chains in databases (internal/tasks).
package chainfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gbt-policy/gbt/internal/receipts"
)

// Log is a directory of chains.
type Log struct {
	Dir string
	// Wait is how long to wait for another process that writes to the same chain (a second).
	Wait time.Duration
	// NoSync leaves it to the system when receipts reach the disk: a power failure may then
	// cost the last ones, and the chain looks cut off.
	NoSync bool
	// Keep is how long a chain stays after its last receipt (90 days).
	Keep time.Duration
}

// DefaultDir is the user's directory for receipts: in the one for the state of programs (XDG
// Base Directory Specification), beside the decision log.
func DefaultDir() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "gbt", "receipts"), nil
	}
	if runtime.GOOS == "windows" {
		dir, err := os.UserCacheDir()
		return filepath.Join(dir, "gbt", "receipts"), err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("no place for receipts: %w", err)
	}
	return filepath.Join(home, ".local", "state", "gbt", "receipts"), nil
}

// Name is how the chain of a host's session is called: it says nothing of either.
func Name(host, session string) string {
	sum := sha256.Sum256([]byte(host + "\x00" + session))
	return hex.EncodeToString(sum[:16])
}

// ErrTampered says that a chain is not what was written.
var ErrTampered = errors.New("the receipts are not what was written")

const ending = ".jsonl"

func (l *Log) file(session string) string { return filepath.Join(l.Dir, session+ending) }

// checkName refuses what is no name of a file here.
func checkName(session string) error {
	if session == "" || len(session) > 128 || session[0] == '.' || filepath.Base(session) != session {
		return fmt.Errorf("%.40q is no name of a session", session)
	}
	return nil
}

// Append adds receipts to a session's chain, which begins with created if it is not there
// yet. Those that speak of a call find its receipt by the call's key: the newest of those
// that are not long ago, or nothing.
func (l *Log) Append(session string, created receipts.Receipt, drafts func(call func(key string) string) []receipts.Receipt) error {
	if err := checkName(session); err != nil {
		return err
	}
	if err := os.MkdirAll(l.Dir, 0o700); err != nil {
		return err
	}
	c, err := l.open(session)
	if err != nil {
		return fmt.Errorf("receipts of %s: %w", session, err)
	}
	defer c.close()
	if err := c.append(created, drafts); err != nil {
		return fmt.Errorf("receipts of %s: %w", session, err)
	}
	return nil
}

// early is how many receipts a chain has at most while it is looked whether the record knows
// of it: a writer that was killed may have left that to the next ones.
const early = 4

// append adds receipts, and begins the chain with created.
func (c *chain) append(created receipts.Receipt, drafts func(call func(key string) string) []receipts.Receipt) error {
	l, count := c.log, c.at.head.Count
	var list []receipts.Receipt
	if count == 0 {
		l.prune(c.session)
		if err := l.begin(c.key, c.session); err != nil {
			return err
		}
		created.Kind = receipts.Created
		list = append(list, created)
	}
	if err := c.add(append(list, drafts(c.call)...)); err != nil {
		return err
	}
	if count > early {
		return nil
	}
	if count == 0 {
		if err := l.syncDir(l.Dir); err != nil {
			return err
		}
	}
	return l.begun(c.key, c.session)
}

// maxTail is how much of a chain's end is searched for what a receipt speaks of.
const maxTail = 256 << 10

// call is the id of the newest call with a key among the last receipts, or nothing.
func (c *chain) call(key string) string {
	from := max(0, c.at.end-maxTail)
	data, err := io.ReadAll(io.NewSectionReader(c.file, from, c.at.end-from))
	quoted, e := json.Marshal(key)
	if err != nil || e != nil {
		return ""
	}
	mark := slices.Concat([]byte(`"key":`), quoted)
	for end := len(data); ; {
		i := bytes.LastIndex(data[:end], mark)
		if i < 0 {
			return ""
		}
		line := data[bytes.LastIndexByte(data[:i], '\n')+1:]
		line, _, _ = bytes.Cut(line, []byte("\n"))
		if r, err := receipts.Decode(line); err == nil && r.Kind == receipts.Call && r.Key == key {
			return r.ID
		}
		end = i
	}
}

// add writes receipts at the end, and then where it is.
func (c *chain) add(list []receipts.Receipt) error {
	var out []byte
	at := c.at
	for i := range list {
		r := &list[i]
		var err error
		if r.Time == 0 {
			r.Time = time.Now().UnixMilli()
		}
		if r.Kind == receipts.Call && r.Key == "" {
			return errors.New("a call needs a key")
		}
		if at.head, err = at.head.Next(c.session, r); err != nil {
			return err
		}
		line, err := r.Encode()
		if err != nil {
			return err
		}
		out = append(append(out, line...), '\n')
	}
	if len(out) == 0 {
		return nil
	}
	if len(out) > maxTail {
		return fmt.Errorf("receipts of %d bytes: at most %d at once", len(out), maxTail)
	}
	at.end += int64(len(out))
	if err := errors.Join(c.saveHead(at), c.sync(c.head)); err != nil {
		return err
	}
	_, err := c.file.WriteAt(out, c.at.end)
	if err == nil {
		err = c.sync(c.file)
	}
	if err != nil {
		return errors.Join(err, c.file.Truncate(c.at.end))
	}
	c.at = at
	return c.saveHead(at)
}

// Sessions are the names of all chains, sorted.
func (l *Log) Sessions() ([]string, error) {
	items, err := os.ReadDir(l.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []string
	for _, d := range items {
		if name, ok := strings.CutSuffix(d.Name(), ending); ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, err
}

// Read returns a session's receipts, and verifies that they are what was written. With an
// error come those that are good.
func (l *Log) Read(session string) ([]*receipts.Receipt, error) {
	if err := checkName(session); err != nil {
		return nil, err
	}
	if _, err := os.Stat(l.file(session)); err != nil {
		return nil, fmt.Errorf("receipts of %s: %w", session, err)
	}
	c, err := l.open(session)
	if err != nil {
		return nil, fmt.Errorf("receipts of %s: %w", session, err)
	}
	defer c.close()
	out, err := c.all()
	if err != nil {
		return out, fmt.Errorf("receipts of %s: %w: %w", session, ErrTampered, err)
	}
	return out, nil
}

func (c *chain) all() ([]*receipts.Receipt, error) {
	data, err := io.ReadAll(io.NewSectionReader(c.file, 0, c.at.end))
	if err != nil {
		return nil, err
	}
	check := receipts.Chain{Session: c.session}
	var out []*receipts.Receipt
	for line := range bytes.Lines(data) {
		r, err := check.Add(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil {
			return out, err
		}
		out = append(out, r)
	}
	return out, check.End(c.at.head)
}

// Remove takes a session's chain away.
func (l *Log) Remove(session string) error {
	if err := checkName(session); err != nil {
		return err
	}
	if err := l.forget(session); err != nil {
		return err
	}
	return errors.Join(removed(l.file(session)), removed(l.file(session)+headEnding))
}

// removed takes a file away, if it is there.
func removed(name string) error {
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// prune removes chains whose last receipt is long ago. What can't be removed stays.
func (l *Log) prune(but string) {
	keep := l.Keep
	if keep <= 0 {
		keep = 90 * 24 * time.Hour
	}
	all, _ := l.Sessions()
	for _, s := range all {
		if info, err := os.Stat(l.file(s)); s != but && err == nil && time.Since(info.ModTime()) > keep {
			l.Remove(s)
		}
	}
}
