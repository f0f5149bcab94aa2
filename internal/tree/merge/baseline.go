package merge

import "strings"

// maxGram is the longest run of macros that the n-gram baseline looks back on.
// On 115 coding sessions, 2 and 4 were no better (gbt eval coverage --cv).
const maxGram = 3

// start stands before the first macro of an episode.
const start = "^"

// grams counts what followed each run of up to maxGram macros, by fold, so that a
// fold can be judged by all others.
type grams map[string]map[string]*[Folds]int

func (g grams) add(t *Trace) {
	for i := range t.Macros {
		for n := 0; n <= maxGram; n++ {
			c := gramBefore(t, i, n)
			next := g[c]
			if next == nil {
				next = map[string]*[Folds]int{}
				g[c] = next
			}
			if next[t.Macros[i].Key] == nil {
				next[t.Macros[i].Key] = &[Folds]int{}
			}
			next[t.Macros[i].Key][t.Fold()]++
		}
	}
}

// gramBefore is the run of n macros before the i-th, or as many as there are.
func gramBefore(t *Trace, i, n int) string {
	var b strings.Builder
	for j := i - n; j < i; j++ {
		key := start
		if j >= 0 {
			key = t.Macros[j].Key
		}
		b.WriteString(key)
		b.WriteByte(0)
	}
	return b.String()
}

// frequent is the most frequent successor of the macro before the i-th, in the
// other folds: the least name among several.
func (g grams) frequent(t *Trace, i int) string {
	best, most := "", 0
	for key, by := range g[gramBefore(t, i, 1)] {
		if seen := others(by, t.Fold()); seen > most || seen == most && seen > 0 && key < best {
			best, most = key, seen
		}
	}
	return best
}

func others(by *[Folds]int, fold int) int {
	seen := -by[fold]
	for _, c := range by {
		seen += c
	}
	return seen
}

// likeliest is the likeliest next macro where runs of all lengths are weighed by
// how much was seen of each (Witten and Bell 1991, method C): a stronger guess
// than the longest run that was seen alone.
func (g grams) likeliest(t *Trace, i int) string {
	chance := map[string]float64{}
	for n := 0; n <= maxGram; n++ {
		seen := map[string]int{}
		total := 0
		for key, by := range g[gramBefore(t, i, n)] {
			if c := others(by, t.Fold()); c > 0 {
				seen[key] = c
				total += c
			}
		}
		if total == 0 {
			break
		}
		kinds := float64(len(seen))
		for key := range chance {
			chance[key] *= kinds / (float64(total) + kinds)
		}
		for key, c := range seen {
			chance[key] += float64(c) / (float64(total) + kinds)
		}
	}
	best := ""
	for key, c := range chance {
		if best == "" || c > chance[best] || c == chance[best] && key < best {
			best = key
		}
	}
	return best
}

// baselines counts, over the steps at which the agent's words were asked, how
// often the most frequent successor and n-grams name the next macro. They are
// trained as the trees of the folds are: on all successes of the other folds.
func (m *merger) baselines(covers []Coverage) {
	if m.opt.Folds < Folds { // the others were not kept
		return
	}
	g := grams{}
	for i := range m.held.items {
		g.add(m.held.items[i].item.trace)
	}
	for i := range covers {
		t := m.held.items[i].item.trace
		for _, pt := range covers[i].points {
			if pt.generic {
				continue
			}
			want := t.Macros[pt.step].Key
			m.res.Baselines.Steps++
			tally(&m.res.Baselines.Successor, g.frequent(t, pt.step) == want)
			tally(&m.res.Baselines.NGram, g.likeliest(t, pt.step) == want)
		}
	}
}

// Baselines is what guesses without the agent's words get right, of the covered
// steps of held-out episodes before which the agent said something.
type Baselines struct {
	Steps     int
	Successor int // by the most frequent successor of the macro before
	NGram     int // by runs of up to maxGram macros before
}
