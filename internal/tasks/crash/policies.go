//go:build unix

package main

import (
	"fmt"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/traverse"
	"github.com/gbt-policy/gbt/tree"
	"github.com/gbt-policy/gbt/tree/text"
)

// steps is how long a task is. The governance pack stops at 50.
const steps = 40

// roots are the workspaces of two policies. What the second one has not, it asks about.
var roots = map[string][]string{"wide": {"/w/a", "/w/b"}, "narrow": {"/w/a"}}

// policy opens one of the two policies: a guardrail without a tree.
func policy(name string) (*traverse.Policy, error) {
	table := text.Default()
	return traverse.New(&artifacts.Policy{
		Name: name, Sequence: 1, Pack: artifacts.DefaultPack(), Provenance: artifacts.Provenance{Tool: "crash"},
		Guardrail: artifacts.Guardrail{Roots: roots[name]},
		Encoder:   artifacts.Encoder{ID: table.ID(), Digest: table.Digest(), Dim: table.Dim()},
		Params: tree.Params{
			Profile: tree.DefaultProfile, ThetaHigh: 780, ThetaLow: 700, Ambiguous: 50, ExploreBudget: 100,
			RouteAbstain: 900, RouteKeep: 20, RouteTemperature: 50, RouteEvery: 3, RouteSwitch: 100,
			Alpha: 1000, EnvCos: 1, Lambda: 500, MaxRecovery: 8, MaxChildren: 12, AllowedShare: 1000, Novelty: 1001,
			Posterior: [4]tree.Milli{-3000, 5000, 2000, 0},
		},
		Tree: tree.Tree{Nodes: []tree.Node{{Parent: -1, State: -1}}},
	}, traverse.Options{Digest: name})
}

func start(p *traverse.Policy, id string) *traverse.Session {
	task := traverse.Task{ID: id, Text: "write forty notes into the three folders", Limits: traverse.Limits{WallSeconds: 1 << 30, Plateau: 1 << 30}}
	return p.Start(task, traverse.Env{Cwd: "/w/a", UID: -1, GID: -1})
}

// callOf is the effect of a step: a file in a folder that both policies have, that
// one of them has, or that neither has.
func callOf(step int) traverse.Call {
	folder := [...]string{"a", "b", "a", "c"}[step%4]
	return traverse.Call{Tool: "write_file", Args: fmt.Appendf(nil, `{"path":"/w/%s/%d.txt","content":"note %d"}`, folder, step, step), Time: int64(step + 1)}
}

// agrees is the simulated user.
func agrees(step int) bool { return step%8 != 3 }

// asks says what a policy makes of a step's call in a session that has no past: the
// judge of what ran.
func asks(name string, step int) (gates.Disposition, error) {
	p, err := policy(name)
	if err != nil {
		return gates.Rejected, err
	}
	s := start(p, "judge")
	s.Propose(traverse.Proposal{Text: words(step)})
	a := s.Check(callOf(step))
	return a.Disposition, nil
}

func words(step int) string { return fmt.Sprintf("write note %d", step) }
