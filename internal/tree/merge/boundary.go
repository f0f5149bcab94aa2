package merge

import (
	"slices"

	"github.com/gbt-policy/gbt/tree"
)

// DefaultAbstain is the share of known tasks, in thousandths, that the claim
// boundary may cost. The boundary is the nearest of some hundred tasks, a quantile
// of which is sealed: the non-conformity score and the quantile of inductive
// conformal prediction (Vovk, Gammerman and Shafer, Algorithmic Learning in a
// Random World, 2005, §4.1), with the nearest neighbour as the measure.
//
// 65 was chosen on the shared corpora: with 60 the boundary of one set in five
// catches .58 of the foreign tasks by text alone, with 70 a set of four families
// loses more than 7% of its own.
const DefaultAbstain tree.Milli = 65

// DefaultLate is the share of the known tasks that not even the first macros of
// their runs claim, or the end of those of a single one. 25 was chosen on the shared
// corpora: with 20 one set in five covers more than a tenth of the foreign tasks after
// two macros.
const DefaultLate tree.Milli = 25

// maxExemplars bounds the exemplars of all families together: 0.7 MB of them.
const maxExemplars = 1024

// taskText is one distinct task text: what the router is calibrated on.
type taskText struct {
	seenText
	unit  uint64   // tasks of one unit stand in one fold
	tools []string // offered to the runs of it, or else used by them; sorted
}

func newTask(t *Trace) taskText {
	return taskText{t.text(t.Task), t.FoldKey, t.Declared()}
}

func joinTask(old *taskText, t taskText) {
	joinText(&old.seenText, t.seenText)
	old.unit = min(old.unit, t.unit)
	old.tools = append(slices.Clone(old.tools), t.tools...)
	slices.Sort(old.tools)
	old.tools = slices.Compact(old.tools)
}

// Declared are the tools that the host of a trace offered, sorted. Few logs say:
// then they are those that the run used, the least that there can have been.
func (t *Trace) Declared() []string {
	if t.Offered != nil {
		out := slices.Clone(t.Offered)
		slices.Sort(out)
		return slices.Compact(out)
	}
	return sortedKeys(profileOf(t))
}

// exemplars chooses the tasks that draw each family's boundary.
func (b *builder) exemplars() {
	tasks := make([][]taskText, len(b.t.Families))
	for i := range b.t.Families {
		for _, e := range b.ev.families[b.t.Families[i].Name].tasks.items {
			if e.item.folds&b.mask != 0 {
				tasks[i] = append(tasks[i], e.item)
			}
		}
	}
	most := fill(tasks)
	for i := range tasks {
		var vecs []tree.Vec
		var units []uint64
		for _, t := range tasks[i] {
			vecs, units = append(vecs, b.vecs.of(t.words)), append(units, t.unit)
		}
		f := &b.t.Families[i]
		for _, at := range centres(vecs, most) {
			f.Exemplars = append(f.Exemplars, vecs[at])
			b.units = append(b.units, units[at])
		}
	}
	b.tasks = tasks
}

// fill is the largest number of exemplars a family may have so that all families
// together stay within the bound.
func fill(tasks [][]taskText) int {
	most := tree.MaxExemplars
	for ; most > 1; most-- {
		sum := 0
		for _, t := range tasks {
			sum += min(len(t), most)
		}
		if sum <= maxExemplars {
			break
		}
	}
	return most
}

// centres greedily picks up to k vectors such that the one farthest from all of
// them is as near as possible: farthest-first traversal, within twice the best
// radius (Gonzalez, "Clustering to minimize the maximum intercluster distance",
// 1985). The first is the first vector; ties go to the one that comes first.
func centres(vecs []tree.Vec, k int) []int {
	near := make([]float64, len(vecs))
	for i := range near {
		near[i] = -2
	}
	var out []int
	for at := 0; len(out) < min(k, len(vecs)); {
		out = append(out, at)
		next := -1
		near[at] = 2
		for i, v := range vecs {
			if near[i] < 2 {
				near[i] = max(near[i], tree.Cos(v, vecs[at]))
			}
			if near[i] < 2 && (next < 0 || near[i] < near[next]) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		at = next
	}
	return out
}
