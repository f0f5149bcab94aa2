package join

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/artifacts/review"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/tree"
)

func sample(t testing.TB) *artifacts.Policy {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "artifacts", "testdata", "vectors", "good-sample.gbt"))
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := artifacts.Open(data, artifacts.Trust{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func sideOf(t testing.TB, p *artifacts.Policy) Side {
	t.Helper()
	data, err := artifacts.Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	p, info, err := artifacts.Open(data, artifacts.Trust{})
	if err != nil {
		t.Fatal(err)
	}
	return Side{p, info.Digest}
}

func addGate(p *artifacts.Policy, scope, expr string) string {
	canonical, prog, err := lang.Compile(expr)
	if err != nil {
		panic(err)
	}
	g := artifacts.Gate{Scope: scope, Disposition: artifacts.DispositionReject, Expr: canonical, Program: prog}
	g.ID = artifacts.GateID(g.Scope, g.Disposition, g.Expr)
	p.Gates = append(p.Gates, g)
	slices.SortFunc(p.Gates, func(a, b artifacts.Gate) int { return strings.Compare(a.ID, b.ID) })
	return g.ID
}

// edits are changes that one side may make, each a policy that opens.
var edits = map[string]func(*artifacts.Policy){
	"gate":         func(p *artifacts.Policy) { addGate(p, artifacts.ScopeGlobal, "size(ctx.args) <= 40") },
	"another gate": func(p *artifacts.Policy) { addGate(p, artifacts.ScopeGlobal, "size(ctx.args) <= 50") },
	"gate gone": func(p *artifacts.Policy) {
		p.Gates = slices.DeleteFunc(p.Gates, func(g artifacts.Gate) bool { return !g.Local() })
	},
	"node gate": func(p *artifacts.Policy) {
		id := addGate(p, artifacts.ScopeNode, "size(ctx.args) <= 30")
		for i := 5; i < len(p.Tree.Nodes); i++ {
			p.Tree.Nodes[i].Gates = []string{id}
		}
	},
	"node gate above others": func(p *artifacts.Policy) {
		id := addGate(p, artifacts.ScopeSubtree, "size(ctx.args) <= 35")
		for i := 3; i < 5; i++ {
			p.Tree.Nodes[i].Gates = union(p.Tree.Nodes[i].Gates, []string{id})
		}
	},
	"statistics": func(p *artifacts.Policy) { p.Tree.Nodes[5].Count.Success++ },
	"node gone": func(p *artifacts.Policy) {
		p.Tree.Nodes = slices.Delete(p.Tree.Nodes, 5, 6)
		p.Tree.Leaves = p.Tree.Leaves[:1]
	},
	"node": func(p *artifacts.Policy) {
		p.Tree.Nodes = append(p.Tree.Nodes, tree.Node{Parent: 5, State: 4, Gates: p.Tree.Nodes[5].Gates})
	},
	"macro out of its gates": func(p *artifacts.Policy) {
		p.Tree.Nodes = append(p.Tree.Nodes, tree.Node{Parent: 5, State: 1, Gates: p.Tree.Nodes[5].Gates})
	},
	"threshold":      func(p *artifacts.Policy) { p.Params.ThetaHigh++ },
	"evidence":       func(p *artifacts.Policy) { p.Gates[0].Evidence.Unsafe += 5 },
	"message":        func(p *artifacts.Policy) { p.Gates[0].Message = "not so" },
	"narrower root":  func(p *artifacts.Policy) { p.Guardrail.Roots = []string{"/desk/a"} },
	"wider root":     func(p *artifacts.Policy) { p.Guardrail.Roots = []string{"/"} },
	"another root":   func(p *artifacts.Policy) { p.Guardrail.Roots = []string{"/other"} },
	"no roots":       func(p *artifacts.Policy) { p.Guardrail.Roots = nil },
	"profile":        func(p *artifacts.Policy) { p.Guardrail.Rules.Profile = gates.ProfileObserve },
	"not strict":     func(p *artifacts.Policy) { p.Guardrail.Strict = false },
	"spawn":          func(p *artifacts.Policy) { p.Guardrail.Rules.Spawn = []string{"bob", "ticketctl"} },
	"deny":           func(p *artifacts.Policy) { p.Guardrail.Rules.DenySpawn = []string{"nc", "ssh"} },
	"protected gone": func(p *artifacts.Policy) { p.Guardrail.Rules.Protected = nil },
	"sensitive":      func(p *artifacts.Policy) { p.Guardrail.Rules.Sensitive = []string{"*.pem", "bank", "customers"} },
	"egress gone":    func(p *artifacts.Policy) { p.Guardrail.Rules.Egress = p.Guardrail.Rules.Egress[1:] },
	"egress": func(p *artifacts.Policy) {
		p.Guardrail.Rules.Egress = append(p.Guardrail.Rules.Egress, gates.Egress{Domain: "zone.example"})
	},
	"egress part": func(p *artifacts.Policy) {
		p.Guardrail.Rules.Egress[1] = gates.Egress{Domain: "www.example.net", Ports: []uint16{443}}
	},
	"pack":       func(p *artifacts.Policy) { p.Pack = p.Pack.Tighten(10, 100, 1000) },
	"schema":     func(p *artifacts.Policy) { p.Schemas = p.Schemas[:1] },
	"schema too": func(p *artifacts.Policy) { p.Schemas = p.Schemas[1:] },
	"content": func(p *artifacts.Policy) {
		p.Guardrail.Content = artifacts.Content{Classifier: artifacts.ContentSecrets, Answers: make([]byte, 32), Template: make([]byte, 32)}
	},
	"contexts": func(p *artifacts.Policy) { p.Corpora[0].Rows++ },
}

func edited(t testing.TB, names ...string) Side {
	p := sample(t)
	for _, n := range names {
		edits[n](p)
	}
	return sideOf(t, p)
}

// TestPolicies merges pairs of edits; a reason says that they can't be.
func TestPolicies(t *testing.T) {
	for _, tt := range []struct {
		ours, theirs, conflict string
		check                  func(p *artifacts.Policy) bool
	}{
		{"gate", "another gate", "", func(p *artifacts.Policy) bool { return len(p.Gates) == 5 }},
		{"gate gone", "gate", "", func(p *artifacts.Policy) bool { return len(p.Gates) == 4 }},
		{"gate", "statistics", "", func(p *artifacts.Policy) bool { return len(p.Gates) == 4 && p.Tree.Nodes[5].Count.Success == 3 }},
		{"statistics", "node gate", "", func(p *artifacts.Policy) bool {
			return p.Tree.Nodes[5].Count.Success == 3 && len(p.Tree.Nodes[5].Gates) == 1
		}},
		{"node", "node gate", "", func(p *artifacts.Policy) bool { return len(p.Tree.Nodes) == 7 && len(p.Tree.Nodes[6].Gates) == 1 }},
		{"node gate", "node gate above others", "", func(p *artifacts.Policy) bool { return len(p.Gates) == 5 && len(p.Tree.Nodes[4].Gates) == 3 }},
		{"node gone", "gate", "", func(p *artifacts.Policy) bool { return len(p.Tree.Nodes) == 5 && len(p.Gates) == 4 }},
		{"node gone", "node gate", "one side removed node", nil},
		{"macro out of its gates", "gate", "weaker than one side (gate/evaded)", nil},
		{"statistics", "threshold", "both sides changed the tree", nil},
		{"evidence", "message", "", func(p *artifacts.Policy) bool {
			return p.Gates[0].Message == "not so" && p.Gates[0].Evidence.Unsafe >= 5
		}},
		{"narrower root", "wider root", "", func(p *artifacts.Policy) bool { return slices.Equal(p.Guardrail.Roots, []string{"/desk/a"}) }},
		{"narrower root", "another root", "nothing in common", nil},
		{"narrower root", "no roots", "nothing in common", nil},
		{"profile", "gate", "", func(p *artifacts.Policy) bool { return p.Guardrail.Rules.Profile == gates.ProfileStrict }},
		{"not strict", "gate", "", func(p *artifacts.Policy) bool { return p.Guardrail.Strict }},
		{"spawn", "deny", "", func(p *artifacts.Policy) bool {
			return len(p.Guardrail.Rules.Spawn) == 1 && len(p.Guardrail.Rules.DenySpawn) == 2
		}},
		{"protected gone", "sensitive", "", func(p *artifacts.Policy) bool {
			return len(p.Guardrail.Rules.Protected) == 1 && len(p.Guardrail.Rules.Sensitive) == 3
		}},
		{"egress gone", "egress", "", func(p *artifacts.Policy) bool { return len(p.Guardrail.Rules.Egress) == 1 }},
		{"egress part", "gate", "", func(p *artifacts.Policy) bool {
			e := p.Guardrail.Rules.Egress
			return len(e) == 2 && e[1].Domain == "www.example.net" && slices.Equal(e[1].Ports, []uint16{443})
		}},
		{"pack", "gate", "", func(p *artifacts.Policy) bool { return p.Pack.Steps() == 10 }},
		{"schema", "gate", "", func(p *artifacts.Policy) bool { return len(p.Schemas) == 1 }},
		{"schema", "schema too", "", func(p *artifacts.Policy) bool { return len(p.Schemas) == 0 }},
		{"content", "gate", "", func(p *artifacts.Policy) bool { return p.Guardrail.Content.Set() }},
		{"contexts", "gate", "", func(p *artifacts.Policy) bool { return p.Corpora[0].Rows == 301 }},
	} {
		t.Run(tt.ours+" and "+tt.theirs, func(t *testing.T) {
			ours := edited(t, tt.ours)
			p, err := Policies(sideOf(t, sample(t)), ours, edited(t, tt.theirs))
			if tt.conflict != "" {
				if c := (*Conflict)(nil); !errors.As(err, &c) || !strings.Contains(err.Error(), tt.conflict) {
					t.Fatalf("error %v, want %q", err, tt.conflict)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !tt.check(p) || p.Sequence != 8 || p.Parent != ours.Digest {
				t.Errorf("merged into something else: sequence %d, parent %s", p.Sequence, p.Parent)
			}
		})
	}
}

// TestNeverWeaker merges random edits of both sides: the result is a policy that
// has every gate and is weaker than neither side, or there is a conflict; and the
// sides may be exchanged.
func TestNeverWeaker(t *testing.T) {
	const seed = 11
	rng := rand.New(rand.NewPCG(seed, seed))
	names := sorted(keys(edits))
	base := sideOf(t, sample(t))
	merged := 0
	for range 100 {
		a, b := edited(t, draw(rng, names)...), edited(t, draw(rng, names)...)
		p, err := Policies(base, a, b)
		q, other := Policies(base, b, a)
		if (err == nil) != (other == nil) {
			t.Fatalf("seed %d: one way %v, the other %v", seed, err, other)
		}
		if err != nil {
			continue
		}
		merged++
		result := sideOf(t, p)
		for _, side := range []Side{a, b} {
			for _, f := range review.Compare(side.Policy, p, &artifacts.Info{Digest: side.Digest}, &artifacts.Info{Digest: result.Digest}).Weakens {
				if f.Level == review.LevelError && !strings.HasPrefix(f.Rule, "schema/") {
					t.Errorf("seed %d: weaker: %+v", seed, f)
				}
			}
		}
		q.Parent, q.Gates = p.Parent, p.Gates // messages are ours where both changed
		if len(p.Gates) != len(q.Gates) || sideOf(t, q).Digest != result.Digest {
			t.Errorf("seed %d: the sides can't be exchanged", seed)
		}
	}
	if merged < 20 {
		t.Errorf("only %d of 100 were merged", merged)
	}
}

func draw(rng *rand.Rand, names []string) []string {
	var out []string
	for range 1 + rng.IntN(3) {
		n := names[rng.IntN(len(names))]
		if !slices.Contains(out, n) && n != "node gone" {
			out = append(out, n)
		}
	}
	return out
}

func keys(m map[string]func(*artifacts.Policy)) map[string]bool {
	out := map[string]bool{}
	for k := range m {
		out[k] = true
	}
	return out
}
