package approvals

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func (d Dir) file(name string) string { return filepath.Join(string(d), name) }

// kept is an entry with what its file says.
type kept struct {
	Entry
	record record
	sum    string
}

func (r *record) entry(id string, s State) Entry {
	return Entry{Request{r.Door, r.Tool, r.Args, r.Cwd, r.Asks, r.Says}, id, s, r.Asked, r.Expires}
}

// read returns a request that is whole, of this state, not expired and what its own
// digest says. Everything else is none: no error opens a way around the person.
func (d Dir) read(id string, s State, now time.Time) (kept, bool) {
	f, err := os.Open(d.file(id + endings[s]))
	if err != nil {
		return kept{}, false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || !private(info) {
		return kept{}, false
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil || len(data) > maxFile {
		return kept{}, false
	}
	var r record
	if json.Unmarshal(data, &r) != nil || r.Format != recordFormat || now.Before(r.Asked) || !now.Before(r.Expires) {
		return kept{}, false
	}
	e := r.entry(id, s)
	sum, err := e.digest()
	if err != nil || sum != r.Digest || !strings.HasPrefix(sum, id) || len(id) != idLen || e.check() != nil {
		return kept{}, false
	}
	return kept{e, r, sum}, true
}

// write replaces a file as a whole.
func (d Dir) write(name string, r *record) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(string(d), "new-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(append(data, '\n'))
	if e := f.Sync(); err == nil {
		err = e
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), d.file(name))
	}
	return err
}

// prune removes what has expired or is half of something, and returns how many
// requests are left.
func (d Dir) prune(now time.Time) int {
	files, err := os.ReadDir(string(d))
	if err != nil {
		return 0
	}
	left := 0
	for _, f := range files {
		id, end, _ := strings.Cut(f.Name(), ".")
		state := stateOf("." + end)
		switch {
		case f.Name() == auditName, f.Name() == auditName+".1":
		case state != "":
			if _, ok := d.read(id, state, now); ok {
				left++
			} else {
				os.Remove(d.file(f.Name()))
			}
		default:
			if info, err := f.Info(); err == nil && now.Sub(info.ModTime()) > time.Hour {
				os.Remove(d.file(f.Name()))
			}
		}
	}
	return left
}

func stateOf(end string) State {
	for s, e := range endings {
		if e == end {
			return s
		}
	}
	return ""
}

// audited is a line of the audit. It names the call by its digest and holds no
// argument of it: it is kept when the requests are gone.
type audited struct {
	Time time.Time `json:"time"`
	What string    `json:"what"` // asked, approved, denied, used
	ID   string    `json:"id"`
	Door string    `json:"door"`
	Tool string    `json:"tool"`
	Call string    `json:"call"` // the digest
	Asks []string  `json:"asks"` // the rules only
}

// The audit's file, and when it begins anew beside one older one.
const (
	auditName = "audit.jsonl"
	maxAudit  = 4 << 20
)

func (d Dir) audit(what string, e *Entry, now time.Time) error {
	sum, err := e.digest()
	if err != nil {
		return err
	}
	a := audited{now.UTC(), what, e.ID, e.Door, e.Tool, sum, rules(e.Asks)}
	line, err := json.Marshal(&a)
	if err != nil {
		return err
	}
	name := d.file(auditName)
	if info, err := os.Stat(name); err == nil && info.Size() > maxAudit {
		if err := os.Rename(name, name+".1"); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// rules are the names before the words.
func rules(asks []string) []string {
	out := make([]string, len(asks))
	for i, a := range asks {
		out[i], _, _ = strings.Cut(a, ": ")
	}
	return out
}
