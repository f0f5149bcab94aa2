package seeded

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/tree"
)

// Base makes the policy that the changes start from out of the vector good-sample:
// it keeps no texts of logs, has a boundary of what it claims, a content gate, conditions,
// bounds on retries, and bounds below the largest.
func Base(p *artifacts.Policy) {
	for i := range p.Tree.Families {
		for k := range p.Tree.Families[i].Prototypes {
			p.Tree.Families[i].Prototypes[k].Text = ""
		}
	}
	for i := range p.Tree.Leaves {
		for k := range p.Tree.Leaves[i].Tasks {
			p.Tree.Leaves[i].Tasks[k].Text = ""
		}
	}
	p.Params.RouteNear, p.Params.RouteOffered, p.Params.RouteWords = 500, 800, 300
	p.Guardrail.Content = artifacts.Content{Classifier: artifacts.ContentSecrets, Answers: digestOf(1), Template: digestOf(2)}
	p.Guardrail.Rules.Imports = []string{"node:fs", "numpy.linalg"}
	looked := []gates.Need{{How: gates.HowSame, Act: "read:order", Arg: "id"}}
	p.Guardrail.Conditions = []gates.Condition{
		{Act: "cancel:order", Arg: "id", Needs: looked, Tasks: 40, Held: 40, Chance: 30},
		{Act: "move:order", Arg: "id", Needs: looked, Tasks: 50, Held: 50, Chance: 30},
		{Act: "update:order", Arg: "id", Needs: looked, Tasks: 60, Held: 59, Chance: 30},
		{End: true, Act: "edit", Needs: []gates.Need{{How: gates.HowDid, Act: "test"}}, Advice: true, Tasks: 20, Held: 19, Chance: 600},
	}
	p.Tree.Families[1].Retries = []tree.Retry{{Action: "edit", Most: 3, Tasks: 40}, {Action: "test", Most: 2, Tasks: 6, Advice: true}}
	p.Tree.Families[1].Fixes = []tree.Fix{{Action: "test", Class: "assertion", Does: "edit", Worked: 6, Failed: 1}}
	p.Pack = p.Pack.Tighten(40, 1200, 1_000_000)
}

// conditionOn is the condition of the base on an action.
func conditionOn(p *artifacts.Policy, act string) *gates.Condition {
	i := slices.IndexFunc(p.Guardrail.Conditions, func(c gates.Condition) bool { return c.Act == act })
	return &p.Guardrail.Conditions[i]
}

// Grow adds a state "aaa" in front of the second family's and a node for it in
// front of the others under that family's node.
func Grow(p *artifacts.Policy) {
	t := &p.Tree
	up := func(i *int32, from int32) {
		if *i >= from {
			*i++
		}
	}
	for i := range t.States {
		for k := range t.States[i].Next {
			up(&t.States[i].Next[k].To, 1)
		}
		for k := range t.States[i].Pre.After {
			up(&t.States[i].Pre.After[k], 1)
		}
	}
	for i := range t.Nodes {
		up(&t.Nodes[i].State, 1)
		up(&t.Nodes[i].Parent, 3)
	}
	f := &t.Families[1]
	up(&f.Start, 1)
	for k := range f.Common {
		up(&f.Common[k], 1)
	}
	for i := range t.Leaves {
		up(&t.Leaves[i].Node, 3)
	}
	t.States = slices.Insert(t.States, 1, tree.State{Family: 1, Key: "aaa"})
	t.Nodes = slices.Insert(t.Nodes, 3, tree.Node{Parent: 2, State: 1})
}

// addFamily adds a family "zoo" with a start and no more.
func addFamily(p *artifacts.Policy) {
	t := &p.Tree
	t.Families = append(t.Families, tree.Family{Name: "zoo", First: 5, Start: 5, Node: 6})
	t.States = append(t.States, tree.State{Family: 2, Key: "start"})
	t.Nodes = append(t.Nodes, tree.Node{Parent: 0, State: 5})
}

// learnTask adds the digest of one more task: the policy was made from more logs.
func learnTask(p *artifacts.Policy) {
	p.TaskDigests = append(p.TaskDigests, []byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"))
}

func addGate(p *artifacts.Policy, scope, disposition, expr string) string {
	canonical, prog, err := lang.Compile(expr)
	if err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	g := artifacts.Gate{Scope: scope, Disposition: disposition, Expr: canonical, Program: prog}
	g.ID = artifacts.GateID(g.Scope, g.Disposition, g.Expr)
	p.Gates = append(p.Gates, g)
	slices.SortFunc(p.Gates, func(a, b artifacts.Gate) int { return strings.Compare(a.ID, b.ID) })
	return g.ID
}

// dropGate takes the first gate of a scope out of the library.
func dropGate(p *artifacts.Policy, scope string) artifacts.Gate {
	i := slices.IndexFunc(p.Gates, func(g artifacts.Gate) bool { return g.Scope == scope })
	g := p.Gates[i]
	p.Gates = slices.Delete(p.Gates, i, i+1)
	return g
}

// swapGate puts another expression in the place of the global gate's, and keeps its
// message: what people know a gate by.
func swapGate(p *artifacts.Policy, disposition, expr string) {
	old := dropGate(p, artifacts.ScopeGlobal)
	id := addGate(p, old.Scope, disposition, expr)
	for i := range p.Gates {
		if p.Gates[i].ID == id {
			p.Gates[i].Message, p.Gates[i].Evidence = old.Message, old.Evidence
		}
	}
}

func gateNode(p *artifacts.Policy, node int, id string) {
	n := &p.Tree.Nodes[node]
	n.Gates = append(slices.Clone(n.Gates), id)
	slices.Sort(n.Gates)
}

func sayOfTool(p *artifacts.Policy, i int, old, new string) {
	p.Schemas[i].Data = []byte(strings.Replace(string(p.Schemas[i].Data), old, new, 1))
}
