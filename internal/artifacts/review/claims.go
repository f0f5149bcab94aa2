package review

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/artifacts/field"
	"github.com/gbt-policy/gbt/tree"
)

// This file finds settings by which a policy claims to know more than before, or
// lets a run go further from what was seen.

// claimed says which way a setting of PARM claims more tasks or steps, or lets a
// run go further from what was seen. Settings that are not here only order
// choices, or are kept for the record.
var claimed = map[string]field.Loosens{
	"theta_high": field.Less, "theta_low": field.Less, "ambiguous": field.Less, "explore_budget": field.More, "alpha": field.More,
	"route_abstain": field.Less, "route_keep": field.Less, "route_temperature": field.Less, "route_every": field.More,
	"route_near": field.Less, "route_offered": field.Less, "route_words": field.Less,
	"env_cos": field.Less, "lambda": field.Less, "max_recovery": field.More,
	"max_children": field.More, "allowed_share": field.More, "novelty": field.Less,
}

// claims finds settings by which the new policy claims more.
func (c *comparison) claims() {
	rows := c.table.all["PARM"]
	for i := range rows {
		r := &rows[i]
		old, new := r.At(c.a.p, 0), r.At(c.b.p, 0)
		was, _ := number(old)
		is, _ := number(new)
		l, ok := claimed[r.Name]
		more := ok && (l == field.Less && is < was || l == field.More && is > was)
		if strings.HasPrefix(r.Name, "route_late") { // 0 claims none
			more = is > 0 && (was == 0 || is < was)
		}
		what := fmt.Sprintf("%s went from %v to %v: more is claimed", r.Name, value(old), value(new))
		switch {
		case more && c.fittedAgain(r.Name, was, is):
			c.out.Refitted = append(c.out.Refitted, what)
		case more:
			c.weakens("claim/threshold", "%s", what)
		}
	}
	c.posterior(&c.a.p.Params, &c.b.p.Params)
	if a, b := c.a.p.Encoder, c.b.p.Encoder; a != b {
		c.weakens("claim/encoder", "thresholds and vectors belong to encoder %s %s, before to %s %s", quote(b.ID), short(b.Digest), quote(a.ID), short(a.Digest))
	}
}

// fitted are the limits that distilling fits to the tasks of the policy.
var fitted = []string{"route_temperature", "route_near", "route_offered", "route_words", "route_late", "route_late_offered"}

// mostRefit is by what part a limit may fall when it is fitted again to other
// tasks, in percent, before that counts as weaker. It is a choice: on the example
// logs, two layouts against all four, three limits fell by 4 to 9 percent.
const mostRefit = 20

// fittedAgain says whether a lower limit is what other tasks make of it: it is one
// that is fitted, there are other tasks, and it fell only a little.
func (c *comparison) fittedAgain(name string, was, is int64) bool {
	return slices.Contains(fitted, name) && c.otherTasks() && is > 0 && is*100 >= was*(100-mostRefit) && was > 0
}

// otherTasks says whether the new policy was made from other tasks than the old.
func (c *comparison) otherTasks() bool {
	return !reflect.DeepEqual(c.a.p.TaskDigests, c.b.p.TaskDigests)
}

// posterior finds a posterior by which every match is surer, or far more of them are
// sure. Fitted to other tasks it may be so by a little.
func (c *comparison) posterior(old, new *tree.Params) {
	const what = "the posterior says of every match that it is surer than before: more is claimed"
	little := true
	for i := range old.Posterior {
		was, is := old.Posterior[i], new.Posterior[i]
		little = little && 100*int64(is-was) <= mostRefit*int64(max(was, -was))
	}
	was, is := sure(old, old.ThetaHigh), sure(new, old.ThetaHigh)
	switch {
	case old.Profile == tree.ReferenceProfile || new.Profile == tree.ReferenceProfile: // it is not used there
	case raised(old.Posterior, new.Posterior) && c.otherTasks() && little:
		c.out.Refitted = append(c.out.Refitted, what)
	case raised(old.Posterior, new.Posterior):
		c.weakens("claim/threshold", what)
	case is > was+mostRefit:
		c.weakens("claim/threshold", "the posterior says of %d%% of all possible matches that they are sure, before of %d%%: more is claimed", is, was)
	}
}

// surePoints is how many values of share, margin and similarity are looked at: tenths.
const surePoints = 10

// sure is the percentage of possible matches by words that a posterior puts at or over
// a threshold. A lead is never larger than the share it is a lead of.
func sure(p *tree.Params, theta tree.Milli) int {
	yes, all := 0, 0
	for share := range tree.Milli(surePoints + 1) {
		for margin := range share + 1 {
			for sim := range tree.Milli(surePoints + 1) {
				all++
				if p.Judge(share*1000/surePoints, margin*1000/surePoints, sim*1000/surePoints) >= theta {
					yes++
				}
			}
		}
	}
	return yes * 100 / all
}

// raised says whether no coefficient is lower and some are higher. All of what
// they stand before is positive, so the probability of every match is higher; a
// fit in which some rise and others fall says nothing of that kind.
func raised(old, new [4]tree.Milli) bool {
	for i := range old {
		if new[i] < old[i] {
			return false
		}
	}
	return old != new
}
