package review

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/tree"
)

// seeded are changes of the sample policy, each alone. A rule says what it
// weakens; harmless ones have none. Nothing here is a name that the comparison
// knows: what is found is found by its form.
var seeded = []struct {
	name string
	rule string
	edit func(*artifacts.Policy)
}{
	// Harmless.
	{"statistics", "", func(p *artifacts.Policy) {
		for i := range p.Tree.Nodes {
			p.Tree.Nodes[i].Count.Success += 3
			p.Tree.Nodes[i].Count.Tasks += 2
		}
	}},
	{"a state, an edge and a node", "", grow},
	{"descriptions in other words", "", func(p *artifacts.Policy) { p.Tree.States[1].Desc = "look at what was asked" }},
	{"a gate", "", func(p *artifacts.Policy) {
		addGate(p, artifacts.ScopeGlobal, artifacts.DispositionConsent, "size(ctx.args) <= 30")
	}},
	{"a narrower workspace", "", func(p *artifacts.Policy) { p.Guardrail.Roots = []string{"/desk/open"} }},
	{"more exemplars", "", func(p *artifacts.Policy) {
		f := &p.Tree.Families[1]
		f.Exemplars = append(f.Exemplars, tree.Vec{1, 2, 3, 4})
	}},
	{"a tighter pack", "", func(p *artifacts.Policy) { p.Pack = p.Pack.Tighten(20, 600, 100_000) }},
	{"a wider protected path", "", func(p *artifacts.Policy) { p.Guardrail.Rules.Protected = []string{"/desk"} }},
	{"a gate in the place of one it subsumes", "", func(p *artifacts.Policy) {
		old := dropGate(p, artifacts.ScopeGlobal)
		addGate(p, old.Scope, old.Disposition, `ctx.effects.all(e, !e.resource.under("/etc") && !e.resource.under("/boot"))`)
	}},
	{"fewer tasks claimed, a message, evidence", "", func(p *artifacts.Policy) {
		p.Params.ThetaHigh += 20
		p.Gates[0].Message = "say why first"
		p.Gates[0].Evidence.Unsafe += 9
		p.Corpora[1].Rows++
		p.Report[0].Value = 700
	}},
	{"a family", "", func(p *artifacts.Policy) {
		t := &p.Tree
		t.Families = append(t.Families, tree.Family{Name: "zoo", First: 5, Start: 5, Node: 6})
		t.States = append(t.States, tree.State{Family: 2, Key: "start"})
		t.Nodes = append(t.Nodes, tree.Node{Parent: 0, State: 5})
	}},
	{"part of a domain that is allowed", "", func(p *artifacts.Policy) {
		p.Guardrail.Rules.Egress = append(p.Guardrail.Rules.Egress, gates.Egress{Domain: "www.example.net", Schemes: []string{"https"}})
	}},
	{"a schema by which a tool changes something", "", func(p *artifacts.Policy) { sayOfTool(p, 0, `"read"`, `"write"`) }},

	{"limits fitted to more tasks", "", func(p *artifacts.Policy) {
		p.TaskDigests = p.TaskDigests[:2]
		p.Params.RouteNear, p.Params.RouteWords = 450, 290
	}},

	// Weakening.
	{"a gate removed", "gate/removed", func(p *artifacts.Policy) { dropGate(p, artifacts.ScopeGlobal) }},
	{"a gate narrowed", "gate/narrowed", func(p *artifacts.Policy) {
		old := dropGate(p, artifacts.ScopeGlobal)
		addGate(p, old.Scope, old.Disposition, `ctx.effects.all(e, !e.resource.under("/etc/ssl"))`)
	}},
	{"a tighter gate whose program lets all pass", "gate/program", func(p *artifacts.Policy) {
		old := dropGate(p, artifacts.ScopeGlobal)
		id := addGate(p, old.Scope, old.Disposition, `ctx.effects.all(e, !e.resource.under("/etc") && !e.resource.under("/boot"))`)
		_, all, err := lang.Compile("size(ctx.args) >= 0")
		if err != nil {
			panic(err)
		}
		for i := range p.Gates {
			if p.Gates[i].ID == id {
				p.Gates[i].Program = all
			}
		}
	}},
	{"a gate that only asks", "gate/disposition", func(p *artifacts.Policy) {
		old := dropGate(p, artifacts.ScopeGlobal)
		addGate(p, old.Scope, artifacts.DispositionConsent, old.Expr)
	}},
	{"a global gate for a subtree", "gate/scope", func(p *artifacts.Policy) {
		old := dropGate(p, artifacts.ScopeGlobal)
		id := addGate(p, artifacts.ScopeSubtree, old.Disposition, old.Expr)
		for _, i := range []int{3, 4} {
			gateNode(p, i, id)
		}
	}},
	{"a node that no longer asks", "gate/node", func(p *artifacts.Policy) { p.Tree.Nodes[4].Gates = p.Tree.Nodes[3].Gates }},
	{"a node moved out from under its gates", "gate/evaded", func(p *artifacts.Policy) {
		t := &p.Tree
		t.States = slices.Insert(t.States, 5, tree.State{Family: 1, Key: "zzz"})
		t.Nodes = append(t.Nodes, tree.Node{Parent: 2, State: 5}, tree.Node{Parent: 6, State: 1})
	}},
	{"another egress", "guardrail/egress", func(p *artifacts.Policy) {
		p.Guardrail.Rules.Egress = append(p.Guardrail.Rules.Egress, gates.Egress{Domain: "zone.example", Send: true})
	}},
	{"a wider workspace", "guardrail/roots", func(p *artifacts.Policy) { p.Guardrail.Roots = []string{"/"} }},
	{"a looser profile", "guardrail/profile", func(p *artifacts.Policy) { p.Guardrail.Rules.Profile = gates.ProfileApps }},
	{"no longer strict", "guardrail/strict", func(p *artifacts.Policy) { p.Guardrail.Strict = false }},
	{"a program that may run", "guardrail/spawn", func(p *artifacts.Policy) { p.Guardrail.Rules.Spawn = []string{"bob", "ticketctl"} }},
	{"a protected path gone", "guardrail/protected", func(p *artifacts.Policy) { p.Guardrail.Rules.Protected = []string{"/desk/rules/old"} }},
	{"a sensitive path gone", "guardrail/sensitive", func(p *artifacts.Policy) { p.Guardrail.Rules.Sensitive = []string{"*.pem"} }},
	{"a schema by which a tool only reads", "schema/weaker", func(p *artifacts.Policy) { sayOfTool(p, 1, `"send"`, `"read"`) }},
	{"a role gone", "schema/weaker", func(p *artifacts.Policy) { sayOfTool(p, 1, `"recipient"`, `"words"`) }},
	{"unsafe evidence lost", "evidence/unsafe", func(p *artifacts.Policy) { p.Corpora[1].Rows = 3 }},
	{"benign evidence lost", "evidence/benign", func(p *artifacts.Policy) { p.Corpora = p.Corpora[1:] }},
	{"more steps claimed", "claim/threshold", func(p *artifacts.Policy) { p.Params.ThetaHigh -= 60 }},
	{"no boundary", "claim/threshold", func(p *artifacts.Policy) { p.Params.RouteNear = 0 }},
	{"a far lower limit, and other tasks", "claim/threshold", func(p *artifacts.Policy) {
		p.TaskDigests = p.TaskDigests[:2]
		p.Params.RouteNear = 250
	}},
	{"a lower limit for the same tasks", "claim/threshold", func(p *artifacts.Policy) { p.Params.RouteNear = 490 }},
	{"every match surer, and other tasks", "claim/threshold", func(p *artifacts.Policy) {
		p.TaskDigests = p.TaskDigests[:2]
		p.Params.Posterior[0] += 5000
	}},
	{"far tasks claimed", "claim/threshold", func(p *artifacts.Policy) { p.Params.RouteLate = 400 }},
	{"another encoder", "claim/encoder", func(p *artifacts.Policy) { p.Encoder.ID = "static-2" }},
	{"a macro less risky", "claim/state", func(p *artifacts.Policy) { p.Tree.States[4].Risk = 0 }},
	{"texts of the logs", "text/kept", func(p *artifacts.Policy) { p.LogText = true }},
	{"no parent", "lineage/parent", func(p *artifacts.Policy) { p.Parent = "" }},
	{"an earlier number", "lineage/sequence", func(p *artifacts.Policy) { p.Sequence = 3 }},
}

// base is the sample without the texts of logs, and with a boundary.
func base(t *testing.T) *artifacts.Policy {
	p, _ := vector(t, "good-sample")
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
	return p
}

// TestSeeded: what weakens is found by exactly its rule, what does not has no
// finding, and the first screen says so.
func TestSeeded(t *testing.T) {
	old := base(t)
	oldInfo := reopen(t, old)
	for _, tt := range seeded {
		t.Run(tt.name, func(t *testing.T) {
			p := base(t)
			p.Sequence, p.Parent = old.Sequence+1, oldInfo.Digest
			tt.edit(p)
			c := Compare(old, p, oldInfo, reopen(t, p))
			var got []string
			for _, f := range c.Weakens {
				got = append(got, f.Rule)
			}
			if tt.rule == "" && len(got) > 0 || tt.rule != "" && !slices.Equal(got, []string{tt.rule}) {
				t.Errorf("found %q, want %q", got, tt.rule)
			}
			screen := strings.Join(c.Summary(), "\n")
			if strings.Contains(screen, "WEAKER") != (tt.rule != "") || !strings.Contains(screen, tt.rule) {
				t.Errorf("the first screen does not say so:\n%s", screen)
			}
			checkScreen(t, c)
		})
	}
}

// checkScreen holds the first screen to its size.
func checkScreen(t *testing.T, c *Changes) {
	t.Helper()
	lines := c.Summary()
	if len(lines) > 24 {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		if utf8.RuneCountInString(line) > 100 {
			t.Errorf("%d columns: %s", utf8.RuneCountInString(line), line)
		}
	}
}

// TestAllSeededAtOnce: one policy with every change that weakens still has a
// first screen, with the worst first.
func TestAllSeededAtOnce(t *testing.T) {
	old := base(t)
	p := base(t)
	for _, tt := range seeded {
		if strings.HasPrefix(tt.rule, "guardrail/") || strings.HasPrefix(tt.rule, "claim/") || strings.HasPrefix(tt.rule, "evidence/") || tt.rule == "gate/removed" {
			tt.edit(p)
		}
	}
	c := Compare(old, p, reopen(t, old), reopen(t, p))
	checkScreen(t, c)
	if len(c.Weakens) < leastFindings+3 || c.Weakens[0].Rule != "gate/removed" || !strings.Contains(strings.Join(c.Summary(), "\n"), "more, below") {
		t.Errorf("%s", c.Text())
	}
}

// TestSigners: the signature's key is compared, also of the same policy.
func TestSigners(t *testing.T) {
	p := base(t)
	info := reopen(t, p)
	signed, other := *info, *info
	signed.KeyIDs, other.KeyIDs = []string{strings.Repeat("a", 64)}, []string{strings.Repeat("b", 64)}
	for _, tt := range []struct {
		name     string
		old, new *artifacts.Info
		rule     string
	}{
		{"unsigned before and after", info, info, ""}, {"signed now", info, &signed, ""}, {"the same key", &signed, &signed, ""},
		{"another key", &signed, &other, "lineage/key"}, {"no signature", &signed, info, "lineage/signature"},
	} {
		c := Compare(p, p, tt.old, tt.new)
		if tt.rule == "" && len(c.Weakens) > 0 || tt.rule != "" && (len(c.Weakens) != 1 || c.Weakens[0].Rule != tt.rule) {
			t.Errorf("%s: %v", tt.name, c.Weakens)
		}
	}
}

// TestRules: every rule has a place of its own and words for a reviewer, and the
// ones that fall to fields exist.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		if seen[r.ID] || r.Short == "" || r.Help == "" || r.Level != LevelError && r.Level != LevelWarning {
			t.Errorf("%+v", r)
		}
		seen[r.ID] = true
	}
	for _, r := range artifacts.Fields() {
		if !seen[ruleOf(&r)] {
			t.Errorf("%s.%s has no rule", r.Section, r.Name)
		}
	}
}

func addGate(p *artifacts.Policy, scope, disposition, expr string) string {
	canonical, prog, err := lang.Compile(expr)
	if err != nil {
		panic(err)
	}
	g := artifacts.Gate{Scope: scope, Disposition: disposition, Expr: canonical, Program: prog}
	g.ID = artifacts.GateID(g.Scope, g.Disposition, g.Expr)
	p.Gates = append(p.Gates, g)
	slices.SortFunc(p.Gates, func(a, b artifacts.Gate) int { return strings.Compare(a.ID, b.ID) })
	return g.ID
}

func dropGate(p *artifacts.Policy, scope string) artifacts.Gate {
	i := slices.IndexFunc(p.Gates, func(g artifacts.Gate) bool { return g.Scope == scope })
	g := p.Gates[i]
	p.Gates = slices.Delete(p.Gates, i, i+1)
	return g
}

func gateNode(p *artifacts.Policy, node int, id string) {
	n := &p.Tree.Nodes[node]
	n.Gates = append(slices.Clone(n.Gates), id)
	slices.Sort(n.Gates)
}

func sayOfTool(p *artifacts.Policy, i int, old, new string) {
	p.Schemas[i].Data = []byte(strings.Replace(string(p.Schemas[i].Data), old, new, 1))
}
