package main

import (
	"encoding/json"
	"os"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/artifacts/trust"
)

func gatesCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:  "gates",
		Usage: "list, show, test, measure and decide about the gates of a policy or of gbt.yaml",
		Description: "A gate is an expression over the structured context of a call; gates/PROGRAM.md has the language.\n\n" +
			"Examples:\n" +
			"   gbt gates list policy.gbt\n" +
			"   gbt gates show policy.gbt\n" +
			"   gbt gates test gbt.yaml --contexts cases.jsonl\n" +
			"   gbt gates bench policy.gbt",
		Subcommands: []*cli.Command{gatesListCommand(e), gatesShowCommand(e), gatesAcceptCommand(e), gatesRejectCommand(e), gatesEditCommand(e), gatesTestCommand(e), gatesBenchCommand(e), gatesAuditCommand(e)},
	}
}

func gatesListCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "list",
		Usage:     "print the gates of a policy, or of a gbt.yaml",
		ArgsUsage: "POLICY|gbt.yaml",
		Description: "One block for each gate: its id, what happens to a call it stops, in a sentence which calls these are, the\n" +
			"expression that must hold, what the agent is told, the benign calls that it stops, and the recorded contexts\n" +
			"that it comes from, with the windows that show them. These stand in the file of contexts beside the policy.\n\n" +
			"Examples:\n" +
			"   gbt gates list policy.gbt\n" +
			"   gbt gates list policy.gbt --json | jq .evidence",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object a gate, with all of its evidence"},
			&cli.BoolFlag{Name: "cards", Usage: "print a card of each gate, as gbt gates show does"},
			&cli.StringFlag{Name: "contexts", Usage: "read the recorded contexts from `FILE` (default: beside the policy)"},
			trustFlag("a policy"), needFlag(),
		},
		Action: func(c *cli.Context) error { return runGatesList(e, c) },
	}
}

// gateSet is where gates come from: a policy, or a configuration.
type gateSet struct {
	gates   []artifacts.Gate    // sorted by id
	nodes   map[string]int      // nodes that ask a node gate
	begins  map[string][]string // macros where a node gate comes in
	policy  *artifacts.Policy   // nil for those of a configuration
	digest  string              // of the policy
	library *gates.Library
	// checkerOf builds contexts with the tool schemas beside the gates.
	checkerOf func() (*gates.Checker, error)
}

// readGates reads a policy file, or a gbt.yaml if the file is none.
func readGates(name string, o trust.Options) (*gateSet, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fail(exitInput, "%v", err)
	}
	if utf8.Valid(data) && len(o.Keys) == 0 { // a policy's first byte is not UTF-8
		return configGates(name, data)
	}
	p, info, err := readPolicy(name, o)
	if err != nil {
		return nil, err
	}
	if err := recompiled(p); err != nil {
		return nil, fail(exitInput, "%s: %w", name, err)
	}
	return gateSetOf(p, info)
}

// gateSetOf is the gates of an opened policy.
func gateSetOf(p *artifacts.Policy, info *artifacts.Info) (*gateSet, error) {
	s := &gateSet{gates: p.Gates, nodes: map[string]int{}, policy: p, digest: info.Digest}
	s.checkerOf = func() (*gates.Checker, error) { return artifacts.NewChecker(p) }
	for i := range p.Tree.Nodes {
		for _, id := range p.Tree.Nodes[i].Gates {
			s.nodes[id]++
		}
	}
	s.begins = distill.BeginningsOf(p)
	var err error
	s.library, err = p.Library()
	return s, err
}

func configGates(name string, data []byte) (*gateSet, error) {
	c, err := distill.ReadConfig(data)
	if err != nil {
		return nil, fail(exitInput, "%s: neither a policy nor a gbt.yaml: %v", name, err)
	}
	s := &gateSet{}
	s.checkerOf = c.Checker
	if s.gates, err = c.SealedGates(); err != nil {
		return nil, err
	}
	s.library, err = (&artifacts.Policy{Gates: s.gates}).Library()
	return s, err
}

// printLine prints one value as JSON on one line.
func printLine(e *env, v any) error {
	enc := json.NewEncoder(e.stdout)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
