package seeded

import (
	"slices"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/tree"
)

func harmless() []Change {
	return []Change{
		{"statistics", nil, "", func(p *artifacts.Policy) {
			for i := range p.Tree.Nodes {
				p.Tree.Nodes[i].Count.Success += 3
				p.Tree.Nodes[i].Count.Tasks += 2
			}
		}},
		{"a state, an edge and a node", nil, "", Grow},
		{"a family", nil, "", addFamily},
		{"descriptions in other words", nil, "", func(p *artifacts.Policy) {
			s := &p.Tree.States[1]
			s.Desc = "look at what was asked"
			s.Vecs = []tree.Vec{{4, 3, 2, 1}}
		}},
		{"a module less", nil, "", func(p *artifacts.Policy) { p.Guardrail.Rules.Imports = []string{"node:fs", "numpy.linalg.lapack"} }},
		{"a message in other words", nil, "", func(p *artifacts.Policy) { p.Gates[0].Message = "say why first" }},
		{"a gate", nil, "", func(p *artifacts.Policy) {
			addGate(p, artifacts.ScopeGlobal, artifacts.DispositionConsent, "size(ctx.args) <= 30")
		}},
		{"a gate in the place of one it subsumes", nil, "", func(p *artifacts.Policy) {
			swapGate(p, artifacts.DispositionReject, `ctx.effects.all(e, !e.resource.under("/etc") && !e.resource.under("/boot"))`)
		}},
		{"a gate of a subtree that counts everywhere", nil, "", func(p *artifacts.Policy) {
			addGate(p, artifacts.ScopeGlobal, artifacts.DispositionRevise, "size(ctx.args) <= 9")
		}},
		{"a node that asks one gate more", nil, "", func(p *artifacts.Policy) { p.Tree.Nodes[5].Gates = p.Tree.Nodes[4].Gates }},
		{"more evidence", nil, "", func(p *artifacts.Policy) {
			p.Gates[0].Evidence.Unsafe += 9
			p.Gates[0].Evidence.Benign += 40
			p.Gates[0].Evidence.Rejected++
			p.Corpora[1].Rows++
		}},
		{"other figures", nil, "", func(p *artifacts.Policy) { p.Report[0].Value = 700 }},
		{"a narrower workspace", nil, "", func(p *artifacts.Policy) { p.Guardrail.Roots = []string{"/desk/open"} }},
		{"a wider protected path", nil, "", func(p *artifacts.Policy) { p.Guardrail.Rules.Protected = []string{"/desk"} }},
		{"part of a domain that is allowed", nil, "", func(p *artifacts.Policy) {
			p.Guardrail.Rules.Egress = append(p.Guardrail.Rules.Egress, gates.Egress{Domain: "www.example.net", Schemes: []string{"https"}})
		}},
		{"a tighter pack", nil, "", func(p *artifacts.Policy) { p.Pack = p.Pack.Tighten(20, 600, 100_000) }},
		{"a schema by which a tool changes something", nil, "", func(p *artifacts.Policy) { sayOfTool(p, 0, `"read"`, `"write"`) }},
		{"fewer steps claimed", nil, "", func(p *artifacts.Policy) { p.Params.ThetaHigh += 20 }},
		{"limits fitted to more tasks", nil, "", func(p *artifacts.Policy) {
			learnTask(p)
			p.Params.RouteNear, p.Params.RouteWords = 450, 290
		}},
		{"more tasks known, of more logs", nil, "", func(p *artifacts.Policy) {
			learnTask(p)
			f := &p.Tree.Families[1]
			f.Exemplars = append(f.Exemplars, tree.Vec{1, 2, 3, 4})
			f.Tools = append(slices.Clone(f.Tools), "show_ticket")
		}},
		{"an ending, of more successes", nil, "", func(p *artifacts.Policy) {
			p.Tree.Nodes[3].Count.Success++
			p.Tree.Nodes[3].Count.Tasks++
			endAt(p, 3)
		}},
		{"advice that is required now", nil, "", func(p *artifacts.Policy) { conditionOn(p, "edit").Advice = false }},
		{"advice less", nil, "", func(p *artifacts.Policy) { p.Guardrail.Conditions = p.Guardrail.Conditions[:3] }},
		{"fewer failures in a row", nil, "", func(p *artifacts.Policy) { p.Tree.Families[1].Retries[0].Most = 1 }},
		{"a bound on failures less that only advised", nil, "", func(p *artifacts.Policy) { p.Tree.Families[1].Retries = p.Tree.Families[1].Retries[:1] }},
		{"another known fix", nil, "", func(p *artifacts.Policy) { p.Tree.Families[1].Fixes[0].Does = "read" }},
		{"a precondition more", nil, "", func(p *artifacts.Policy) { p.Tree.States[1].Pre.Tools = []string{"read_ticket"} }},
	}
}
