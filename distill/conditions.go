package distill

import (
	"maps"
	"math"
	"slices"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/conditions"
)

// maxConditionBytes bounds the runs that are kept for conditions, so that memory does not
// grow with the logs. The shared corpora take a third of it.
const maxConditionBytes = 24 << 20

// conditionRuns keeps the runs of the least keys within the bound, whatever their order.
type conditionRuns struct {
	runs  map[uint64]*conditions.Run
	bytes int
	full  bool
	least uint64 // of the keys that were not kept
}

func (c *conditionRuns) add(key uint64, r *conditions.Run) {
	if r == nil || c.full && key >= c.least {
		return
	}
	if c.runs == nil {
		c.runs = map[uint64]*conditions.Run{}
	}
	c.runs[key] = r
	c.bytes += r.Size()
	for c.bytes > maxConditionBytes {
		c.full, c.least = true, c.most()
		c.bytes -= c.runs[c.least].Size()
		delete(c.runs, c.least)
	}
}

func (c *conditionRuns) most() uint64 {
	out := uint64(0)
	for k := range c.runs {
		out = max(out, k)
	}
	return out
}

// all are the runs in the order of their keys.
func (c *conditionRuns) all() (out []conditions.Run) {
	for _, k := range slices.Sorted(maps.Keys(c.runs)) {
		out = append(out, *c.runs[k])
	}
	return out
}

// conditionRun reads an episode that succeeded or failed.
func (r *run) conditionRun(e *corpora.Episode, it *item) *conditions.Run {
	if r.cfg.Learning.Conditions == ConditionsOff || it.trace == nil || it.use != UseSuccess && it.use != UseFailure {
		return nil
	}
	out := conditions.NewRun(e, it.trace.TaskKey, it.use == UseSuccess, r.checker)
	return &out
}

// mine makes the conditions of the policy.
func (r *run) mine() []gates.Condition {
	opt := conditions.Defaults()
	if r.cfg.Learning.Conditions == ConditionsAdvice {
		opt.Hard = math.Inf(1)
	}
	return conditions.Mine(r.conditions.all(), opt)
}

// keepConditions adds those of a parent that stop calls: what its successor mined may have
// been seen too seldom.
func keepConditions(mined, old []gates.Condition) []gates.Condition {
	out := slices.DeleteFunc(slices.Clone(mined), func(c gates.Condition) bool {
		return c.Advice && slices.ContainsFunc(old, func(o gates.Condition) bool { return !o.Advice && gates.CompareConditions(&o, &c) == 0 })
	})
	for _, o := range old {
		if !o.Advice && !slices.ContainsFunc(out, func(c gates.Condition) bool { return gates.CompareConditions(&o, &c) == 0 }) {
			out = append(out, o)
		}
	}
	slices.SortFunc(out, func(a, b gates.Condition) int { return gates.CompareConditions(&a, &b) })
	return out
}
