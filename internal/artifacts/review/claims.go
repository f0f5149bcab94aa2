package review

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/gbt-policy/gbt/internal/artifacts/field"
	"github.com/gbt-policy/gbt/tree"
)

// This file finds settings by which a policy claims to know more than before, or
// lets a run go further from what was seen.

// claim is what a setting of PARM does to what is claimed: the way in which more is,
// and what that means to somebody who runs the policy.
type claim struct {
	way   field.Loosens
	means string
}

// claimed are the settings by which more tasks or steps are claimed, or a run may go
// further from what was seen. Those that are not here only order choices, or are kept
// for the record.
var claimed = map[string]claim{
	"theta_high":         {field.Less, "weaker matches count as sure"},
	"theta_low":          {field.Less, "weaker matches are followed at all"},
	"ambiguous":          {field.Less, "fewer close choices between two steps are reported"},
	"explore_budget":     {field.More, "a run may take more steps that the policy does not know"},
	"alpha":              {field.More, "matches by words look surer"},
	"route_abstain":      {field.Less, "a task goes to a family that leads by less"},
	"route_keep":         {field.Less, "less likely families stay open for a task"},
	"route_temperature":  {field.Less, "the likeliest family of a task looks clearer"},
	"route_every":        {field.More, "a run in the wrong family is noticed later"},
	"env_cos":            {field.Less, "ways out lead to endings in less similar surroundings"},
	"lambda":             {field.Less, "ways out avoid risky steps less"},
	"max_recovery":       {field.More, "ways out may be longer"},
	"max_children":       {field.More, "more next steps are offered"},
	"allowed_share":      {field.More, "more next steps are offered"},
	"novelty":            {field.Less, "common steps are offered at more places"},
	"route_near":         {field.Less, "tasks less like known ones are taken for known"},
	"route_offered":      {field.Less, "tasks less like known ones are taken for known"},
	"route_words":        {field.Less, "tasks with fewer known words are taken for known"},
	"route_late":         {lateLess, "more far tasks are taken for known by their first steps"},
	"route_late_offered": {lateLess, "more far tasks are taken for known by their first steps"},
}

// lateLess is field.Less for a limit of which 0 claims nothing.
const lateLess = field.Judged

// more says whether a value claims more than the one before.
func (c claim) more(was, is int64) bool {
	switch c.way {
	case field.Less:
		return is < was
	case field.More:
		return is > was
	}
	return is > 0 && (was == 0 || is < was)
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
		more := ok && l.more(was, is)
		what := fmt.Sprintf("%s: %s went from %v to %v", l.means, r.Name, value(old), value(new))
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
