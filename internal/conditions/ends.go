package conditions

import (
	"maps"
	"slices"

	"github.com/gbt-policy/gbt/internal/gates/learn"
)

// tryEnds looks for conditions on ends (requirement V5): what runs that succeeded had after
// their last call of an action, and runs that failed had less often. That they had it less
// often is Fisher's exact test of tasks; a task whose failed runs had it once counts as one
// that had it.
func (t *Tried) tryEnds(runs []Run, o Options) {
	good, bad := map[slot]evidence{}, map[slot]evidence{}
	for i := range runs {
		into := bad
		if runs[i].Success {
			into = good
		}
		gatherEnds(&runs[i], into)
	}
	for _, k := range slices.SortedFunc(maps.Keys(good), compareSlots) {
		if len(good[k]) < o.Least {
			continue
		}
		c, tried := good[k].best(k)
		if t.endsTried += tried; len(c.Needs) > 0 && c.lower >= o.Advice {
			c.against(bad[k])
			t.ends = append(t.ends, c)
		}
	}
}

// gatherEnds notes the last call of each action of a run that ended well.
func gatherEnds(r *Run, slots map[slot]evidence) {
	seen := map[string]bool{finish: true}
	for i := len(r.Steps) - 1; i >= 0; i-- {
		s := &r.Steps[i]
		if s.Fact == nil || seen[s.Act] {
			continue
		}
		seen[s.Act] = true
		note(slots, slot{act: s.Act}, instance{r, i, met(s, "", r.Steps[i+1:])})
	}
}

// against makes a candidate one on ends, with the evidence of runs that failed.
func (c *candidate) against(bad evidence) {
	held := 0
	for _, list := range bad {
		if slices.ContainsFunc(list, func(x instance) bool { return anyHeld(&x, c.Needs) }) {
			held++
		}
	}
	c.End = true
	c.p = learn.ByChance(int(c.Held), int(c.Tasks), held, len(bad))
	c.Chance = uint32(1000 * held / max(len(bad), 1))
}
