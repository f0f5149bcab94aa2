package seeded

import (
	"slices"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/tree"
)

// onClaims are attacks on what the policy claims to know.
func onClaims() []Change {
	limit := func(field string, to func(*tree.Params)) Change {
		return Change{"the setting " + field, []string{"PARM." + field}, "claim/threshold", func(p *artifacts.Policy) { to(&p.Params) }}
	}
	return append([]Change{
		limit("theta_high", func(p *tree.Params) { p.ThetaHigh -= 60 }),
		limit("theta_low", func(p *tree.Params) { p.ThetaLow -= 300 }),
		limit("ambiguous", func(p *tree.Params) { p.Ambiguous = 1 }),
		limit("explore_budget", func(p *tree.Params) { p.ExploreBudget = 40 }),
		limit("route_abstain", func(p *tree.Params) { p.RouteAbstain = 100 }),
		limit("route_keep", func(p *tree.Params) { p.RouteKeep = 1 }),
		limit("route_temperature", func(p *tree.Params) { p.RouteTemperature = 1 }),
		limit("route_every", func(p *tree.Params) { p.RouteEvery = 1000 }),
		limit("alpha", func(p *tree.Params) { p.Alpha *= 50 }),
		limit("env_cos", func(p *tree.Params) { p.EnvCos = 1 }),
		limit("lambda", func(p *tree.Params) { p.Lambda = 0 }),
		limit("max_recovery", func(p *tree.Params) { p.MaxRecovery = 500 }),
		limit("max_children", func(p *tree.Params) { p.MaxChildren = 5000 }),
		limit("allowed_share", func(p *tree.Params) { p.AllowedShare = 1000 }),
		limit("novelty", func(p *tree.Params) { p.Novelty = 0 }),
		limit("route_near", func(p *tree.Params) { p.RouteNear = 0 }),
		limit("route_near", func(p *tree.Params) { p.RouteNear = 490 }),
		limit("route_offered", func(p *tree.Params) { p.RouteOffered = 10 }),
		limit("route_words", func(p *tree.Params) { p.RouteWords = 0 }),
		limit("route_late", func(p *tree.Params) { p.RouteLate = 400 }),
		limit("route_late_offered", func(p *tree.Params) { p.RouteLateOffered = 1 }),
		limit("posterior", func(p *tree.Params) { p.Posterior[0] += 5000 }),
		{"every match surer, one coefficient lower", []string{"PARM.posterior"}, "claim/threshold", func(p *artifacts.Policy) {
			p.Params.Posterior[0] += 9000
			p.Params.Posterior[3]--
		}},
		{"every match surer, and other tasks", []string{"PARM.posterior"}, "claim/threshold", func(p *artifacts.Policy) {
			learnTask(p)
			p.Params.Posterior[0] += 5000
		}},
		{"a far lower limit, and other tasks", []string{"PARM.route_near"}, "claim/threshold", func(p *artifacts.Policy) {
			learnTask(p)
			p.Params.RouteNear = 250
		}},
		{"another encoder", []string{"ENCO.id", "ENCO.digest"}, "claim/encoder", func(p *artifacts.Policy) { p.Encoder.ID = "static-2" }},
	}, onMacros()...)
}

// onMacros are attacks on families, macros and endings.
func onMacros() []Change {
	state := func(name, field string, edit func(*tree.State)) Change {
		return Change{name, []string{"STAT." + field}, "claim/state", func(p *artifacts.Policy) { edit(&p.Tree.States[4]) }}
	}
	return []Change{
		state("a macro less risky", "risk", func(s *tree.State) { s.Risk = 0 }),
		state("a macro said to change nothing", "delta", func(s *tree.State) { s.Delta = effect.DeltaNone }),
		state("a macro offered wherever nothing matches", "generic", func(s *tree.State) { s.Generic = true }),
		state("a macro that may come first", "after", func(s *tree.State) { s.Pre.After = nil }),
		state("a macro that needs no tool", "needs", func(s *tree.State) { s.Pre.Tools = nil }),
		state("a macro that any tool will do for", "needs", func(s *tree.State) { s.Pre.Tools = []string{"bash", "send_reply"} }),
		{"more tasks known, of no more logs", []string{"FAMS.exemplars"}, "claim/boundary", func(p *artifacts.Policy) {
			f := &p.Tree.Families[1]
			f.Exemplars = append(f.Exemplars, tree.Vec{1, 2, 3, 4})
		}},
		{"a family of one common tool", []string{"FAMS.tools"}, "claim/boundary", func(p *artifacts.Policy) { p.Tree.Families[1].Tools = []string{"read_ticket"} }},
		{"a family that draws other tasks", []string{"FAMS.fit", "FAMS.centroid"}, "claim/words", func(p *artifacts.Policy) {
			p.Tree.Families[0].Centroid = tree.Vec{9, 9, 9, 9}
		}},
		{"a macro that other words mean", []string{"STAT.fit", "STAT.vectors"}, "claim/words", func(p *artifacts.Policy) {
			p.Tree.States[4].Vecs = []tree.Vec{{9, 9, 9, 9}}
		}},
		{"an ending where nothing succeeded", []string{"LEAF.node"}, "claim/ending", func(p *artifacts.Policy) { endAt(p, 3) }},
		{"checks that make runs DONE, of no more logs", []string{"FAMS.checks", "LEAF.checks", "LEAF.decides"}, "claim/ending", func(p *artifacts.Policy) {
			p.Tree.Families[1].Proofs = []tree.Proof{{Kind: tree.ProofCall, Subject: "*", Passed: 9, Tasks: 9, Failed: 1, Against: 1}}
			p.Tree.Leaves[0].Proofs, p.Tree.Leaves[0].Decides = []int32{0}, true
		}},
		{"more failures in a row", []string{"FAMS.retries"}, "retries/longer", func(p *artifacts.Policy) { p.Tree.Families[1].Retries[0].Most = 9 }},
		{"no bound on failures in a row", []string{"FAMS.retries"}, "retries/longer", func(p *artifacts.Policy) { p.Tree.Families[1].Retries = nil }},
		{"a bound on failures that ends no run", []string{"FAMS.retries"}, "retries/longer", func(p *artifacts.Policy) { p.Tree.Families[1].Retries[0].Advice = true }},
		{"an ending for every environment", []string{"LEAF.environment"}, "claim/ending", func(p *artifacts.Policy) { p.Tree.Leaves[0].Env = nil }},
	}
}

// endAt makes a node a success leaf.
func endAt(p *artifacts.Policy, node int32) {
	t := &p.Tree
	t.Leaves = append(slices.Clone(t.Leaves), tree.Leaf{Node: node, Count: 1})
	slices.SortFunc(t.Leaves, func(a, b tree.Leaf) int { return int(a.Node - b.Node) })
}
