// Package trust says for a front end whose policies it opens, and remembers what
// it opened, so that nobody puts an older policy in the place of a newer one.
//
// New reads what a command line names and gives a Door: its Trust goes into
// artifacts.Open or artifacts.OpenRules, and Opened or Refused is told what came
// of it. The memory is a small file beside the policy or where the user wants it;
// FORMAT.md's sequence number is what it holds.
//
// What belongs here: reading the files of keys, and the file of what was seen.
// What never does: verifying (package artifacts, which opens no file), and flags
// and exit codes (cmd/gbt, cmd/gbt-hook).
package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
)

// Options say whose policies are opened. The zero Options open every policy.
type Options struct {
	Keys        []string // files of public keys or key rings, FILE#ROOT for the ring of that root; empty names are left out
	Need        int      // how many different keys must have signed; 0 stands for 1
	MinSequence uint64   // the least sequence number accepted

	// Seen names the file that remembers the newest policy opened; Off for none.
	// Empty stands for the policy's name with SeenSuffix, if there are keys:
	// without them anybody can make a policy with any sequence number.
	Seen string
	// AllowRollback is a person's reason to open a policy older than the one
	// that is remembered, or under another key ring, which is then forgotten. The
	// least sequence number of these options is not touched by it.
	AllowRollback string
}

// Off as the name of a memory stands for none.
const Off = "off"

// SeenSuffix makes the name of a memory out of the policy's.
const SeenSuffix = ".seen"

// ErrUsage is wrapped in errors about the options themselves.
var ErrUsage = errors.New("wrong usage")

// ErrRing is wrapped in errors about key rings that are not believed.
var ErrRing = errors.New("not trusted")

// Door opens one policy's file.
type Door struct {
	Trust artifacts.Trust

	seen     string // name of the memory, or empty
	named    bool   // by the user
	reason   string
	memory   memory
	rings    []seenRing // those of Trust
	explicit uint64     // MinSequence of the options
	lost     bool       // the memory can't be written
}

// trust reads the files of keys. A name that can't be read is an error, never
// less trust.
func (d *Door) trust(o *Options) error {
	d.Trust = artifacts.Trust{Need: o.Need, MinSequence: o.MinSequence}
	for _, name := range o.Keys {
		if name == "" {
			continue
		}
		file, root := splitRoot(name)
		data, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("trusted key: %w", err)
		}
		if root != "" || artifacts.IsRing(data) {
			if err := d.ring(file, data, root); err != nil {
				return err
			}
			continue
		}
		key, err := artifacts.ParsePublicKey(data)
		if err != nil {
			return fmt.Errorf("trusted key %s: %w; gbt keygen writes keys as NAME.pub, gbt keys rings", name, err)
		}
		d.Trust.Keys = append(d.Trust.Keys, key)
	}
	return checkNeed(o.Need, &d.Trust)
}

// splitRoot takes the root off a ring's name.
func splitRoot(name string) (file, root string) {
	file, root, _ = strings.Cut(name, "#")
	if b, err := hex.DecodeString(root); err != nil || len(b) != sha256.Size {
		return name, "" // a file whose name has a #
	}
	return file, root
}

func (d *Door) ring(name string, data []byte, root string) error {
	ring, err := artifacts.OpenRing(data, root)
	if err != nil {
		return fmt.Errorf("%s: %w: %w", name, ErrRing, err)
	}
	d.Trust.Rings = append(d.Trust.Rings, ring)
	d.rings = append(d.rings, seenRing{root: ring.Root, size: ring.Size, digest: digestOf(data[:ring.Size]), data: data})
	return nil
}

// checkNeed finds a need that no policy can meet.
func checkNeed(need int, t *artifacts.Trust) error {
	different := map[string]bool{}
	for _, k := range t.Keys {
		different[string(k)] = true
	}
	for _, r := range t.Rings {
		for _, k := range r.Keys {
			different[string(k.Key)] = true
		}
	}
	switch n := len(different); {
	case need < 0 || need > artifacts.MaxSignatures:
		return fmt.Errorf("%w: a need of %d signatures: a policy has 1 to %d", ErrUsage, need, artifacts.MaxSignatures)
	case need > n:
		return fmt.Errorf("%w: %d different keys must have signed and %d are trusted: name each with trust", ErrUsage, need, n)
	}
	return nil
}

// New reads what the options name for opening a policy's file.
func New(o Options, policy string) (*Door, error) {
	d := &Door{reason: o.AllowRollback, explicit: o.MinSequence, named: o.Seen != "", seen: o.seen(policy)}
	err := d.trust(&o)
	if err != nil || d.seen == "" {
		return d, err
	}
	if d.memory, err = readMemory(d.seen); err != nil {
		return nil, fmt.Errorf("%s, which remembers the newest policy opened: %w", d.seen, err)
	}
	if d.reason != "" {
		return d, nil
	}
	d.Trust.MinSequence = max(o.MinSequence, d.memory.sequence)
	return d, d.memory.grown(d.seen, d.rings)
}

// Files are the files that decide what this door opens, for those who keep an
// agent away from them.
func (o *Options) Files(policy string) []string {
	var out []string
	for _, name := range o.Keys {
		file, _ := splitRoot(name)
		out = append(out, file)
	}
	if seen := o.seen(policy); seen != "" {
		out = append(out, seen)
	}
	return out
}

// seen names the memory, or nothing.
func (o *Options) seen(policy string) string {
	switch {
	case o.Seen == Off:
		return ""
	case o.Seen == "" && slices.ContainsFunc(o.Keys, func(name string) bool { return name != "" }):
		return policy + SeenSuffix
	}
	return o.Seen
}

// Refused adds to the error of a policy that was rolled back how to get out.
func (d *Door) Refused(err error) error {
	var r *artifacts.Refusal
	if !errors.As(err, &r) || r.Step != artifacts.StepSequence || d.memory.sequence <= d.explicit {
		return err
	}
	return fmt.Errorf("%w (%s remembers a newer one). Put the newer policy back; or, if a person wants the older one, gbt verify --allow-rollback REASON with the same --trust lets it be opened again", err, d.seen)
}

// Forgets says, once a policy was opened, what follows from a memory beside it that
// this user may not write; nothing if all is remembered.
func (d *Door) Forgets() string {
	if !d.lost {
		return ""
	}
	return fmt.Sprintf("%s can't be written, so an older policy in the place of this one will be opened too; --seen FILE remembers it elsewhere, --min-sequence N refuses lower ones", d.seen)
}

// Opened remembers the policy that was opened, and the key rings, and says whether
// that took back what was remembered.
func (d *Door) Opened(info *artifacts.Info) (back bool, err error) {
	m := memory{sequence: info.Sequence, rings: sortedRings(d.rings), rollbacks: d.memory.rollbacks}
	if d.seen == "" || m.text() == d.memory.text() {
		return false, nil
	}
	if back = m.sequence < d.memory.sequence || d.memory.grown(d.seen, d.rings) != nil; back { // only with a reason
		m.rollbacks = append(slices.Clone(m.rollbacks), rollback{d.memory.sequence, m.sequence, d.reason})
	}
	err = writeMemory(d.seen, m)
	if err != nil && !d.named && notAllowed(err) {
		// Who may not write beside the policy may not replace it either, so
		// that this is no reason to refuse it: Forgets says what follows.
		d.lost = true
		return back, nil
	}
	if err != nil {
		return back, fmt.Errorf("%s can't remember the policy that was opened: %w", d.seen, err)
	}
	d.memory = m
	return back, nil
}
