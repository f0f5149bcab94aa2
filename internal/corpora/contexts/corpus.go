package contexts

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"

	"github.com/gbt-policy/gbt/gates"
)

// Label says what is known about a context.
type Label uint8

// The labels. The zero value is the one that must never be let through.
const (
	Unsafe Label = iota
	Benign
	numLabels
)

var labelNames = [numLabels]string{"unsafe", "benign"}

// String returns the label as the file has it.
func (l Label) String() string {
	if l < numLabels {
		return labelNames[l]
	}
	return "invalid"
}

// MaxEvidence bounds the evidence kept with one row; the least is kept, so that
// order does not matter. Total counts all.
const MaxEvidence = 8

// Evidence is one occurrence of a context in an episode.
type Evidence struct {
	Episode string // digest of the episode, hex
	Task    string // digest of the task, hex: runs of one task are no independent evidence
	Group   string // suite, repository or site
	From    int    // the first step of the window that shows it
	To      int    // its last step, the call itself
	Rule    string // the monitor or checker whose verdict it is
	Detail  string // its own words
	Basis   string // what makes an unsafe occurrence one; empty in files of version 1
}

// Row is one recorded context.
type Row struct {
	ID       string // SHA-256 of Context, hex
	Label    Label
	Context  []byte // canonical form, redacted
	Tool     string
	Family   string
	Resource string // resource type
	Macro    string // key of the macro it was part of
	Evidence []Evidence
	Total    int // occurrences, of which Evidence holds some
}

// NewRow makes the row of a redacted context.
func NewRow(l Label, c *gates.Context, macro string, ev Evidence) Row {
	data := c.AppendCanonical(nil)
	return Row{
		ID: ID(data), Label: l, Context: data, Tool: c.ToolName(), Family: c.Class.Family.String(),
		Resource: c.Class.Resource.String(), Macro: macro, Evidence: []Evidence{ev}, Total: 1,
	}
}

// ID names a context by its canonical form.
func ID(canonical []byte) string {
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:])
}

type rowKey struct {
	label Label
	id    string
}

// Corpus is a set of rows that only grows. The zero value is empty.
type Corpus struct {
	rows map[rowKey]*Row
}

// Add adds a row, or the evidence of one that is there.
func (c *Corpus) Add(r Row) {
	if c.rows == nil {
		c.rows = map[rowKey]*Row{}
	}
	have := c.rows[rowKey{r.Label, r.ID}]
	if have == nil {
		r.Evidence = slices.Clone(r.Evidence)
		have = &r
		c.rows[rowKey{r.Label, r.ID}] = have
	} else {
		have.merge(&r)
	}
	slices.SortFunc(have.Evidence, compareEvidence)
	have.Evidence = slices.Compact(have.Evidence)
	have.Evidence = have.Evidence[:min(len(have.Evidence), MaxEvidence)]
}

// merge adds the evidence of r. A row that was written before and is read again
// has all its evidence already.
func (r *Row) merge(from *Row) {
	known := len(from.Evidence) > 0
	for _, e := range from.Evidence {
		known = known && slices.Contains(r.Evidence, e)
	}
	if known {
		r.Total = max(r.Total, from.Total)
		return
	}
	r.Total += from.Total
	r.Evidence = append(r.Evidence, from.Evidence...)
	r.Macro = min(r.Macro, from.Macro)
}

func compareEvidence(a, b Evidence) int {
	return cmp.Or(cmp.Compare(a.Task, b.Task), cmp.Compare(a.Episode, b.Episode), cmp.Compare(a.To, b.To), cmp.Compare(a.From, b.From),
		cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Detail, b.Detail), cmp.Compare(a.Group, b.Group), cmp.Compare(a.Basis, b.Basis))
}

// Len is the number of rows with a label.
func (c *Corpus) Len(l Label) int {
	n := 0
	for k := range c.rows {
		if k.label == l {
			n++
		}
	}
	return n
}

// Rows returns the rows with a label, sorted by id. They must not be changed.
func (c *Corpus) Rows(l Label) []*Row {
	var out []*Row
	for k, r := range c.rows {
		if k.label == l {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b *Row) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

// Leaves are the leaves of the Merkle tree that the artifact pins: the rows
// with a label in order, each as the hash of its context and its evidence.
func (c *Corpus) Leaves(l Label) [][]byte {
	var out [][]byte
	for _, r := range c.Rows(l) {
		out = append(out, r.leaf())
	}
	return out
}

// leaf hashes the label, the context and the evidence, each text with its
// length before it. Evidence with a basis makes a leaf of the second form, which
// begins with its name, so that no leaf of one form is one of the other.
func (r *Row) leaf() []byte {
	var b bytes.Buffer
	put := func(s string) {
		b.Write(binary.BigEndian.AppendUint64(nil, uint64(len(s))))
		b.WriteString(s)
	}
	based := slices.ContainsFunc(r.Evidence, func(e Evidence) bool { return e.Basis != "" })
	if based {
		put("gbt row 2")
	}
	put(r.Label.String())
	put(r.ID)
	put(r.Macro)
	b.Write(binary.BigEndian.AppendUint64(nil, uint64(r.Total)))
	for _, e := range r.Evidence {
		for _, s := range []string{e.Episode, e.Task, e.Group, e.Rule, e.Detail} {
			put(s)
		}
		if based {
			put(e.Basis)
		}
		b.Write(binary.BigEndian.AppendUint64(nil, uint64(e.From)))
		b.Write(binary.BigEndian.AppendUint64(nil, uint64(e.To)))
	}
	sum := sha256.Sum256(b.Bytes())
	return sum[:]
}

// Has says whether a context is recorded under a label.
func (c *Corpus) Has(l Label, id string) bool { return c.rows[rowKey{l, id}] != nil }
