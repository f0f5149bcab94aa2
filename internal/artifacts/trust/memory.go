package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf8"
)

// The memory is text, a line each:
//
//	gbt seen 1
//	sequence 7
//	ring ROOT SIZE DIGEST
//	rollback 9 7 "the newer one stops the nightly build"
//
// first the form, then the sequence number of the newest policy opened, then the
// key rings that were trusted, with the SHA-256 of their first SIZE bytes, then what
// people took back, oldest first. It has no time in it: the file's own will do.
const (
	memoryHead = "gbt seen 1"
	maxMemory  = 1 << 20
	maxReason  = 1 << 10
)

type memory struct {
	sequence  uint64
	rings     []seenRing // by root
	rollbacks []rollback
}

// rollback says that a person went back from one sequence number to another.
type rollback struct {
	from, to uint64
	reason   string
}

// seenRing is a key ring as it was when it was trusted.
type seenRing struct {
	root   string
	size   int
	digest string // of its first size bytes, hex
	data   []byte // all of it, of a ring that is trusted now
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// sortedRings are rings by root, each once.
func sortedRings(rings []seenRing) []seenRing {
	out := slices.SortedFunc(slices.Values(rings), func(a, b seenRing) int { return strings.Compare(a.root, b.root) })
	return slices.CompactFunc(out, func(a, b seenRing) bool { return a.root == b.root })
}

// grown says whether every ring that was trusted still is, with all that it had:
// one that lost its last lines would trust a key again that was retired, and one
// in the place of another would trust its maker.
func (m *memory) grown(name string, now []seenRing) error {
	for _, old := range m.rings {
		if !slices.ContainsFunc(now, func(r seenRing) bool {
			return r.root == old.root && len(r.data) >= old.size && digestOf(r.data[:old.size]) == old.digest
		}) {
			return fmt.Errorf("%w: %s remembers the key ring %s, which is gone, shorter than it was, or another one. Put it back; or, if a person wants it so, gbt verify --allow-rollback REASON with the same --trust takes the new one", ErrRing, name, old.root)
		}
	}
	return nil
}

func (m *memory) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nsequence %d\n", memoryHead, m.sequence)
	for _, r := range m.rings {
		fmt.Fprintf(&b, "ring %s %d %s\n", r.root, r.size, r.digest)
	}
	for _, r := range m.rollbacks {
		fmt.Fprintf(&b, "rollback %d %d %s\n", r.from, r.to, strconv.Quote(r.reason))
	}
	return b.String()
}

// CheckReason says what is wrong with a person's reason.
func CheckReason(s string) error {
	switch {
	case strings.TrimSpace(s) == "":
		return fmt.Errorf("%w: going back to an older policy needs a reason", ErrUsage)
	case len(s) > maxReason || !utf8.ValidString(s):
		return fmt.Errorf("%w: the reason is text of at most %d bytes", ErrUsage, maxReason)
	}
	return nil
}

// readMemory reads a memory; one that is not there yet remembers nothing. A
// damaged one is an error: nobody knows what it held.
func readMemory(name string) (memory, error) {
	var m memory
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, err
	}
	if m, err = parseMemory(data); err != nil {
		return m, fmt.Errorf("damaged: %w; if you know why, take it away and the next policy opened is remembered", err)
	}
	return m, nil
}

func parseMemory(data []byte) (memory, error) {
	var m memory
	lines := strings.Split(string(data), "\n")
	if len(data) > maxMemory || len(lines) < 3 || lines[0] != memoryHead {
		return m, errors.New("line 1: no file of what was seen")
	}
	if _, err := fmt.Sscanf(lines[1], "sequence %d", &m.sequence); err != nil {
		return m, errors.New("line 2: no sequence number")
	}
	for i, line := range lines[2 : len(lines)-1] {
		var r seenRing
		var b rollback
		if _, err := fmt.Sscanf(line, "ring %64s %d %64s", &r.root, &r.size, &r.digest); err == nil {
			m.rings = append(m.rings, r)
		} else if _, err := fmt.Sscanf(line, "rollback %d %d %q", &b.from, &b.to, &b.reason); err == nil {
			m.rollbacks = append(m.rollbacks, b)
		} else {
			return m, fmt.Errorf("line %d: %.80q is unknown", i+3, line)
		}
	}
	if m.text() != string(data) {
		return m, errors.New("it is not as it was written")
	}
	return m, nil
}

// writeMemory replaces a memory atomically. Of two processes that open different
// policies at one moment the last one wins; both hold what the policy's file had.
func writeMemory(name string, m memory) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(m.text())
	if err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// notAllowed says whether writing failed because this user may not.
func notAllowed(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}
