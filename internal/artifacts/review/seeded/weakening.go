package seeded

import (
	"slices"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/tree"
)

// onGates are attacks on the library of gates.
func onGates() []Change {
	const tighter = `ctx.effects.all(e, !e.resource.under("/etc") && !e.resource.under("/boot"))`
	return []Change{
		{"a gate removed", nil, "gate/removed", func(p *artifacts.Policy) { dropGate(p, artifacts.ScopeGlobal) }},
		{"a gate narrowed", []string{"GATE.expression"}, "gate/narrowed", func(p *artifacts.Policy) {
			swapGate(p, artifacts.DispositionReject, `ctx.effects.all(e, !e.resource.under("/etc/ssl"))`)
		}},
		{"a gate with an exemption", []string{"GATE.expression"}, "gate/narrowed", func(p *artifacts.Policy) {
			swapGate(p, artifacts.DispositionReject, `ctx.effects.all(e, !e.resource.under("/etc") || e.resource.under("/etc/hosts"))`)
		}},
		{"another gate under the old message", []string{"GATE.expression"}, "gate/removed", func(p *artifacts.Policy) {
			swapGate(p, artifacts.DispositionReject, `ctx.effects.all(e, !e.resource.under("/mnt"))`)
		}},
		{"a gate that only asks", []string{"GATE.disposition"}, "gate/disposition", func(p *artifacts.Policy) {
			old := dropGate(p, artifacts.ScopeGlobal)
			addGate(p, old.Scope, artifacts.DispositionConsent, old.Expr)
		}},
		{"a tighter gate that only asks", []string{"GATE.disposition", "GATE.expression"}, "gate/removed", func(p *artifacts.Policy) {
			swapGate(p, artifacts.DispositionConsent, tighter)
		}},
		{"a global gate for a subtree", []string{"GATE.scope"}, "gate/scope", func(p *artifacts.Policy) {
			old := dropGate(p, artifacts.ScopeGlobal)
			id := addGate(p, artifacts.ScopeSubtree, old.Disposition, old.Expr)
			for _, i := range []int{3, 4} {
				gateNode(p, i, id)
			}
		}},
		{"a tighter gate whose program lets all pass", []string{"GATE.program"}, "gate/program", func(p *artifacts.Policy) {
			old := dropGate(p, artifacts.ScopeGlobal)
			id := addGate(p, old.Scope, old.Disposition, tighter)
			letAllPass(p, id)
		}},
		{"the program of a gate lets all pass", []string{"GATE.program"}, "gate/program", func(p *artifacts.Policy) { letAllPass(p, p.Gates[2].ID) }},
	}
}

// letAllPass gives a gate a program that stops nothing.
func letAllPass(p *artifacts.Policy, id string) {
	_, all, err := lang.Compile("size(ctx.args) >= 0")
	if err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	for i := range p.Gates {
		if p.Gates[i].ID == id {
			p.Gates[i].Program = all
		}
	}
}

// onNodes are attacks on where gates are asked.
func onNodes() []Change {
	return []Change{
		{"a node that no longer asks", []string{"NODE.own gates"}, "gate/node", func(p *artifacts.Policy) { p.Tree.Nodes[4].Gates = p.Tree.Nodes[3].Gates }},
		{"a node moved out from under its gates", []string{"NODE.parent", "NODE.state"}, "gate/evaded", func(p *artifacts.Policy) {
			t := &p.Tree
			t.States = slices.Insert(t.States, 5, tree.State{Family: 1, Key: "zzz"})
			t.Nodes = append(t.Nodes, tree.Node{Parent: 2, State: 5}, tree.Node{Parent: 6, State: 1})
		}},
		{"a macro behind a gate stands in a new family without it", []string{"STAT.key"}, "gate/evaded", func(p *artifacts.Policy) {
			addFamily(p)
			t := &p.Tree
			t.States[5].Key = "aaa"
			t.States = append(t.States, tree.State{Family: 2, Key: "read:ticket", Delta: t.States[1].Delta, Risk: t.States[1].Risk})
			t.Nodes = append(t.Nodes, tree.Node{Parent: 6, State: 6})
		}},
		{"words decide which gates are asked", []string{"PARM.profile"}, "gate/words", func(p *artifacts.Policy) { p.Params.Profile = tree.ReferenceProfile }},
	}
}

// onSettings are attacks on the guardrail, the tool schemas and the pack.
func onSettings() []Change {
	return []Change{
		{"another egress", []string{"RAIL.egress"}, "guardrail/egress", func(p *artifacts.Policy) {
			p.Guardrail.Rules.Egress = append(p.Guardrail.Rules.Egress, gates.Egress{Domain: "zone.example", Send: true})
		}},
		{"egress that may also send", []string{"RAIL.egress"}, "guardrail/egress", func(p *artifacts.Policy) { p.Guardrail.Rules.Egress[1].Send = true }},
		{"egress to any port", []string{"RAIL.egress"}, "guardrail/egress", func(p *artifacts.Policy) { p.Guardrail.Rules.Egress[0].Ports = nil }},
		{"a wider workspace", []string{"RAIL.roots"}, "guardrail/roots", func(p *artifacts.Policy) { p.Guardrail.Roots = []string{"/"} }},
		{"a looser profile", []string{"RAIL.profile"}, "guardrail/profile", func(p *artifacts.Policy) { p.Guardrail.Rules.Profile = gates.ProfileApps }},
		{"no longer strict", []string{"RAIL.strict"}, "guardrail/strict", func(p *artifacts.Policy) { p.Guardrail.Strict = false }},
		{"a program that may run", []string{"RAIL.spawn"}, "guardrail/spawn", func(p *artifacts.Policy) { p.Guardrail.Rules.Spawn = []string{"bob", "ticketctl"} }},
		{"a program no longer denied", []string{"RAIL.deny"}, "guardrail/deny", func(p *artifacts.Policy) { p.Guardrail.Rules.DenySpawn = nil }},
		{"a module on the list", []string{"RAIL.imports"}, "guardrail/imports", func(p *artifacts.Policy) { p.Guardrail.Rules.Imports = []string{"node:fs", "numpy.linalg", "os"} }},
		{"a package instead of a part of it", []string{"RAIL.imports"}, "guardrail/imports", func(p *artifacts.Policy) { p.Guardrail.Rules.Imports = []string{"node:fs", "numpy"} }},
		{"the list of modules gone", []string{"RAIL.imports"}, "guardrail/imports", func(p *artifacts.Policy) { p.Guardrail.Rules.Imports = nil }},
		{"a protected path gone", []string{"RAIL.protected"}, "guardrail/protected", func(p *artifacts.Policy) { p.Guardrail.Rules.Protected = []string{"/desk/rules/old"} }},
		{"a sensitive path gone", []string{"RAIL.sensitive"}, "guardrail/sensitive", func(p *artifacts.Policy) { p.Guardrail.Rules.Sensitive = []string{"*.pem"} }},
		{"the content gate asks less", []string{"RAIL.content"}, "guardrail/content", func(p *artifacts.Policy) { p.Guardrail.Content.Template = digestOf(9) }},
		{"the content gate gone", []string{"RAIL.content"}, "guardrail/content", func(p *artifacts.Policy) { p.Guardrail.Content = artifacts.Content{} }},
		{"a condition gone", []string{"RAIL.conditions"}, "guardrail/conditions", func(p *artifacts.Policy) {
			p.Guardrail.Conditions = slices.DeleteFunc(slices.Clone(p.Guardrail.Conditions), func(c gates.Condition) bool { return c.Act == "cancel:order" })
		}},
		{"a condition that stops nothing any more", []string{"RAIL.conditions"}, "guardrail/conditions", func(p *artifacts.Policy) { conditionOn(p, "move:order").Advice = true }},
		{"a condition met in another way", []string{"RAIL.conditions"}, "guardrail/conditions", func(p *artifacts.Policy) {
			c := conditionOn(p, "update:order")
			c.Needs = append(slices.Clip(c.Needs), gates.Need{How: gates.HowSaid})
		}},
		{"a schema by which a tool only reads", []string{"SCHM.data"}, "schema/weaker", func(p *artifacts.Policy) { sayOfTool(p, 1, `"send"`, `"read"`) }},
		{"a role gone", []string{"SCHM.data"}, "schema/weaker", func(p *artifacts.Policy) { sayOfTool(p, 1, `"recipient"`, `"words"`) }},
		{"a schema gone", []string{"SCHM.data"}, "schema/removed", func(p *artifacts.Policy) { p.Schemas = p.Schemas[:1] }},
		{"a later end of runs", []string{"PACK.steps", "PACK.seconds", "PACK.tokens"}, "pack/raised", func(p *artifacts.Policy) { p.Pack = artifacts.DefaultPack() }},
	}
}

// onEvidence are attacks on what safety rests on, and on where a policy comes from.
func onEvidence() []Change {
	return []Change{
		{"unsafe evidence lost", []string{"CORP.rows"}, "evidence/unsafe", func(p *artifacts.Policy) { p.Corpora[1].Rows = 3 }},
		{"benign evidence lost", []string{"CORP.rows"}, "evidence/benign", func(p *artifacts.Policy) { p.Corpora = p.Corpora[1:] }},
		{"a gate's unsafe evidence lost", []string{"GATE.unsafe"}, "evidence/gate", func(p *artifacts.Policy) { p.Gates[0].Evidence.Unsafe-- }},
		{"a gate's benign evidence lost", []string{"GATE.benign"}, "evidence/benign", func(p *artifacts.Policy) { p.Gates[0].Evidence.Benign -= 20 }},
		{"a gate said to cost less", []string{"GATE.rejected"}, "evidence/benign", func(p *artifacts.Policy) { p.Gates[0].Evidence.Rejected = 0 }},
		{"tasks it was made from no longer named", nil, "evidence/tasks", func(p *artifacts.Policy) { p.TaskDigests = p.TaskDigests[:1] }},
		{"texts of the logs", []string{"META.log_text", "FAMS.prototypes"}, "text/kept", func(p *artifacts.Policy) { p.LogText = true }},
		{"no parent", []string{"META.parent"}, "lineage/parent", func(p *artifacts.Policy) { p.Parent = "" }},
		{"an earlier number", nil, "lineage/sequence", func(p *artifacts.Policy) { p.Sequence = 3 }},
	}
}

func digestOf(b byte) []byte { return slices.Repeat([]byte{b}, 32) }
