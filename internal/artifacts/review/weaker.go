package review

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/artifacts/field"
	"github.com/gbt-policy/gbt/tree"
)

// This file finds what weakens beside gates and guardrail: where a policy comes
// from, what its evidence is, and what it claims to know.

// signers names who signed, for a sentence.
func signers(info *artifacts.Info) string {
	var out []string
	for _, id := range info.KeyIDs {
		out = append(out, short(id))
	}
	return strings.Join(out, " and ")
}

// lineage compares who signed the policies, and says whether the new one follows
// the old one.
func (c *comparison) lineage(old, new *artifacts.Info) {
	switch {
	case len(old.KeyIDs) > 0 && len(new.KeyIDs) == 0:
		c.weakens("lineage/signature", "the new policy is not signed, the old one is, by %s", signers(old))
	case slices.ContainsFunc(old.KeyIDs, func(id string) bool { return !slices.Contains(new.KeyIDs, id) }):
		c.weakens("lineage/key", "the new policy is signed by %s, the old one by %s", signers(new), signers(old))
	}
	if c.out.Same {
		return
	}
	a, b := c.a.p, c.b.p
	if b.Sequence <= a.Sequence {
		c.weakens("lineage/sequence", "sequence number %d is not higher than %d: the new policy is not a later one", b.Sequence, a.Sequence)
	}
	switch b.Parent {
	case old.Digest:
	case "":
		c.weakens("lineage/parent", "the new policy has no parent: nothing made it keep the gates of the old one")
	default:
		c.weakens("lineage/parent", "the new policy was made from %s, which is not the old one", short(b.Parent))
	}
}

// claimed says which way a setting of PARM claims more tasks or steps, or lets a
// run go further from what was seen. Settings that are not here only order
// choices, or are kept for the record.
var claimed = map[string]field.Loosens{
	"theta_high": field.Less, "theta_low": field.Less, "explore_budget": field.More,
	"route_abstain": field.Less, "route_keep": field.Less,
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
	c.posterior(c.a.p.Params.Posterior, c.b.p.Params.Posterior)
	if a, b := c.a.p.Encoder, c.b.p.Encoder; a != b {
		c.weakens("claim/encoder", "thresholds and vectors belong to encoder %s %s, before to %s %s", quote(b.ID), short(b.Digest), quote(a.ID), short(a.Digest))
	}
}

// fitted are the limits that distilling fits to the tasks of the policy.
var fitted = []string{"route_near", "route_offered", "route_words", "route_late", "route_late_offered"}

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

// posterior finds a posterior by which every match is surer. Fitted to other tasks it
// may be so by a little.
func (c *comparison) posterior(old, new [4]tree.Milli) {
	const what = "the posterior says of every match that it is surer than before: more is claimed"
	little := true
	for i := range old {
		little = little && 100*int64(new[i]-old[i]) <= mostRefit*int64(max(old[i], -old[i]))
	}
	switch {
	case !raised(old, new):
	case c.otherTasks() && little:
		c.out.Refitted = append(c.out.Refitted, what)
	default:
		c.weakens("claim/threshold", what)
	}
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

// claimedState finds what makes a macro count as less risky, or lets it be
// entered earlier.
func (c *comparison) claimedState(i, j int32) {
	old, new := &c.a.p.Tree.States[i], &c.b.p.Tree.States[j]
	name := quote(c.b.family(j).Name) + " " + quote(new.Key)
	if new.Risk < old.Risk {
		c.weakens("claim/state", "macro %s has risk %d, it had %d", name, new.Risk, old.Risk)
	}
	less := func(what string, was, is []string) {
		for _, s := range was {
			if !slices.Contains(is, s) {
				c.weakens("claim/state", "macro %s no longer %s %s", name, what, quote(s))
			}
		}
	}
	less("comes after", c.a.keys(old.Pre.After), c.b.keys(new.Pre.After))
	less("needs the tool", old.Pre.Tools, new.Pre.Tools)
	if new.Generic && !old.Generic {
		c.weakens("claim/state", "macro %s is offered wherever nothing else matches", name)
	}
}

// corpora finds evidence that is gone. Another root says nothing by itself: a
// context that is seen again changes it. Weigh knows whether rows are gone.
func (c *comparison) corpora() {
	_, gone, both := split(c.a.p.Corpora, c.b.p.Corpora, func(r artifacts.CorpusRoot) string { return r.Name })
	for _, r := range gone {
		c.weakens(corpusRule(r.Name), "corpus %s of %d rows is gone", quote(r.Name), r.Rows)
	}
	for _, r := range both {
		if r.new.Rows < r.old.Rows {
			c.weakens(corpusRule(r.old.Name), "corpus %s has shrunk from %d rows to %d", quote(r.old.Name), r.old.Rows, r.new.Rows)
		}
	}
}

func corpusRule(name string) string {
	if name == "benign" {
		return "evidence/benign"
	}
	return "evidence/unsafe"
}
