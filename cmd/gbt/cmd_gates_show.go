package main

import (
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/gates/card"
)

func gatesShowCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "print a card for each gate: what it stops, what it costs, where it came from",
		ArgsUsage: "POLICY|gbt.yaml [ID]",
		Description: "A card has what a person decides by: in a sentence which calls the gate stops, three calls that it stopped,\n" +
			"the honest calls that it would stop or those nearest to it, its rates on tasks left out, where it is asked and\n" +
			"where it came from. The calls stand in the file of contexts beside the policy, without their values. ID is the\n" +
			"beginning of a gate's id; gbt gates list has the expressions.\n\n" +
			"Examples:\n" +
			"   gbt gates show policy.gbt\n" +
			"   gbt gates show policy.gbt 3bc90c37 --markdown",
		Flags: append(cardFlags(),
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object a gate"},
			&cli.BoolFlag{Name: "markdown", Usage: "print Markdown, for a report or a pull request"},
			&cli.StringFlag{Name: "contexts", Usage: "read the recorded contexts from `FILE` (default: beside the policy)"},
			&cli.StringSliceFlag{Name: "trust", Usage: "refuse a policy not signed by the public key in `FILE` (may be given again)"},
		),
		Action: func(c *cli.Context) error { return runGatesShow(e, c) },
	}
}

// cardFlags are those of every command that prints cards.
func cardFlags() []cli.Flag { return nil }

func runGatesShow(e *env, c *cli.Context) error {
	if c.NArg() < 1 || c.NArg() > 2 {
		return fail(exitUsage, "gates show takes a file and perhaps the id of a gate: gbt gates show POLICY [ID]")
	}
	if c.Bool("json") && c.Bool("markdown") {
		return fail(exitUsage, "--json and --markdown are two forms of the same: choose one")
	}
	s, err := readGates(c.Args().First(), c.StringSlice("trust"))
	if err != nil {
		return err
	}
	return printCards(e, c, s, c.Args().Get(1))
}

// printCards prints the cards of the gates whose ids begin with id.
func printCards(e *env, c *cli.Context, s *gateSet, id string) error {
	name := c.Args().First()
	cards, err := s.cards(name, c.String("contexts"))
	if err != nil {
		return err
	}
	found := 0
	for i, one := range cards {
		if !strings.HasPrefix(one.ID, id) {
			continue
		}
		if found++; found > 1 && !c.Bool("json") {
			_, _ = e.stdout.Write([]byte("\n")) // results keeps the error
		}
		if err := printCard(e, c, cards[i]); err != nil {
			return err
		}
	}
	if found == 0 && id != "" {
		return fail(exitUsage, "%s has no gate whose id begins with %q; gbt gates list prints them", name, id)
	}
	sayNoGates(e, name, len(cards))
	return nil
}

func printCard(e *env, c *cli.Context, one *card.Card) error {
	switch {
	case c.Bool("json"):
		return printLine(e, one)
	case c.Bool("markdown"):
		_, err := e.stdout.Write(one.Markdown())
		return stdoutError(err)
	}
	_, err := e.stdout.Write(one.Text())
	return stdoutError(err)
}

// cards makes a card of each gate, with the recorded calls if they are here.
func (s *gateSet) cards(name, contexts string) ([]*card.Card, error) {
	record, err := s.record(name, contexts)
	if err != nil {
		return nil, err
	}
	var out []*card.Card
	for i := range s.gates {
		g := card.Gate{Gate: s.gates[i], Nodes: s.nodes[s.gates[i].ID], Below: s.begins[s.gates[i].ID]}
		one, err := card.Build(&g, record)
		if err != nil {
			return nil, fail(exitInput, "gate %.12s: %v", g.ID, err)
		}
		out = append(out, one)
	}
	return out, nil
}

// record reads the recorded contexts; nil if the policy pins none, or their file
// is not there and nobody asked for it.
func (s *gateSet) record(name, file string) (*card.Record, error) {
	if s.policy == nil || len(s.policy.Corpora) == 0 {
		return nil, nil
	}
	if _, err := os.Stat(contextsBeside(name)); file == "" && err != nil {
		return nil, nil
	}
	corpus, err := pinnedContexts(s.policy, name, file)
	if err != nil {
		return nil, err
	}
	return &card.Record{Corpus: corpus, At: distill.AskedAt(s.policy)}, nil
}
