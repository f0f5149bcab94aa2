package conditions

import (
	"maps"
	"math"
	"slices"

	"github.com/gbt-policy/gbt/gates"
)

// The two baselines of a condition on calls: how often it would hold before a call that it
// has nothing to do with. A condition counts where one of them is refuted at half the level.
//
//   - order: the order of a run's calls says nothing, so that a call has one of k others
//     before it with k in k+1;
//   - place: what runs of other tasks had established by then, of the same value, says as
//     much.
//
// Both are exact tails of a sum of independent events of unequal chance (Poisson binomial;
// Wang, Statistica Sinica 3, 1993), one for each task: its call for which the chance is
// highest.

// maxPeers bounds the runs of other tasks that a call is compared with, and maxTails the
// tasks whose chances are summed up.
const (
	maxPeers = 32
	maxTails = 500
)

// chances knows runs to compare with: one of each task, by group.
type chances struct{ groups map[string][]*Run }

func newChances(runs []Run) *chances {
	c := &chances{groups: map[string][]*Run{}}
	seen := map[uint64]bool{}
	for i := range runs {
		if r := &runs[i]; r.Success && !seen[r.Task] {
			seen[r.Task] = true
			c.groups[r.Group] = append(c.groups[r.Group], r)
		}
	}
	for _, g := range slices.Sorted(maps.Keys(c.groups)) {
		list := c.groups[g]
		slices.SortFunc(list, func(a, b *Run) int { return compareTasks(a.Task, b.Task) })
		c.groups[g] = list[:min(len(list), maxPeers+1)]
	}
	return c
}

func compareTasks(a, b uint64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// of is the probability of a condition's evidence under the baseline that it refutes, and
// into the mean chance of a task there, in thousandths.
func (b *chances) of(c *gates.Condition, ev evidence, into *uint32) float64 {
	tasks := ev.tasks()
	tasks = tasks[:min(len(tasks), maxTails)]
	var order, place []float64
	held := 0
	for _, t := range tasks {
		o, p := 0.0, 0.0
		for i := range ev[t] {
			x := &ev[t][i]
			o, p = max(o, ordered(c, x)), max(p, b.placed(c, x))
		}
		order, place = append(order, o), append(place, p)
		if allHeld(ev[t], c.Needs) {
			held++
		}
	}
	byOrder, byPlace := atLeast(held, order), atLeast(held, place)
	if *into = mean(order); byPlace < byOrder {
		*into = mean(place)
	}
	return min(1, 2*min(byOrder, byPlace))
}

func mean(list []float64) uint32 {
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return uint32(math.Round(1000 * sum / float64(max(len(list), 1))))
}

// ordered is the chance of a call to have one of the others that meet a need before it.
func ordered(c *gates.Condition, x *instance) float64 {
	s, k := &x.run.Steps[x.at], 0
	if said(c, x) {
		return 1
	}
	for i := range x.run.Steps {
		if o := &x.run.Steps[i]; i != x.at && o.Act != s.Act && len(missing(c, s, x.run.Steps[i:i+1])) == 0 {
			k++
		}
	}
	if k == 0 && anyHeld(x, c.Needs) { // several calls for several values
		k = 1
	}
	return float64(k) / float64(k+1)
}

// placed is the share of runs of other tasks in which a need would have been met by then.
func (b *chances) placed(c *gates.Condition, x *instance) float64 {
	if said(c, x) {
		return 1
	}
	s, n, hit := &x.run.Steps[x.at], 0, 0
	for _, r := range b.groups[x.run.Group] {
		if r.Task == x.run.Task || n == maxPeers {
			continue
		}
		n++
		if len(missing(c, s, r.Steps[:min(x.at, len(r.Steps))])) == 0 {
			hit++
		}
	}
	if n == 0 {
		return 1
	}
	return (float64(hit) + 1) / float64(n+1) // the call itself is one of what was seen
}

// said says whether the user's words alone met a condition: that is nobody's call.
func said(c *gates.Condition, x *instance) bool {
	n := gates.Need{How: gates.HowSaid}
	return x.held[n] && slices.Contains(c.Needs, n)
}

// atLeast is the probability that at least k of independent events happen.
func atLeast(k int, chance []float64) float64 {
	d := make([]float64, len(chance)+1)
	d[0] = 1
	for i, p := range chance {
		for j := i + 1; j > 0; j-- {
			d[j] = d[j]*(1-p) + d[j-1]*p
		}
		d[0] *= 1 - p
	}
	sum := 0.0
	for _, x := range d[k:] {
		sum += x
	}
	return min(sum, 1)
}
