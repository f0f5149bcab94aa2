package review

import "github.com/gbt-policy/gbt/artifacts"

// Looser says which settings of a policy let more calls pass than those of an
// older one, or may: its guardrail and its tool schemas. They are alarms of
// Compare, in the same words; one that only tightens has none.
func Looser(old, new *artifacts.Policy) []string {
	c := &comparison{a: &side{p: old}, b: &side{p: new}, out: &Changes{}}
	c.guardrail()
	c.schemas()
	return c.out.Alarms
}
