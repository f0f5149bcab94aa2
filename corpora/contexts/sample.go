package contexts

import (
	"cmp"
	"slices"
)

// stratum is a cell of the balanced benign corpus: resource type, macro
// neighbourhood and tool (003 §B.5).
type stratum struct{ resource, macro, tool string }

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
		s := stratum{r.Resource, r.Macro, r.Tool}
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
