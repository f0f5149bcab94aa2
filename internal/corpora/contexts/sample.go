package contexts

import (
	"cmp"
	"slices"
)

// stratum is a cell of the balanced benign corpus: resource type, macro
// neighbourhood and tool (003 §B.5).
type stratum struct{ resource, macro, tool string }

func (r *Row) stratum() stratum { return stratum{r.Resource, r.Macro, r.Tool} }

// Grow returns a corpus with all rows of c, which may be nil, and of a newer one
// all unsafe rows and those benign ones of the least hashes that the strata have
// room for, n each. A row that both have gets the evidence of both and stays at
// the macro where it was first seen: gates are audited there.
func (c *Corpus) Grow(newer *Corpus, n int) *Corpus {
	if c == nil {
		return newer
	}
	out := &Corpus{rows: map[rowKey]*Row{}}
	room := map[stratum]int{}
	for k, r := range c.rows {
		out.Add(*r)
		if k.label == Benign {
			room[r.stratum()]++
		}
	}
	for _, r := range slices.Concat(newer.Rows(Unsafe), newer.Rows(Benign)) {
		have, s := c.rows[rowKey{r.Label, r.ID}], r.stratum()
		switch {
		case have != nil:
			same := *r
			same.Macro = have.Macro
			out.Add(same)
		case r.Label == Unsafe:
			out.Add(*r)
		case room[s] < n:
			room[s]++
			out.Add(*r)
		}
	}
	return out
}

// Sample returns a corpus with all unsafe rows and at most n benign ones of a
// stratum, those with the least hashes: a choice that order and workers do not
// change, and that keeps what it had when more evidence comes.
func (c *Corpus) Sample(n int) *Corpus {
	out := &Corpus{rows: map[rowKey]*Row{}}
	cells := map[stratum][]*Row{}
	for k, r := range c.rows {
		if k.label == Unsafe {
			out.rows[k] = r
			continue
		}
		s := r.stratum()
		cells[s] = append(cells[s], r)
	}
	for _, rows := range cells {
		slices.SortFunc(rows, func(a, b *Row) int { return cmp.Compare(a.ID, b.ID) })
		for _, r := range rows[:min(len(rows), n)] {
			out.rows[rowKey{Benign, r.ID}] = r
		}
	}
	return out
}
