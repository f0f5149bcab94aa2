package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/gates"
)

func gatesCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:  "gates",
		Usage: "list, test and measure the gates of a policy or of gbt.yaml",
		Description: "A gate is an expression over the structured context of a call; gates/PROGRAM.md has the language.\n\n" +
			"Examples:\n" +
			"   gbt gates list policy.gbt\n" +
			"   gbt gates test gbt.yaml --contexts cases.jsonl\n" +
			"   gbt gates bench policy.gbt",
		Subcommands: []*cli.Command{gatesListCommand(e), gatesTestCommand(e), gatesBenchCommand(e), gatesAuditCommand(e)},
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return fail(exitUsage, "gates has no command %q; see gbt gates --help", c.Args().First())
			}
			return cli.ShowSubcommandHelp(c)
		},
	}
}

func gatesListCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "list",
		Usage:     "print the gates of a policy, or of a gbt.yaml",
		ArgsUsage: "POLICY|gbt.yaml",
		Description: "One block for each gate: its id, what happens to a call it stops, the expression that must hold, what the agent\n" +
			"is told, and what it was judged on.\n\n" +
			"Example:\n" +
			"   gbt gates list policy.gbt",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object a gate"},
			&cli.StringSliceFlag{Name: "trust", Usage: "refuse a policy not signed by the public key in `FILE` (may be given again)"},
		},
		Action: func(c *cli.Context) error { return runGatesList(e, c) },
	}
}

// gateSet is where gates come from: a policy, or a configuration.
type gateSet struct {
	gates   []artifacts.Gate // sorted by id
	nodes   map[string]int   // nodes that ask a node gate
	library *gates.Library
	// checkerOf builds contexts with the tool schemas beside the gates.
	checkerOf func() (*gates.Checker, error)
}

// readGates reads a policy file, or a gbt.yaml if the file is none.
func readGates(name string, trusted []string) (*gateSet, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fail(exitInput, "%v", err)
	}
	if utf8.Valid(data) && len(trusted) == 0 { // a policy's first byte is not UTF-8
		return configGates(name, data)
	}
	p, _, err := readPolicy(name, trusted)
	if err != nil {
		return nil, err
	}
	if err := recompiled(p); err != nil {
		return nil, fail(exitInput, "%s: %w", name, err)
	}
	s := &gateSet{gates: p.Gates, nodes: map[string]int{}}
	s.checkerOf = func() (*gates.Checker, error) { return artifacts.NewChecker(p) }
	for i := range p.Tree.Nodes {
		for _, id := range p.Tree.Nodes[i].Gates {
			s.nodes[id]++
		}
	}
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

// gateRow is a gate as gates list prints it.
type gateRow struct {
	ID          string `json:"id"`
	Scope       string `json:"scope"`
	Nodes       int    `json:"nodes"` // that ask it
	Disposition string `json:"disposition"`
	Expr        string `json:"expr"`
	Message     string `json:"message"`
	Unsafe      uint32 `json:"unsafe"`
	Benign      uint32 `json:"benign"`
	Rejected    uint32 `json:"rejected"`
}

func runGatesList(e *env, c *cli.Context) error {
	if c.NArg() != 1 {
		return fail(exitUsage, "gates list takes one file: gbt gates list POLICY")
	}
	s, err := readGates(c.Args().First(), c.StringSlice("trust"))
	if err != nil {
		return err
	}
	for i := range s.gates {
		g := &s.gates[i]
		row := gateRow{g.ID, g.Scope, s.nodes[g.ID], g.Disposition, g.Expr, g.Message, g.Evidence.Unsafe, g.Evidence.Benign, g.Evidence.Rejected}
		if c.Bool("json") {
			err = printLine(e, row)
		} else {
			_, err = e.stdout.Write(row.text())
		}
		if err != nil {
			return err
		}
	}
	if len(s.gates) == 0 {
		fmt.Fprintf(e.stderr, "gbt: %s has no gates: only the global guardrail decides\n", c.Args().First())
	}
	return nil
}

func (r *gateRow) text() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "gate %.12s  %s", r.ID, r.Disposition)
	if r.Scope == artifacts.ScopeNode {
		fmt.Fprintf(&b, " at %d nodes", r.Nodes)
	}
	fmt.Fprintf(&b, "\n  passes   %s\n  message  %s\n", r.Expr, quoteIfOdd(r.Message))
	if r.Unsafe+r.Benign > 0 {
		fmt.Fprintf(&b, "  stops    %d unsafe contexts, %d of %d benign ones\n", r.Unsafe, r.Rejected, r.Benign)
	}
	return []byte(b.String())
}

// quoteIfOdd quotes a text that would not stay on its line as it is.
func quoteIfOdd(s string) string {
	if q := strconv.Quote(s); s == "" || q != `"`+s+`"` {
		return q
	}
	return s
}

// printLine prints one value as JSON on one line.
func printLine(e *env, v any) error {
	enc := json.NewEncoder(e.stdout)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
