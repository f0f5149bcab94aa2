package undo

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Past is a step that was kept elsewhere: a call whose workspace had snapshots of its own.
type Past struct {
	Step
	Changes []Change // with contents by their SHA-256: "b" and the sum
}

// Import takes over steps that the journal does not know yet, the oldest first, before it
// has looked at the workspace for the first time. content opens what stood in a file
// before a step; a content that is gone makes its step audit_only.
func (j *Journal) Import(steps []Past, content func(ref string) (io.ReadCloser, error)) error {
	all, err := j.Steps()
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for i := range all {
		known[all[i].ID] = true
	}
	for i := range steps {
		if known[steps[i].ID] {
			continue
		}
		if err := j.take(&steps[i], content); err != nil {
			return fmt.Errorf("undo: %w", err)
		}
	}
	return nil
}

func (j *Journal) take(p *Past, content func(ref string) (io.ReadCloser, error)) error {
	n := note{Step: p.ID, Done: true, Tier: p.Tier}
	for _, c := range p.Changes {
		if err := j.fetch(&c.Before, content); err != nil {
			n.Lost, n.Tier = n.Lost+1, AuditOnly
			c.Before.Ref = ""
		}
		n.Changes = append(n.Changes, c)
	}
	if err := j.chain.add(&frame{Time: p.Time, Open: &p.Step}); err != nil {
		return err
	}
	return j.chain.add(&frame{Time: p.Time, Note: &n})
}

// fetch takes in the content of a file.
func (j *Journal) fetch(e *Entry, content func(ref string) (io.ReadCloser, error)) error {
	if e.Kind != File {
		return nil
	}
	if len(e.Ref) != 1+2*sha256.Size || e.Ref[0] != 'b' {
		return fmt.Errorf("%.80q is no content's name", e.Ref)
	}
	if _, err := os.Lstat(j.blobs.path(e.Ref[1:])); err == nil {
		return nil
	}
	in, err := content(e.Ref)
	if err != nil {
		return err
	}
	defer in.Close()
	return j.blobs.fill(in, e.Ref[1:])
}

// fill takes a content in from somewhere else, if it is the one that it is said to be.
func (b *blobs) fill(in io.Reader, sum string) error {
	to := b.path(sum)
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	out, err := os.CreateTemp(filepath.Dir(to), "new*")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name()) // no longer there once it has its name
	h := sha256.New()
	_, err = io.Copy(io.MultiWriter(out, h), in)
	if err := errors.Join(err, out.Close()); err != nil {
		return err
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != sum {
		return fmt.Errorf("the content %s is another one, %s", sum, got)
	}
	return os.Rename(out.Name(), to)
}
