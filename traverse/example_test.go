package traverse_test

import (
	"fmt"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/traverse"
	"github.com/gbt-policy/gbt/tree"
	"github.com/gbt-policy/gbt/tree/text"
)

// The loop of a host: it proposes what the executor said, checks each call
// before it runs, and tells what came of it.
func Example() {
	policy, err := traverse.New(fixes(text.Default()), traverse.Options{Digest: "of the opened file"})
	if err != nil {
		fmt.Println(err)
		return
	}
	task := traverse.Task{ID: "1", Text: "fix the failing test", Checks: []traverse.Check{{ID: "tests", Text: "go test ./..."}}}
	s := policy.Start(task, traverse.Env{Cwd: "/repo", Roots: []string{"/repo"}, UID: -1, GID: -1})
	for _, turn := range []struct{ words, command string }{
		{"I read the source file first.", "cat parser.go"},
		{"Now I fix the bug.", "sed -i s/a/b/ parser.go"},
		{"I clean up everything.", "rm -rf /"},
		{"I run the tests.", "go test ./..."},
	} {
		move := s.Propose(traverse.Proposal{Text: turn.words})
		call := traverse.Call{Tool: "Bash", Args: []byte(`{"command":"` + turn.command + `"}`)}
		answer := s.Check(call)
		fmt.Println(move.Verdict, turn.command, answer.Disposition)
		if answer.Allowed() {
			s.Observe(call, traverse.Result{Output: []byte("ok")}) // here the host runs it
		} else {
			s.Observe(call, traverse.Result{Blocked: true})
		}
	}
	s.Report("tests", true, nil) // the host ran them
	out := s.Finish()
	fmt.Println(out.Done(), out.Basis)
	// Output:
	// advance cat parser.go approved
	// advance sed -i s/a/b/ parser.go approved
	// advance rm -rf / rejected
	// advance go test ./... approved
	// true checks
}

// fixes is a policy that knows one way to fix a test: read, edit, run it. A
// real one comes out of logs and is opened with artifacts.Open.
func fixes(table *text.Table) *artifacts.Policy {
	vec := func(s string) tree.Vec { return table.Vec(nil, nil, s) }
	state := func(key, words string, delta tree.Delta, next ...tree.Edge) tree.State {
		v := vec(words)
		return tree.State{Key: key, Desc: words, Vecs: []tree.Vec{v}, Fit: tree.Fit{Vec: v, Gain: 12000}, Delta: delta, Risk: delta.Risk(), Next: next}
	}
	follows := func(to int32) tree.Edge { return tree.Edge{To: to, Count: tree.Count{Tasks: 3, Success: 3}} }
	task := vec("fix the failing test")
	return &artifacts.Policy{
		Name: "fixes", Sequence: 1, Pack: artifacts.DefaultPack(), Provenance: artifacts.Provenance{Tool: "example"},
		Encoder: artifacts.Encoder{ID: table.ID(), Digest: table.Digest(), Dim: table.Dim()},
		Params: tree.Params{
			Profile: tree.DefaultProfile, ThetaHigh: 780, ThetaLow: 700, Ambiguous: 50, ExploreBudget: 3,
			RouteAbstain: 900, RouteKeep: 20, RouteTemperature: 50, RouteEvery: 3, RouteSwitch: 100,
			Alpha: 1000, EnvCos: 1, Lambda: 500, MaxRecovery: 8, MaxChildren: 12, AllowedShare: 1000, Novelty: 1001,
			Posterior: [4]tree.Milli{-3000, 5000, 2000, 0},
		},
		Tree: tree.Tree{
			Families: []tree.Family{{Name: "fix", Node: 1, Vocabulary: 3, Prototypes: []tree.Text{{Text: "fix the failing test", Vec: task}}, Centroid: task}},
			States: []tree.State{
				{Key: "^", Delta: effect.DeltaNone, Next: []tree.Edge{follows(3)}},
				state("edit", "edit the code and fix the bug", effect.DeltaWrite, follows(2)),
				state("test", "run the tests", effect.DeltaRun),
				state("view", "read the source file", effect.DeltaNone, follows(1)),
			},
			Nodes: []tree.Node{{Parent: -1, State: -1}, {Parent: 0}, {Parent: 1, State: 3}, {Parent: 2, State: 1}, {Parent: 3, State: 2}},
		},
	}
}
