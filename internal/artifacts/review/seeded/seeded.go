package seeded

import "github.com/gbt-policy/gbt/artifacts"

// Change is one change of Base.
type Change struct {
	Name string
	// Fields of the format that it touches, as "SECTION.name".
	Fields []string
	// Rule is what finds it (review.Rules); empty for a change that is harmless.
	Rule string
	Edit func(*artifacts.Policy)
}

// Weakens says whether more calls may pass than before, more is claimed, or less is
// known of where the policy comes from.
func (c *Change) Weakens() bool { return c.Rule != "" }

// All are all changes, the harmless ones first.
func All() []Change {
	out := harmless()
	for _, list := range [][]Change{onGates(), onNodes(), onSettings(), onClaims(), onEvidence()} {
		out = append(out, list...)
	}
	return out
}

// Idle says of every field that no change attacks why there is none.
func Idle() map[string]string {
	const (
		named  = "a name for people; what it stands for is compared by its place or its other fields"
		text   = "words for people and models; whoever compares shows them, no rule can judge them"
		order  = "only orders what is offered anyway, or is counted to show"
		layout = "follows from other fields: the reader refuses any other value"
		record = "says where the policy comes from; no decision reads it"
	)
	return map[string]string{
		"META.name": named, "SCHM.name": named, "FAMS.name": named, "CORP.name": named, "REPT.name": named, "CLUS.key": named,
		"GATE.message": text, "STAT.description": text, "FAMS.fixes": text, "LEAF.tasks": text,
		"PARM.beta": order, "PARM.route_switch": order, "STAT.tools": order, "STAT.next": order, "STAT.evidence": order, "NODE.evidence": order,
		"CLUS.evidence": order, "LEAF.count": order, "FAMS.vocabulary": order, "FAMS.common": order, "STAT.observed": order, "REPT.value": order,
		"FAMS.first": layout, "FAMS.start": layout, "FAMS.node": layout, "ENCO.dimensions": layout, "STAT.family": layout,
		"PROV.tool": record, "PROV.config": record, "PROV.inputs": record, "PROV.episodes": record,
		"CORP.root": "changes whenever a context is seen again; with the corpora beside the policies their rows are compared",
	}
}
