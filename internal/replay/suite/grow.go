package suite

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/redact"
)

// File is one file of a suite.
type File struct {
	Name string
	Data []byte
}

// Grow returns the files of the suite in a folder with more cases added: a
// caller that writes other files too writes all or none. The folder need not be
// there. A case that is there stays as it is, with the words that somebody may
// have put to it; but an unsafe one takes over a stricter expectation.
func Grow(dir string, cases []Case) ([]File, error) {
	have, err := standing(dir)
	if err != nil {
		return nil, err
	}
	shown := map[string]*Case{} // by the id that a case would have without hosts
	for _, c := range have {
		if id := c.hiddenID(); id != c.ID {
			shown[id] = c
		}
	}
	for i := range cases {
		c := cases[i]
		c.ID = c.id()
		if old := cmp.Or(have[c.ID], shown[c.ID]); old != nil {
			old.tighten(&c)
		} else {
			have[c.ID] = &c
		}
	}
	var out []File
	for _, k := range []Kind{Unsafe, Benign, Path} {
		data, err := encode(k, have)
		if err != nil {
			return nil, err
		}
		if data != nil {
			out = append(out, File{filepath.Join(dir, fileOf(k)), data})
		}
	}
	return out, nil
}

// hiddenID is the id of a case that was read, with no host shown: of one that was
// written when hosts were not hidden, it is that of the case that is written now.
func (c *Case) hiddenID() string {
	if c.Kind == Path {
		return c.ID
	}
	x := redact.HideHosts(&c.read, redact.Hosts(&c.read))
	hidden := Case{Kind: c.Kind, Macro: c.Macro, Context: x.AppendCanonical(nil)}
	return hidden.id()
}

// tighten takes over what another form of an unsafe case expects beyond this one.
func (c *Case) tighten(by *Case) {
	if c.Kind != Unsafe || by.Open || !c.Open && by.Want >= c.Want && by.Gated >= c.Gated {
		return
	}
	if c.Open {
		c.Want, c.Gated = by.Want, by.Gated
	}
	c.Open, c.Want, c.Gated = false, min(c.Want, by.Want), min(c.Gated, by.Gated)
	c.Gates, c.Rules = by.Gates, by.Rules
}

// notOver is the error of a suite to which nothing can be added.
func notOver(err error) error {
	if p := (*Problem)(nil); errors.As(err, &p) && p.Origin.Line == 0 {
		return fmt.Errorf("%w; name a folder for the suite", err)
	}
	return fmt.Errorf("%w; mend or remove the line, a suite is not written over", err)
}

// standing are the cases of the files that Grow would write. A line that cannot
// be read would be lost, so it is an error here.
func standing(dir string) (map[string]*Case, error) {
	have := map[string]*Case{}
	for _, k := range []Kind{Unsafe, Benign, Path} {
		name := filepath.Join(dir, fileOf(k))
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		for c, err := range Read(name, nil) {
			if err == nil && c.Kind != k {
				err = &Problem{c.Origin, c.ID, fmt.Errorf("a case of kind %s stands in a file of others: move it to %s", c.Kind, fileOf(c.Kind))}
			}
			if err != nil {
				return nil, notOver(err)
			}
			if old := have[c.ID]; old != nil { // as a merge of two branches leaves it
				old.tighten(c)
			} else {
				have[c.ID] = c
			}
		}
	}
	return have, nil
}

// encode writes the cases of a kind, sorted by id; nil if there are none.
func encode(k Kind, have map[string]*Case) ([]byte, error) {
	var list []*Case
	for _, c := range have {
		if c.Kind == k {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	slices.SortFunc(list, func(a, b *Case) int { return strings.Compare(a.ID, b.ID) })
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\"gbt_suite\":%d}\n", version)
	for _, c := range list {
		if err := c.appendLine(&b); err != nil {
			return nil, fmt.Errorf("case %s: %w", c.ID, err)
		}
	}
	return b.Bytes(), nil
}

// Write adds cases to the suite in a folder, which it makes if it is not there.
// Each file is replaced as a whole.
func Write(dir string, cases []Case) error {
	files, err := Grow(dir, cases)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, f := range files {
		if err := replace(f); err != nil {
			return err
		}
	}
	return nil
}

func replace(f File) error {
	tmp, err := os.CreateTemp(filepath.Dir(f.Name), "."+filepath.Base(f.Name)+".tmp-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(f.Data)
	if err = errors.Join(err, tmp.Chmod(0o644), tmp.Sync(), tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), f.Name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}
