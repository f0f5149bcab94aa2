package review

import "github.com/gbt-policy/gbt/artifacts"

// Looser says which settings of a policy let more calls pass than those of an
// older one, or may: its guardrail, its tool schemas, and what else the table of
// the format says loosens. The bounds of the pack are not among them: no file can
// raise them over the largest. They are findings of Compare, in the same words; a
// policy that only tightens has none.
func Looser(old, new *artifacts.Policy) []string {
	return looser(old, new, tableOf(artifacts.Fields()))
}

func looser(old, new *artifacts.Policy, t table) []string {
	c := &comparison{a: &side{p: old}, b: &side{p: new}, table: t, out: &Changes{}}
	c.guardrail()
	c.schemas()
	var unused []Change
	for _, tag := range []string{"META", "PARM", "ENCO", "PROV"} {
		c.one(t.more[tag], "", &unused)
	}
	c.moreGates(&unused)
	c.moreSchemas(&unused)
	var out []string
	for _, f := range c.out.Weakens {
		out = append(out, f.Message)
	}
	return out
}
