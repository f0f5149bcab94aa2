package main

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/lang"
)

// TestGateCasesOfNodes: a node gate counts in the cases that name it, or in all
// with strict.
func TestGateCasesOfNodes(t *testing.T) {
	canonical, prog, err := lang.Compile(`!("network" in ctx.types)`)
	if err != nil {
		t.Fatal(err)
	}
	g := artifacts.Gate{Scope: artifacts.ScopeNode, Disposition: artifacts.DispositionRevise, Expr: canonical, Program: prog}
	g.ID = artifacts.GateID(g.Scope, g.Disposition, g.Expr)
	set := &gateSet{gates: []artifacts.Gate{g}}
	if set.library, err = (&artifacts.Policy{Gates: set.gates}).Library(); err != nil {
		t.Fatal(err)
	}
	ctx := gates.ShellContext("curl https://x.example", gates.State{Cwd: "/w"})
	for _, tc := range []struct {
		name   string
		node   []string
		strict bool
		expect string
		want   string // of the first difference
	}{
		{"elsewhere", nil, false, "approved", ""},
		{"at its node", []string{g.ID}, false, "revision_required", ""},
		{"by a short name", []string{g.ID[:shownID]}, false, "revision_required", ""},
		{"by too short a name", []string{g.ID[:4]}, false, "revision_required", "no gate"},
		{"strict", nil, true, "revision_required", ""},
		{"a difference", nil, true, "approved", "revision_required, expected approved; gate " + g.ID[:shownID]},
	} {
		gt := gateTest{set: set, checker: &gates.Checker{}, strict: tc.strict}
		got := gt.differences(&gateCase{Node: tc.node, Expect: tc.expect}, &ctx)
		if tc.want == "" && len(got) > 0 || tc.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0].Error(), tc.want)) {
			t.Errorf("%s: %v, want %q", tc.name, got, tc.want)
		}
	}
}
