package merge

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// The audit of requirement T8: is a state that many tasks pass through one
// thing, or two that look alike? Two histories are merged in one (family,
// signature) state on the promise that what follows does not depend on what came
// before. The audit tests that promise where there is enough traffic to tell.
//
// For every state the tasks are laid out by the macro before it and the macro
// after it, the end of the episode among them. A state is aliased if a G-test of
// independence (Sokal and Rohlf, Biometry, 3rd ed., §17.4) rejects it at
// aliasLevel, divided by the number of states audited (Bonferroni), and if the
// macro before explains at least aliasShare of the entropy of what comes next:
// with enough tasks the least difference is significant, and most don't matter.
const (
	aliasTraffic = 20   // tasks from which on a state is audited
	aliasRow     = 5    // tasks a history must have to be compared, and an outcome to stand alone (Cochran's rule)
	aliasLevel   = 0.01 // of the family-wise error
	aliasShare   = 0.1  // share of the entropy: chosen, not measured; a tenth of a choice is a nuisance, not another macro
)

// Alias is a busy state whose successors depend on what came before it.
type Alias struct {
	Family      string   `json:"family"`
	Key         string   `json:"key"`
	Tasks       int      `json:"tasks"`
	Before      []string `json:"before"`      // the histories compared
	Statistic   float64  `json:"statistic"`   // G
	Freedom     int      `json:"freedom"`     // degrees of freedom
	Information float64  `json:"information"` // share of the entropy of what comes next that the macro before explains
	Split       []string `json:"split"`       // histories that have a state of their own
}

// Audit is the outcome of the audit of a tree.
type Audit struct {
	Audited int     `json:"audited"` // states with enough traffic
	Aliased []Alias `json:"aliased"`
}

// keep notes that nothing was split.
func (a *Audit) keep() {
	for i := range a.Aliased {
		a.Aliased[i].Split = []string{}
	}
}

// Splits counts the aliased states that were split.
func (a *Audit) Splits() int {
	n := 0
	for _, x := range a.Aliased {
		if len(x.Split) > 0 {
			n++
		}
	}
	return n
}

// endKey stands for the end of an episode among successors. No action has this
// name.
const endKey = "$"

// trigrams is what came next after a state, by what came before it.
type trigrams map[string]map[string]*count

// add counts a step of a trace. The start state has no history.
func (g trigrams) add(before, next string, t *Trace) {
	if before != "" {
		g.at(before, next).add(t)
	}
}

func (g trigrams) at(before, next string) *count {
	if g[before] == nil {
		g[before] = map[string]*count{}
	}
	c := g[before][next]
	if c == nil {
		c = &count{}
		g[before][next] = c
	}
	return c
}

func (g trigrams) union(o trigrams) {
	for before, row := range o {
		for next, c := range row {
			g.at(before, next).union(c)
		}
	}
}

// table is the contingency table of one state: tasks by row and column.
type table struct {
	rows []string
	n    [][]float64
	all  float64
}

// newTable keeps the histories with enough tasks; what follows in few is one
// column.
func newTable(cells Contexts) table {
	columns := map[string]float64{}
	var rows []string
	for _, before := range sortedKeys(cells) {
		sum := 0.0
		for _, n := range cells[before] {
			sum += float64(n)
		}
		if sum < aliasRow {
			continue
		}
		rows = append(rows, before)
		for next, n := range cells[before] {
			columns[next] += float64(n)
		}
	}
	index := map[string]int{}
	for _, next := range sortedKeys(columns) {
		if columns[next] >= aliasRow {
			index[next] = len(index)
		}
	}
	t := table{rows: rows}
	for _, before := range rows {
		row := make([]float64, len(index)+1) // the last is for the rest
		for next, n := range cells[before] {
			i, ok := index[next]
			if !ok {
				i = len(index)
			}
			row[i] += float64(n)
		}
		t.n = append(t.n, row)
		for _, x := range row {
			t.all += x
		}
	}
	return t
}

// test returns G, its degrees of freedom and the share of the columns' entropy
// that the rows explain. G is twice the tasks times the mutual information.
func (t *table) test() (g float64, freedom int, share float64) {
	columns := make([]float64, 0)
	for _, row := range t.n {
		columns = append(columns, make([]float64, len(row)-len(columns))...)
		for j, x := range row {
			columns[j] += x
		}
	}
	used, entropy := 0, 0.0
	for _, x := range columns {
		if x > 0 {
			used++
			entropy -= x / t.all * math.Log(x/t.all)
		}
	}
	info := 0.0
	for _, row := range t.n {
		sum := 0.0
		for _, x := range row {
			sum += x
		}
		for j, x := range row {
			if x > 0 {
				info += x / t.all * math.Log(x*t.all/(sum*columns[j]))
			}
		}
	}
	freedom = (len(t.n) - 1) * (used - 1)
	if freedom <= 0 || entropy == 0 {
		return 0, 0, 0
	}
	return thousandths(2 * t.all * info), freedom, thousandths(info / entropy)
}

// thousandths rounds what a decision rests on, far coarser than any difference
// between processors.
func thousandths(x float64) float64 { return math.Round(x*1000) / 1000 }

// rejects reports whether a G is too large for independence at a level.
func rejects(g float64, freedom int, level float64) bool {
	return freedom > 0 && g > thousandths(distuv.ChiSquared{K: float64(freedom)}.Quantile(1-level))
}

// audit tests all busy states of the families that a mask has evidence of.
func (ev *Evidence) audit(mask Mask) Audit {
	type tested struct {
		Alias
		cells trigrams
	}
	var all []tested
	for _, name := range ev.Families() {
		states := ev.families[name].states
		for _, key := range sortedKeys(states) {
			cells := states[key].split
			tab := newTable(cells.tasks(mask))
			if tab.all < aliasTraffic {
				continue
			}
			a := Alias{Family: name, Key: key, Tasks: int(tab.all), Before: tab.rows}
			a.Statistic, a.Freedom, a.Information = tab.test()
			all = append(all, tested{a, cells})
		}
	}
	out := Audit{Audited: len(all), Aliased: []Alias{}}
	for _, a := range all {
		if a.dependent(len(all)) {
			a.Split = separable(a.cells, a.Before, mask)
			out.Aliased = append(out.Aliased, a.Alias)
		}
	}
	return out
}

// splits gives the histories to split off by family and key.
func (a *Audit) splits() map[string]map[string][]string {
	out := map[string]map[string][]string{}
	for _, x := range a.Aliased {
		if out[x.Family] == nil {
			out[x.Family] = map[string][]string{}
		}
		out[x.Family][x.Key] = x.Split
	}
	return out
}

// separable returns the histories that a state of their own would cost nothing:
// in every fold, each step that tasks held out took after that history is known
// from the other folds after the same history, wherever the pooled state knows
// it; and there are fewer successors to offer.
func separable(cells trigrams, rows []string, mask Mask) []string {
	out := []string{}
	for _, before := range rows {
		if fewer(cells, before, mask) && !loses(cells, before, mask) {
			out = append(out, before)
		}
	}
	return out
}

// fewer reports whether the pooled state offers a successor that this history
// never had.
func fewer(cells trigrams, before string, mask Mask) bool {
	for other := range cells {
		for next, c := range cells[other] {
			if next != endKey && c.in(mask).Success > 0 && !seen(cells[before][next], mask) {
				return true
			}
		}
	}
	return false
}

// loses reports whether a held-out step would be lost by the split.
func loses(cells trigrams, before string, mask Mask) bool {
	for next, c := range cells[before] {
		if next == endKey {
			continue
		}
		for f := range Folds {
			rest := mask &^ (1 << f)
			if mask.has(f) && c.success[f] > 0 && !seen(c, rest) && pooled(cells, next, rest) {
				return true
			}
		}
	}
	return false
}

func seen(c *count, mask Mask) bool { return c != nil && c.in(mask).Success > 0 }

func pooled(cells trigrams, next string, mask Mask) bool {
	for before := range cells {
		if seen(cells[before][next], mask) {
			return true
		}
	}
	return false
}
