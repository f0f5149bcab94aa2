package chainfile

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gbt-policy/gbt/internal/receipts"
)

// chain is an open file of receipts, locked.
type chain struct {
	log     *Log
	session string
	file    *os.File
	head    *os.File
	key     []byte
	at      place
}

// place is where a chain ends.
type place struct {
	head receipts.Head
	end  int64 // in bytes
}

// stored is the file of a chain's head: where the chain ends, and where it will when what
// is being written stands there.
type stored struct {
	Count     int64  `json:"count"`
	Hash      string `json:"hash"`
	End       int64  `json:"end"`
	NextCount int64  `json:"next_count"`
	NextHash  string `json:"next_hash"`
	NextEnd   int64  `json:"next_end"`
	Mac       string `json:"mac"`
}

const headEnding = ".head"

// headSize is the length of a head's file: it is written over in place.
const headSize = 512

// open opens a chain and goes to its end.
func (l *Log) open(session string) (_ *chain, err error) {
	c := &chain{log: l, session: session}
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	if c.key, err = l.readKey(); err != nil {
		return nil, err
	}
	if c.file, err = os.OpenFile(l.file(session), os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return nil, err
	}
	if err = lockFile(c.file, l.wait()); err != nil {
		return nil, fmt.Errorf("another process has them: %w", err)
	}
	if c.head, err = os.OpenFile(l.file(session)+headEnding, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return nil, err
	}
	return c, c.readHead()
}

// wait is how long to wait for another process.
func (l *Log) wait() time.Duration {
	if l.Wait <= 0 {
		return time.Second
	}
	return l.Wait
}

func (c *chain) close() {
	for _, f := range []*os.File{c.head, c.file} {
		if f != nil {
			f.Close()
		}
	}
}

func (c *chain) mac(s stored) string {
	h := hmac.New(sha256.New, c.key)
	fmt.Fprintf(h, "gbt receipts 1\x00%s\x00%d %s %d %d %s %d", c.session, s.Count, s.Hash, s.End, s.NextCount, s.NextHash, s.NextEnd)
	return hex.EncodeToString(h.Sum(nil))
}

// saveHead writes where the chain ends. Before receipts are written it says where they
// will end, so that nobody else can put some there; after, that they do, so that nobody can
// take them away.
func (c *chain) saveHead(next place) error {
	s := stored{Count: c.at.head.Count, Hash: c.at.head.Hash, End: c.at.end, NextCount: next.head.Count, NextHash: next.head.Hash, NextEnd: next.end}
	s.Mac = c.mac(s)
	data, err := json.Marshal(&s)
	if err != nil {
		return err
	}
	if len(data) >= headSize {
		return errors.New("the head is too long")
	}
	out := append(data, bytes.Repeat([]byte{' '}, headSize-1-len(data))...)
	_, err = c.head.WriteAt(append(out, '\n'), 0)
	return err
}

// readHead goes to the end of the chain, over what a writer that was killed has written
// whole. What it has not is cut off.
func (c *chain) readHead() error {
	data, err := io.ReadAll(io.NewSectionReader(c.head, 0, headSize+1))
	if err != nil {
		return err
	}
	info, err := c.file.Stat()
	if err != nil {
		return err
	}
	var s stored
	switch {
	case len(data) == 0 && info.Size() == 0:
		return c.saveHead(place{})
	case json.Unmarshal(data, &s) != nil:
		return fmt.Errorf("%w: the head can't be read", ErrTampered)
	case !hmac.Equal([]byte(s.Mac), []byte(c.mac(s))):
		return fmt.Errorf("%w: the head was changed, or the key is another one", ErrTampered)
	case s.End < 0 || info.Size() < s.End:
		return fmt.Errorf("%w: receipts are missing at the end", ErrTampered)
	}
	c.at = place{receipts.Head{Count: s.Count, Hash: s.Hash}, s.End}
	next := place{receipts.Head{Count: s.NextCount, Hash: s.NextHash}, s.NextEnd}
	if info.Size() == c.at.end && next.end <= c.at.end {
		return nil
	}
	return c.settle(next, info.Size())
}

// settle ends what another writer began.
func (c *chain) settle(next place, size int64) error {
	if size >= next.end && next.end > c.at.end && c.ends(next.head) {
		if size > next.end {
			return fmt.Errorf("%w: something stands behind receipt %d", ErrTampered, next.head.Count)
		}
		c.at = next
		return c.saveHead(next)
	}
	if next.end <= c.at.end { // nothing was being written
		return fmt.Errorf("%w: something stands behind receipt %d", ErrTampered, c.at.head.Count)
	}
	if err := c.file.Truncate(c.at.end); err != nil {
		return err
	}
	return c.saveHead(c.at)
}

// ends says whether the receipts behind the end lead to a head.
func (c *chain) ends(want receipts.Head) bool {
	data, err := io.ReadAll(io.NewSectionReader(c.file, c.at.end, maxTail))
	head := c.at.head
	for line := range bytes.Lines(data) {
		r, e := receipts.Decode(bytes.TrimSuffix(line, []byte("\n")))
		if e != nil || r.Seq != head.Count+1 || r.Prev != head.Hash || r.Session != c.session {
			return false
		}
		if head = (receipts.Head{Count: r.Seq, Hash: r.Hash}); head == want {
			break
		}
	}
	return err == nil && head == want
}

// keyName is the key's file.
const keyName = "key"

// readKey reads the key, or makes one. The file is written whole before it gets its name,
// and the name is taken by one of those who come at the same time.
func (l *Log) readKey() ([]byte, error) {
	name := filepath.Join(l.Dir, keyName)
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		if err := l.makeKey(name); err != nil {
			return nil, fmt.Errorf("key %s: %w", name, err)
		}
		data, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, err
	}
	key, err := decodeKey(data)
	if err != nil {
		return nil, fmt.Errorf("%s %w", name, err)
	}
	return key, nil
}

// decodeKey reads the text of a key.
func decodeKey(data []byte) ([]byte, error) {
	key, err := hex.DecodeString(strings.TrimSpace(string(data)))
	if err != nil || len(key) != 32 {
		return nil, errors.New("is not 64 hexadecimal digits")
	}
	return key, nil
}

// makeKey makes a key under its name, if there is none yet.
func (l *Log) makeKey(name string) error {
	var key [32]byte
	rand.Read(key[:]) // never fails
	f, err := os.CreateTemp(filepath.Dir(name), ".key-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if _, err = fmt.Fprintln(f, hex.EncodeToString(key[:])); err == nil && !l.NoSync {
		err = syncData(f)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), name); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return l.syncDir(filepath.Dir(name))
}
